# Score one method on one data set.
#
# Usage: scoring.sh PROGRAM INPUT OUTPUT, where INPUT/res holds proportions.tsv and truth.tsv.
set -eu
# As deconbench's scoring program wants it.
work=$(mktemp -d)
mkdir "$work/ref" "$work/res"
cp "$2/res/truth.tsv" "$work/ref/proportions.tsv"
if [ -f "$2/res/proportions.tsv" ]; then
    cp "$2/res/proportions.tsv" "$work/res/proportions.tsv"
fi
Rscript --vanilla --default-packages=utils "$1/scoring.R" "$work" "$3"
python3 "$1/relative.py" "$2/res/truth.tsv" "$3/scores.json"
