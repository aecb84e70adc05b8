"""The process of one stage: arrays in, arrays out.

Usage: run_stage.py FOLDER BEFORE AFTER NAMES, where FOLDER holds stage.py, BEFORE and AFTER are
files of NumPy arrays, and NAMES are those of what the stage returns, with commas.
"""

import sys

import numpy as np


def main(folder: str, before: str, after: str, names: str) -> None:
    with np.load(before, allow_pickle=False) as arrays:
        given = dict(arrays)
    sys.path.insert(0, folder)
    from stage import run

    returned = run(**given)
    wanted = names.split(",")
    if len(wanted) == 1:
        returned = [returned]
    np.savez(after, **{name: np.asarray(one) for name, one in zip(wanted, returned, strict=True)})


if __name__ == "__main__":
    main(*sys.argv[1:5])
