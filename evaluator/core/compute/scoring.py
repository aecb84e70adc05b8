"""The second half of a cell: predictions and reference data -> scores."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from evaluator.core.compute import mounts
from evaluator.core.compute.engine.output import (
    MAX_FILES,
    OutputFolder,
    Room,
    UnsafeOutputError,
    copy_top_files,
    read_regular,
)
from evaluator.core.compute.engine.spec import ExitReport, Mount, RunSpec
from evaluator.core.compute.job import Job
from evaluator.core.compute.steps import CellFailedError, StepAttempt, check_exit, fail, to_step
from evaluator.core.errors import Actor, printable, some_of
from evaluator.core.formats.attachments import ATTACHMENTS
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.json_reader import finite, read_json
from evaluator.core.formats.record import MAX_EXTRA, MAX_EXTRA_KEY, Reason, Step
from evaluator.core.formats.schema import Nested, read_scalars

MAX_SCORES_BYTES = 2**20
MAX_PAGE_BYTES = 4 * 2**20
TOO_LARGE = (
    f"<!doctype html><title>Not kept</title><p>The scoring program wrote detailed results of more "
    f"than {MAX_PAGE_BYTES // 2**20} MiB; they were not kept.</p>\n"
).encode()
_REJECTED = "rejected.txt"
# scores.txt is YAML, and else CodaLab's lines ``key:value``: YAML takes these for one string, so
# that Codabench shows n/a (its issue 1859).
_LINE = re.compile(r"\s*(.+?)\s*:\s*(\S+)\s*")
_COMMENT = re.compile(r"(?:^|\s)#.*")

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class ScoringResult:
    """What a scoring program gave: numbers by key."""

    columns: dict[str, float]
    extra: dict[str, float] = field(default_factory=dict)
    attachments: Mapping[str, bytes] = field(default_factory=dict)
    """By suffix."""
    steps: Sequence[Step] = ()


def score(attempt: StepAttempt, predictions: Path, check: Callable[[], None]) -> ScoringResult:
    """Run the scoring program; ``check`` raises if predictions changed. Raises CellFailedError."""
    job, engine = attempt.job, attempt.engine
    sizes = [path.stat().st_size for path in predictions.rglob("*") if path.is_file()]
    rooms = scoring_rooms(job.limits.output_size, sizes)
    with engine.outputs(attempt.inputs.image, rooms, attempt.scratch) as (output, copied):
        copied.fill(predictions)
        check()
        outputs = {mounts.OUTPUT: output, mounts.PREDICTIONS: copied}
        spec = scoring_spec(attempt, mounts.scoring_mounts(attempt.inputs), outputs)
        with engine.create(spec) as created, attempt.lane:
            report = created.start().wait()
        if attempt.scoring_way:
            attempt.scoring_way.end()
        step = to_step("scoring", report, job.scoring_grant)
        try:
            return read_output(attempt, report, [step], output)
        except CellFailedError as error:
            raise _doubt_kind(job, error) from None


def scoring_rooms(size: int, predictions: Collection[int] = ()) -> list[Room]:
    """Room for the output, for a copy of the predictions, and for as much again as it.

    Codabench lets scoring programs write among predictions, and public bundles put lock files
    there; the store's own stay as they were scored. Most copies want the same room, as volumes are
    made in advance. ``predictions`` are the sizes of their files.
    """
    # Each file takes whole pages.
    bytes_, files = sum(-(-length // 4096) * 4096 for length in predictions), 2 * len(predictions)
    copied = Room(max(bytes_, size) + size, max(files, MAX_FILES) + MAX_FILES, executable=True)
    return [Room(size), copied]


def _doubt_kind(job: Job, failure: CellFailedError) -> CellFailedError:
    """Say what else may be wrong if results are submitted in place of predictions."""
    if (
        not job.kind.holds_predictions
        or not job.ingestion_program
        or failure.error.reason not in (Reason.SCORER_FAILED, Reason.NO_SCORES)
    ):
        return failure
    return failure.and_hint(
        "Or were these files for the ingestion program? Then the submission is 'kind: code'."
    )


def scoring_spec(
    attempt: StepAttempt, visible: list[Mount], outputs: Mapping[str, OutputFolder]
) -> RunSpec:
    """Make the container of the scoring program. It has no GPU, and a network only by name."""
    job, inputs, substitutions = attempt.job, attempt.inputs, mounts.SCORING_SUBSTITUTIONS
    way = attempt.scoring_way
    return RunSpec(
        image=inputs.image,
        command=mounts.read_command(
            inputs.scoring_program, job.scoring_program, substitutions, Actor.ORGANISER
        ),
        mounts=visible,
        workdir=mounts.PROGRAM,
        outputs=outputs,
        limits=job.limits,
        seconds=job.seconds,
        network=way.network if way else job.scoring_network,
        exclusive=job.exclusive,
        environment={**job.environment, **(way.environment if way else {})},
    )


def read_output(
    attempt: StepAttempt, report: ExitReport, steps: list[Step], output: OutputFolder
) -> ScoringResult:
    """Read what the scoring program left; its step is the last. Raises CellFailedError."""
    job, written = attempt.job, attempt.scratch / "written"
    sizes = [ATTACHMENTS[suffix].max_file for suffix in job.attachments]
    try:
        copy_top_files(output, written, max((MAX_PAGE_BYTES, *sizes)))
        if report.stopped_by is None:
            check_rejection(written)
        check_exit(report, job.limits, job.seconds, steps[-1], image=attempt.inputs.image)
        scores = _read_scores(job, written)
        attachments = dict(_attachments(job, written))
    except UnsafeOutputError as error:
        raise fail(
            Reason.SCORER_FAILED, f"the scoring program's output cannot be taken: {error}",
            step="scoring", hint="Let it write plain files only.", report=steps[-1],
        ) from None  # fmt: skip
    except CellFailedError as error:
        raise _refusal(job, error, steps[-1]) from None
    return replace(scores, steps=steps, attachments=attachments)


def _no_scores(reason: Reason, message: str, hint: str = "") -> CellFailedError:
    return fail(reason, message, step="scoring", hint=hint)


def _attachments(job: Job, written: Path) -> Iterator[tuple[str, bytes]]:
    for suffix in job.attachments:
        kind = ATTACHMENTS[suffix]
        try:
            content = kind.read(written, job.score_keys)
        except ValueError as error:
            message = printable(f"{kind.file}: {error}")[:1000]
            raise _no_scores(
                Reason.BAD_SCORES, message, "Correct what the scoring program writes."
            ) from None
        if content is not None:
            yield suffix, content


def _refusal(job: Job, failure: CellFailedError, step: Step) -> CellFailedError:
    error = failure.error
    if error.reason == Reason.REJECTED:
        # The author of the code answers for refused predictions, the participant for a data set.
        if not job.scores_files:
            error = error.replace(actor=job.author)
        if job.is_check:
            error = error.replace(hint="Correct the data set and submit it again.")
    return CellFailedError(error, [step])


def _read_scores(job: Job, written: Path) -> ScoringResult:
    if not job.is_check:
        return read_scores(written, job.score_keys, job.optional_keys, job.extra_keys)
    try:
        return read_scores(written, ())
    except CellFailedError as failure:
        if failure.error.reason == Reason.NO_SCORES:
            return ScoringResult(columns={})
        raise


def check_rejection(output: Path) -> None:
    """Raise CellFailedError for rejected.txt, even where the scorer failed, as it must."""
    rejected = read_regular(output / _REJECTED, MAX_SCORES_BYTES)
    if rejected is not None:
        text = " / ".join(rejected.decode("utf-8", "replace").split("\n")).strip(" /")
        raise _no_scores(
            Reason.REJECTED,
            printable(text)[:1000] or "no reason given",
            "Correct the predictions and submit again.",
        )


def read_scores(
    output: Path,
    columns: Sequence[str],
    optional: Collection[str] = (),
    extra: Collection[str] | None = None,
) -> ScoringResult:
    """Read scores.json, else scores.txt; ``extra`` is None for all keys. Raises CellFailedError."""
    scores = {
        key: value
        for key, value in _numbers(output).items()
        if key not in optional or not _is_no_score(value)
    }
    missing = [key for key in columns if key not in scores and key not in optional]
    unknown = [key for key in scores if key not in columns]
    if missing:
        names = some_of([f"'{printable(key)}'" for key in unknown])
        wrote = f"; it has values under keys of no column: {names}" if unknown else ""
        raise _no_scores(
            Reason.WRONG_COLUMNS,
            f"no score for column {some_of([*map(repr, missing)])}{wrote}",
            "Make the keys that the scoring program writes those of the leaderboard's columns.",
        )
    values: dict[str, float] = {}
    for key in columns:
        if key not in scores:
            continue
        number = _score(scores[key])
        if number is None:
            raise _no_scores(
                Reason.BAD_SCORES,
                f"the score of column '{key}' is {printable(str(scores[key]))[:60]}, "
                "not a finite number",
                "Write a number, or rejected.txt with the reason why there is none.",
            )
        if isinstance(scores[key], int) and number != scores[key]:
            raise _no_scores(
                Reason.BAD_SCORES, f"the score of column '{key}' is {scores[key]}, which no 64-bit "
                "number holds", "Write it in a larger unit: integers above 2^53 are rounded.",
            )  # fmt: skip
        values[key] = number
    asked = [key for key in unknown if extra is None or key in extra]
    numbers = {
        printable(key)[:MAX_EXTRA_KEY]: number
        for key in asked[:MAX_EXTRA]
        if (number := finite(scores[key])) is not None
    }
    return ScoringResult(columns=values, extra=numbers)


def _is_no_score(value: object) -> bool:
    """Whether it says that there is none: null or NaN, as JSON, YAML, Python and R write them."""
    text = str(value).strip().lower() if isinstance(value, (str, float)) else value
    return text in (None, "", "none", "null", "nan", ".nan", "na")


def _score(value: object) -> float | None:
    """The value of a column as a number; None if it is none.

    True and false are 1 and 0, and text that is a number is that number: Codabench stores them so
    (a DecimalField in apps/leaderboards/models.py:80), and public bundles write them.
    """
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, str) and not isinstance(value, Nested):
        text = value.strip()
        if text.lower() in ("true", "false"):
            return float(text.lower() == "true")
        return finite(float(text)) if _NUMBER.fullmatch(text) else None
    return finite(value)


def _numbers(output: Path) -> dict[str, object]:
    content = read_regular(output / "scores.json", MAX_SCORES_BYTES)
    if content is not None:
        try:
            # Python writes NaN: if it is a column's, the message can name the column.
            data = read_json(content, max_bytes=MAX_SCORES_BYTES, nan=True)
        except ValueError as error:
            raise _no_scores(Reason.BAD_SCORES, f"scores.json {error}") from None
        if not isinstance(data, dict):
            raise _no_scores(Reason.BAD_SCORES, "scores.json must hold keys and numbers")
        return data
    content = read_regular(output / "scores.txt", MAX_SCORES_BYTES)
    if content is None:
        raise _no_scores(
            Reason.NO_SCORES,
            "the scoring program wrote neither scores.json nor scores.txt",
            "Write scores.json to the folder given as $output.",
        )
    return _read_text(content.decode("utf-8-sig", "replace"))


def _read_text(text: str) -> dict[str, object]:
    """Read keys and values; skip lists, texts and whatever else is beside them."""
    values = read_scalars(text)
    if values is None:
        values = {}
        for line in text.splitlines():
            match = _LINE.fullmatch(_COMMENT.sub("", line))
            if match:
                key = match[1].strip("\"'")
                values[key] = Nested("there twice") if key in values else match[2].strip("\"'")
    if not values:
        raise _no_scores(
            Reason.BAD_SCORES,
            "scores.txt holds no key with a value",
            "Write a line 'key: value' for each column.",
        )
    return {**values}


class DetailedPage:
    """The one page, a stranger's, to be shown in a sandboxed frame."""

    file = "detailed_results.html"
    max_file = max_bytes = MAX_PAGE_BYTES

    def takes(self, benchmark: Benchmark) -> bool:
        return benchmark.enable_detailed_results

    def read(self, output: Path, _: Collection[str]) -> bytes | None:
        """Read it, or the only other page; follows no link."""
        pages = [path for path in output.glob("*.html") if path.is_file() and not path.is_symlink()]
        named = [path for path in pages if path.name == self.file]
        if len(named or pages) != 1:
            return None
        page = read_regular((named or pages)[0], MAX_PAGE_BYTES)
        return TOO_LARGE if page is None else page


DETAILED_PAGE = DetailedPage()
