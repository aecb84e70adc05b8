"""Run a submission on one fold, and write predictions.csv and metadata.json.

Usage: ingestion.py INPUT OUTPUT SUBMISSION

INPUT holds train.parquet, test.parquet (without the target) and dataset.json. SUBMISSION is an
AutoML Benchmark framework module, or holds model.py with a class Model. A submission that fails
ends this process with a code that is not 0 and its reason as the last line of the log.
"""

import json
import sys
import time
import traceback
from pathlib import Path

from fold import Fold, read_fold
from submission import Outcome, run_submission

MAX_REASON = 200


class FailedError(Exception):
    """What went wrong, for the participant."""


def write_metadata(output: Path, fold: Fold, outcome: Outcome, seconds: float) -> None:
    """Write how long things took; keys as the AutoML Benchmark names them."""
    known = {
        "framework": outcome.framework,
        "framework_version": outcome.version,
        "framework_params": outcome.params,
        "task": fold.meta["name"],
        "fold": fold.meta.get("fold", 0),
        "metric": fold.config["metric"],
        "metrics": fold.config["metrics"],
        "seed": fold.config["seed"],
        "type_": fold.meta["type"],
        "training_duration": outcome.training_duration,
        "predict_duration": outcome.predict_duration,
        "models_count": outcome.models_count,
        "run_duration": seconds,
        "inference_times": outcome.inference_times,
    }
    (output / "metadata.json").write_text(json.dumps(known, default=str), encoding="utf-8")


def reason(error: BaseException) -> str:
    """Return ``Type: message`` on one line, cut as the AutoML Benchmark cuts it."""
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return text if len(text) <= MAX_REASON else text[: MAX_REASON - 1] + "…"


def main(input_dir: Path, output: Path, submission: Path) -> int:
    fold = read_fold(input_dir, output)
    started = time.monotonic()
    try:
        outcome = run_submission(fold, submission)
        seconds = time.monotonic() - started
        if not (output / "predictions.csv").is_file():
            raise FailedError("it ended without predictions")
    except BaseException as error:  # a submission may raise anything
        traceback.print_exc()
        print(reason(error), file=sys.stderr, flush=True)
        return 1
    write_metadata(output, fold, outcome, seconds)
    print(f"{outcome.framework}: {seconds:.3f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(*(Path(word).resolve() for word in sys.argv[1:4])))
