"""A scoring program's output -> numbers by column key, or the reason why there are none."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaluator.core.compute.engine.output import read_regular
from evaluator.core.errors import printable, some_of
from evaluator.core.formats.json_reader import finite, read_json
from evaluator.core.formats.record import Reason, Step
from evaluator.core.formats.record_limits import MAX_EXTRA, MAX_EXTRA_KEY, MAX_PAGE_BYTES
from evaluator.core.formats.schema import Nested, read_scalars

MAX_SCORES_BYTES = 2**20
TOO_LARGE = (
    f"<!doctype html><title>Not kept</title><p>The scoring program wrote detailed results of more "
    f"than {MAX_PAGE_BYTES // 2**20} MiB; they were not kept.</p>\n"
).encode()
_REJECTED = "rejected.txt"
_PAGE = "detailed_results.html"
# scores.txt is YAML, and else CodaLab's lines ``key:value``: YAML takes these for one string, so
# that Codabench shows n/a (its issue 1859).
_LINE = re.compile(r"\s*(.+?)\s*:\s*(\S+)\s*")
_COMMENT = re.compile(r"(?:^|\s)#.*")

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class Scores:
    """What a scoring program gave: numbers by key."""

    columns: dict[str, float]
    extra: dict[str, float] = field(default_factory=dict)
    page: bytes | None = None
    """The detailed results, if the bundle enables them."""
    steps: Sequence[Step] = ()


class ScoresError(Exception):
    """Why there are no scores."""

    def __init__(self, reason: Reason, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.hint = hint


def check_rejection(output: Path) -> None:
    """Raise ScoresError if the scorer wrote rejected.txt: it found the predictions unusable.

    The participant is shown the file. The scorer may then end with an error, as it must on
    platforms that do not know the file.
    """
    rejected = read_regular(output / _REJECTED, MAX_SCORES_BYTES)
    if rejected is not None:
        text = " / ".join(rejected.decode("utf-8", "replace").split("\n")).strip(" /")
        raise ScoresError(
            Reason.REJECTED,
            printable(text)[:1000] or "no reason given",
            "Correct the predictions and submit again.",
        )


def read_scores(
    output: Path,
    columns: Sequence[str],
    optional: Collection[str] = (),
    extra: Collection[str] | None = None,
) -> Scores:
    """Read scores.json, else scores.txt, from the scoring program's output.

    ``optional`` columns may be left out, or null; ``extra`` are keys of further numbers to record,
    None for all. Raises ScoresError.
    """
    scores = {
        key: value
        for key, value in _numbers(output).items()
        if value is not None or key not in optional
    }
    missing = [key for key in columns if key not in scores and key not in optional]
    unknown = [key for key in scores if key not in columns]
    if missing:
        names = some_of([f"'{printable(key)}'" for key in unknown])
        wrote = f"; under keys of no column stand {names}" if unknown else ""
        raise ScoresError(
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
            raise ScoresError(
                Reason.BAD_SCORES,
                f"the score of column '{key}' is {printable(str(scores[key]))[:60]}, "
                "not a finite number",
                "Write a number, or rejected.txt with the reason why there is none.",
            )
        values[key] = number
    asked = [key for key in unknown if extra is None or key in extra]
    numbers = {
        printable(key)[:MAX_EXTRA_KEY]: number
        for key in asked[:MAX_EXTRA]
        if (number := finite(scores[key])) is not None
    }
    return Scores(columns=values, extra=numbers)


def _score(value: object) -> float | None:
    """Return the value of a column as a number; None if it is none.

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
            raise ScoresError(Reason.BAD_SCORES, f"scores.json {error}") from None
        if not isinstance(data, dict):
            raise ScoresError(Reason.BAD_SCORES, "scores.json must hold keys and numbers")
        return data
    content = read_regular(output / "scores.txt", MAX_SCORES_BYTES)
    if content is None:
        raise ScoresError(
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
        raise ScoresError(
            Reason.BAD_SCORES,
            "scores.txt holds no key with a value",
            "Write a line 'key: value' for each column.",
        )
    return {**values}


def find_page(output: Path) -> bytes | None:
    """Return detailed_results.html, else the one page at the top of the output, else None.

    It is a stranger's: never to be shown but in a sandboxed frame. Follows no link.
    """
    pages = [path for path in output.glob("*.html") if path.is_file() and not path.is_symlink()]
    named = [path for path in pages if path.name == _PAGE]
    if len(named or pages) != 1:
        return None
    page = read_regular((named or pages)[0], MAX_PAGE_BYTES)
    return TOO_LARGE if page is None else page
