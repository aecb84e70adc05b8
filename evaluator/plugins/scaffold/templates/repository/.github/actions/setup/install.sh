#!/usr/bin/env bash
# Installs packages for one Python, as `PYTHON -m pip install OPTION...` does, in a fifth of the time:
#
#   install.sh PYTHON OPTION...   # options that pip and uv both have
#
# locks/uv.txt pins uv by digest. pip itself installs where uv cannot be had or does not come to an end, and
# where pip has an index of its own, since uv reads no settings of pip.
set -euo pipefail
python=$1
shift
pip=("$python" -m pip --disable-pip-version-check)

install_by_uv() {
    ! "${pip[@]}" config list | grep -Eq '\.(index-url|no-index)=' || return 1
    "$python" -m uv --version >/dev/null 2>&1 ||
        "${pip[@]}" install --quiet --require-hashes --only-binary=:all: \
            --requirement "$(dirname "$0")/../../locks/uv.txt" || return 1
    "$python" -m uv pip install --python "$python" "$@"
}

install_by_uv "$@" || {
    echo "install.sh: pip installs, for uv did not" >&2
    "${pip[@]}" install "$@"
}
