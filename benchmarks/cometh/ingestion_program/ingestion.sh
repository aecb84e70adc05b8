# One method of the organiser's on one data set of a participant's.
#
# Usage: ingestion.sh PROGRAM DATASET OUTPUT METHOD. This is deconbench with the parts exchanged:
# there the data are the organiser's and the method is submitted.
set -eu
# The method is given the paths of bulk.tsv and reference.tsv alone.
Rscript --vanilla --default-packages=utils "$1/ingestion.R" "$2" "$3" "$4"
# The scoring step sees what this one leaves, and no submission.
cp "$2/proportions.tsv" "$3/truth.tsv"
