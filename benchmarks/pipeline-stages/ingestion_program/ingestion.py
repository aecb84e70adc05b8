"""Run the three stages one after the other, each as a process of its own, and write the labels.

Usage: ingestion.py INPUT OUTPUT SUBMISSION

PULLBENCH_STAGES names the stages that are the participant's, with commas; the others are those
beside this file. Where it is not set, as on Codabench, those are the participant's whose folder is
in the submission.

The arrays are held here, out of reach of the stages: each gets a file with what it is given, and
leaves one with what it returns. Before the next one begins, its processes have ended, and nothing
of it is left but that.
"""

import io
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from processes import end_all, environment, forget, guard

HERE = Path(__file__).parent
Arrays = dict[str, np.ndarray]
MAX_BYTES = 2**26
"""What a stage may leave for the next one."""


class StageError(Exception):
    """What a stage did otherwise than it should."""


def expect(holds: bool, what: str) -> None:
    if not holds:
        raise StageError(f"{what}; this one did not")


def clean(given: Arrays, returned: Arrays) -> Arrays:
    x_train, y_train, x_test = (returned[name] for name in ("x_train", "y_train", "x_test"))
    features = given["x_test"].shape[1]
    expect(x_train.ndim == 2 and x_train.shape[1] == features, "clean keeps all features")
    expect(y_train.shape == (len(x_train),), "clean returns one label for each training row")
    expect(x_test.shape == given["x_test"].shape, "clean keeps all test rows")
    expect(bool(np.isfinite(x_train).all() and np.isfinite(x_test).all()), "clean leaves no gap")
    return returned


def features(given: Arrays, returned: Arrays) -> Arrays:
    x_train, x_test = returned["x_train"], returned["x_test"]
    expect(x_train.ndim == 2 and len(x_train) == len(given["x_train"]), "features keeps all rows")
    expect(
        x_test.shape == (len(given["x_test"]), x_train.shape[1]),
        "features returns test rows with the features of the training rows",
    )
    return {"x_train": x_train, "y_train": given["y_train"], "x_test": x_test}


def model(given: Arrays, returned: Arrays) -> Arrays:
    labels = returned["labels"]
    expect(labels.shape == (len(given["x_test"]),), "model returns one label for each test row")
    expect(np.issubdtype(labels.dtype, np.integer), "model returns integers")
    return returned


Check = Callable[[Arrays, Arrays], Arrays]
STAGES: dict[str, tuple[tuple[str, ...], Check]] = {
    "clean": (("x_train", "y_train", "x_test"), clean),
    "features": (("x_train", "x_test"), features),
    "model": (("labels",), model),
}
"""What each returns, and what must be true of it."""


def chosen(submission_dir: Path) -> set[str]:
    told = os.environ.get("PULLBENCH_STAGES")
    if told is None:
        return {stage for stage in STAGES if (submission_dir / stage).is_dir()}
    return set(told.split(",")) - {""}


def read_csv(path: Path, dtype: type) -> np.ndarray:
    return np.genfromtxt(path, delimiter=",", skip_header=1, dtype=dtype, ndmin=2)


def read_bounded(path: Path) -> bytes:
    """Read a plain file of bounded size. Raises OSError, StageError."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        expect(stat.S_ISREG(os.fstat(file.fileno()).st_mode), "a stage returns arrays")
        content = file.read(MAX_BYTES + 1)
    expect(len(content) <= MAX_BYTES, f"a stage returns at most {MAX_BYTES // 2**20} MiB")
    return content


def read_arrays(path: Path, names: tuple[str, ...]) -> Arrays:
    """Read what a stage left: it may hold anything. Raises StageError."""
    try:
        with np.load(io.BytesIO(read_bounded(path)), allow_pickle=False) as arrays:
            returned = {name: arrays[name] for name in names}
    except StageError:
        raise
    except Exception as error:  # whatever a file can be instead of arrays
        raise StageError(f"a stage returns arrays of numbers ({type(error).__name__})") from None
    expect(all(one.dtype.kind in "biuf" for one in returned.values()), "a stage returns numbers")
    return returned


def run(stage: str, folder: Path, given: Arrays, output_dir: Path) -> Arrays:
    """Run one stage, and leave nothing of it. Raises StageError."""
    names, check = STAGES[stage]
    home = Path(tempfile.mkdtemp(prefix="stage-"))
    before, after = home / "before.npz", home / "after.npz"
    np.savez(before, **given)
    process = subprocess.Popen(
        # Isolated: it takes no code from its home, its folder or the environment.
        [sys.executable, "-I", "-B", "-u", HERE / "run_stage.py",
         folder, before, after, ",".join(names)],
        stdin=subprocess.DEVNULL, cwd=home, env=environment(home), start_new_session=True,
    )  # fmt: skip
    code = process.wait()
    end_all()
    try:
        expect(code == 0, "a stage ends with exit code 0")
        return check(given, read_arrays(after, names))
    finally:
        forget(output_dir, home)
        if home.is_dir():  # outside of a container
            home.rmdir()


def main(input_dir: Path, output_dir: Path, submission_dir: Path) -> None:
    guard()
    arrays = {
        "x_train": read_csv(input_dir / "X_train.csv", float),
        "y_train": read_csv(input_dir / "y_train.csv", int).ravel(),
        "x_test": read_csv(input_dir / "X_test.csv", float),
    }
    participants = chosen(submission_dir)
    for stage in STAGES:
        owner = "participant" if stage in participants else "organiser"
        folder = (submission_dir if owner == "participant" else HERE) / stage
        print(f"{stage}: the {owner}'s", flush=True)
        try:
            arrays = run(stage, folder, arrays, output_dir)
        except StageError as error:
            sys.exit(f"{error}\nthe {owner}'s stage '{stage}' failed")
    np.savetxt(output_dir / "y_pred.csv", arrays["labels"], fmt="%d", header="label", comments="")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
