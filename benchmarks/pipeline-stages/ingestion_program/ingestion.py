"""Run the three stages one after the other, each as a process of its own, and write the labels.

Usage: ingestion.py INPUT OUTPUT SUBMISSION

PULLBENCH_STAGES names the stages that are the participant's, with commas; the others are those
beside this file. Where it is not set, as on Codabench, those are the participant's whose folder is
in the submission.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
STAGES = ("clean", "features", "model")


def chosen(submission_dir: Path) -> set[str]:
    told = os.environ.get("PULLBENCH_STAGES")
    if told is None:
        return {stage for stage in STAGES if (submission_dir / stage).is_dir()}
    return set(told.split(",")) - {""}


def read_csv(path: Path, dtype: type) -> np.ndarray:
    return np.genfromtxt(path, delimiter=",", skip_header=1, dtype=dtype, ndmin=2)


def main(input_dir: Path, output_dir: Path, submission_dir: Path) -> None:
    x_test = read_csv(input_dir / "X_test.csv", float)
    participants = chosen(submission_dir)
    with tempfile.TemporaryDirectory() as scratch:
        files = Path(scratch, "0.npz")
        np.savez(
            files,
            x_train=read_csv(input_dir / "X_train.csv", float),
            y_train=read_csv(input_dir / "y_train.csv", int).ravel(),
            x_test=x_test,
        )
        for number, stage in enumerate(STAGES, start=1):
            owner = "participant" if stage in participants else "organiser"
            folder = (submission_dir if owner == "participant" else HERE) / stage
            after = Path(scratch, f"{number}.npz")
            print(f"{stage}: the {owner}'s", flush=True)
            done = subprocess.run(
                [sys.executable, "-B", HERE / "run_stage.py", stage, folder, files, after],
                check=False,
            )
            if done.returncode:
                sys.exit(f"the {owner}'s stage '{stage}' failed")
            files = after
        with np.load(files, allow_pickle=False) as arrays:
            labels = arrays["labels"]
    if labels.shape != (len(x_test),):
        sys.exit(f"{len(x_test)} labels are wanted, not an array of shape {labels.shape}")
    np.savetxt(output_dir / "y_pred.csv", labels, fmt="%d", header="label", comments="")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
