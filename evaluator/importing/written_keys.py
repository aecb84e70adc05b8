"""Keys of scores that a program writes, as far as its source shows. It is read, and never run."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from evaluator.core.errors import Problem, some_of
from evaluator.core.formats.bundle import Benchmark

SOURCES = (".py", ".sh", ".r", ".m", ".pl", ".jl", ".js", ".rb", ".lua", ".json", ".yaml", ".yml")
"""Endings of files in which a key may stand, in any case."""
MAX_SOURCE = 2**20
"""Bytes of a file that is looked at."""
MAX_LINE = 2000
"""Characters of a line that is looked at; longer ones were written by no person."""
_MAX_HOLES = 3
_MIN_LITERAL = 3
"""Characters of a key that a source must hold: ``{}_{}`` could be any."""

# Within a line: no language has a plain string that goes on over several.
_TEXT = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'")
# "score: 0.5\n", "score:%f", {"score": 0.5} within text: a key and its colon.
_KEYS_IN_TEXT = re.compile(r"(?:^|\\n|[{,\n])\s*[\"']?([^\s\"':,{}\\]+)[\"']?\s*:(?!:)")
# A line of a template or a shell script's echo: ``score: {}``, ``echo score: $score``.
_LINE = re.compile(r"^\s*(?:echo\s+)?[\"']?([\w.-]+)[\"']?\s*:.*[{%$]")
_HOLE = re.compile(r"%[-+ 0-9.]*[sdifgr]|\{[^{}]*\}|\$\{?\w+\}?")


@dataclass(frozen=True, kw_only=True)
class WrittenKeys:
    """Those of some keys that a program writes."""

    certain: frozenset[str]
    """Keys that it holds as they are."""
    possible: frozenset[str]
    """Others, that it may put together: ``set{}_score``, ``"time_" + name``."""

    @property
    def any(self) -> frozenset[str]:
        return self.certain | self.possible


def written_keys(sources: Iterable[bytes], keys: Collection[str]) -> WrittenKeys:
    words: set[str] = set()
    parts: set[str] = set()
    for content in sources:
        if len(content) <= MAX_SOURCE:
            for line in content.decode("utf-8", "replace").splitlines():
                _look(line, words, parts)
    certain = frozenset(keys) & words
    patterns = [pattern for part in parts if (pattern := _pattern(part)) is not None]
    possible = {
        key for key in keys if key not in certain and any(one.fullmatch(key) for one in patterns)
    }
    return WrittenKeys(certain=certain, possible=frozenset(possible))


def _look(line: str, words: set[str], parts: set[str]) -> None:
    if len(line) > MAX_LINE or line.lstrip().startswith("#"):
        return
    if match := _LINE.match(line):
        words.add(match[1])
    for match in _TEXT.finditer(line):
        text = match[1] or match[2] or ""
        words.add(text.strip())
        words.update(_KEYS_IN_TEXT.findall(text))
        parts.update(_names(text))
        beside = line[: match.start()].rstrip()[-1:] + line[match.end() :].lstrip()[:1]
        # "time_" + name, paste0("time_", name)
        if "+" in beside or ("," in beside and text.strip("_.-") != text):
            parts.update((f"{text}\0", f"\0{text}"))


def _names(text: str) -> Iterator[str]:
    """Yield what may become a key once its holes are filled, for which a NUL stands."""
    for name in re.split(r"\\n|[\s\"',;=]|:(?![^{}]*\})", text):
        holed = _HOLE.sub("\0", name)
        if "\0" in holed:
            yield holed


def _pattern(part: str) -> re.Pattern[str] | None:
    """What a text with holes matches; None if it could be anything."""
    literals = part.split("\0")
    if max(map(len, literals)) < _MIN_LITERAL or len(literals) > _MAX_HOLES + 1:
        return None
    return re.compile(".+".join(map(re.escape, literals)))


def never_ranked(
    benchmark: Benchmark, files: Collection[str], read: Callable[[list[str]], Mapping[str, bytes]]
) -> Iterator[Problem]:
    """Warn of phases that write no column without which a cell fails; paths are the root's."""
    keys = benchmark.leaderboard.score_keys
    for number, phase in enumerate(benchmark.phases):
        board = benchmark.boards[phase.slug]
        required = set(board.score_keys) - board.optional_keys
        for program in dict.fromkeys(task.scoring_program for task in phase.tasks):
            paths = [path for path in files if path.startswith(f"{benchmark.path}/{program}/")]
            sources = [path for path in paths if path.lower().endswith(SOURCES)]
            written = written_keys(read(sources).values(), keys).any
            if not written or required <= written:
                continue  # without a trace of any key, keys come from elsewhere
            absent = some_of([f"'{key}'" for key in keys if key in required - written])
            yield benchmark.problem(
                f"phases[{number}]",
                "can never produce a ranked row, as far as its source shows: nothing "
                f"in '{program}' writes {absent}, without which each submission fails",
                "Name the columns that the phase has in pullbench: phases: "
                f"{phase.index}: columns, or make those that may be absent optional.",
                severity="warning",
            )
