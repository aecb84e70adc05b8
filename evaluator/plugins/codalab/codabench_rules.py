"""What Codabench refuses: each rule with the place of its code, and how a bundle is mended.

Places are in github.com/codalab/codabench at c7dbc75 (13 March 2026, version 1.25): the compute
worker's from the root, all others from ``src/apps/``.
"""

import datetime as dt
import io
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from dateutil import parser as dateparser

from evaluator.core.clock import moment_text
from evaluator.core.errors import UsageError, some_of
from evaluator.core.formats.quantities import UTC, to_datetime
from evaluator.core.formats.schema import Key
from evaluator.importing.files import zip_bytes
from evaluator.plugins.codalab.codabench_findings import (
    Bundle,
    Finding,
    plain_path,
    to_leave_out,
    to_replace,
)
from evaluator.plugins.codalab.codabench_logo import logo_fault, logo_png
from evaluator.plugins.codalab.keys import TASK_PARTS

_UNPACKERS = "competitions/unpackers"
_WEEK = 7 * 24 * 3600
_LARGEST = 2**31 - 1


@dataclass(frozen=True, kw_only=True)
class Rule:
    """What Codabench asks of a bundle."""

    source: str
    """File and line of its code."""
    check: Callable[[Bundle], Iterator[Finding]]


RULES: list[Rule] = []
"""In the order in which they are checked: paths and dates before what is computed of them."""


def _rule(source: str) -> Callable[[Callable[[Bundle], Iterator[Finding]]], None]:
    def add(check: Callable[[Bundle], Iterator[Finding]]) -> None:
        RULES.append(Rule(source=source, check=check))

    return add


@_rule("competitions/tasks.py:382-392")
def _version(bundle: Bundle) -> Iterator[Finding]:
    written = bundle.data.get("version")
    if str(written) != "2":
        message = f"is {written}, of which Codabench knows no unpacker"
        yield to_replace((), bundle.data, "version", message, 2)


@_rule(f"{_UNPACKERS}/v2.py:85, 96-98, 138, 218-227")
def _null(bundle: Bundle) -> Iterator[Finding]:
    wanted = {
        "tasks": ("key", *TASK_PARTS),
        "solutions": ("key", "path"),
        "phases": ("starting_kit", "public_data"),
    }
    for section, names in wanted.items():
        for at, entry in bundle.entries(section):
            for name in names:
                if name in entry and entry[name] is None:
                    yield to_leave_out(
                        at, entry, name, "is empty, and Codabench uses it for a name"
                    )


@_rule("tasks/models.py:9")
def _task_without_name(bundle: Bundle) -> Iterator[Finding]:
    for at, task in bundle.entries("tasks"):
        if not str(task.get("name") or "").strip():
            yield to_replace(at, task, "name", "is missing", f"Task {task['index']}")


_LENGTHS: tuple[tuple[str, str, int, str, str], ...] = (
    ("", "title", 256, "competitions/models.py:36", ""),
    ("", "docker_image", 128, "competitions/models.py:49", "Give a shorter one with --image."),
    ("", "reward", 256, "competitions/models.py:68", ""),
    ("phases", "name", 256, "competitions/models.py:295", ""),
    ("pages", "title", 255, "competitions/models.py:759", ""),
    ("tasks", "name", 256, "tasks/models.py:9", ""),
    ("solutions", "name", 256, "tasks/models.py:34", ""),
    ("leaderboards", "title", 64, "leaderboards/models.py:25", ""),
    ("leaderboards", "key", 36, "leaderboards/models.py:26", ""),
    ("columns", "title", 36, "leaderboards/models.py:59", ""),
    ("columns", "key", 36, "leaderboards/models.py:60",
     "Give it a shorter one; the scoring program writes it."),
)  # fmt: skip
"""Section, key, characters, place, and a hint where a shorter one does not mean the same."""


def _lengths(section: str, key: str, limit: int, hint: str) -> Any:
    def check(bundle: Bundle) -> Iterator[Finding]:
        for at, entry in _entries_of(bundle, section):
            text = str(entry.get(key) or "")
            message = f"has {len(text)} characters, {limit} is the limit"
            if len(text) > limit and hint:
                yield Finding((*at, key), message, hint)
            elif len(text) > limit:
                yield to_replace(at, entry, key, message, text[:limit].rstrip())

    return check


def _entries_of(bundle: Bundle, section: str) -> Iterator[tuple[Key, dict[str, Any]]]:
    if not section:
        yield (), bundle.data
    elif section == "columns":
        for at, board in bundle.entries("leaderboards"):
            for position, column in enumerate(board.get("columns") or ()):
                yield (*at, "columns", position), column
    else:
        yield from bundle.entries(section)


for _section, _key, _limit, _place, _hint in _LENGTHS:
    _rule(_place)(_lengths(_section, _key, _limit, _hint))


@_rule("competitions/models.py:67")
def _contact(bundle: Bundle) -> Iterator[Finding]:
    written = bundle.data.get("contact_email")
    if written and not re.fullmatch(r"[^@\s<>]+@[^@\s<>]+\.[A-Za-z0-9-]{2,63}", str(written)):
        yield to_leave_out((), bundle.data, "contact_email", f"'{written}' is no e-mail address")


@_rule("api/serializers/competitions.py:293-303")
def _fact_sheet(bundle: Bundle) -> Iterator[Finding]:
    defaults = {"selection": "", "is_required": "false", "is_on_leaderboard": "false"}
    for key, question in (bundle.data.get("fact_sheet") or {}).items():
        for name, value in defaults.items():
            if name not in question:
                message = f"has no '{name}', and all six keys are needed"
                finding = to_replace((), question, name, message, value)
                yield replace(finding, at=("fact_sheet", key))


@_rule(
    f"{_UNPACKERS}/base_unpacker.py:200-206; api/fields.py:50-52; competitions/models.py:216-226"
)
def _logo(bundle: Bundle) -> Iterator[Finding]:
    path = plain_path(bundle.data["image"])
    content = bundle.files[path][0]
    fault = logo_fault(path, content)
    if not fault:
        return

    def mend() -> str:
        name = f"{path.rpartition('.')[0] or path}.png"
        while name in bundle.files and name != path:
            name = f"{name.removesuffix('.png')}-1.png"
        bundle.files[name] = (logo_png(path, content), False)
        bundle.data["image"] = name
        return f"it is drawn as '{name}'"

    try:
        logo_png(path, content)
    except UsageError as error:
        message = f"'{path}' {fault}, and {error.message}"
        yield Finding(("image",), message, error.hint or "Give a logo as PNG.")
    else:
        yield Finding(("image",), f"'{path}' {fault}", mend=mend)


@_rule(f"{_UNPACKERS}/v2.py:50-58, 170-177")
def _texts(bundle: Bundle) -> Iterator[Finding]:
    """Find pages and terms that ``open()`` cannot read as UTF-8, or that are empty."""
    places: list[tuple[Key, str, str]] = [
        (("terms",), str(bundle.data["terms"]), "# Terms\n\nThere are none.\n")
    ]
    for at, page in bundle.entries("pages"):
        places.append(((*at, "file"), page["file"], f"# {page['title']}\n"))
    for at, written, instead in places:
        path = plain_path(written)
        content = bundle.files[path][0]
        text = content.decode("utf-8", "replace")
        if not content:
            fault, text, words = "is empty", instead, "a heading is written"
        elif text.encode() != content:
            text = content.decode("cp1252", "replace").replace("\0", "")
            fault, words = "is not UTF-8", "it is read as Windows-1252"
        elif "\0" in text:  # rest_framework's ProhibitNullCharactersValidator
            text = text.replace("\0", "")
            fault, words = "holds null characters", "they are left out"
        else:
            continue
        yield Finding(at, f"'{path}' {fault}", mend=_write(bundle, path, text, words))


def _write(bundle: Bundle, path: str, text: str, words: str) -> Callable[[], str]:
    def mend() -> str:
        bundle.files[path] = (text.encode(), False)
        return words

    return mend


@_rule("compute_worker/compute_worker.py:544-560")
def _image(bundle: Bundle) -> Iterator[Finding]:
    """Find an image that cannot be pulled: each is, and without it every submission ends."""
    name = str(bundle.data.get("docker_image") or "")
    if re.match(r"localhost[:/]", name):
        yield Finding(
            ("docker_image",),
            f"'{name}' is on this machine, and no worker can pull it",
            "Push the image to a registry, and give its name there with --image NAME.",
        )


@_rule(f"{_UNPACKERS}/base_unpacker.py:39-55")
def _data_elsewhere(bundle: Bundle) -> Iterator[Finding]:
    """Find data that neither lie in the zip nor can be on the server already."""
    private = (bundle.data.get("pullbench") or {}).get("private") or []
    tasks = {task["index"]: str(task.get("name") or "") for _, task in bundle.entries("tasks")}
    for part in ("input_data", "reference_data"):
        of_part = [entry for entry in private if entry["file"] == part]
        if not of_part:
            continue
        names = some_of([f"'{tasks.get(entry['task'], '')}'" for entry in of_part], 3)
        where = {
            "is a runner's" if entry.get("path") else "is at a URL" if entry.get("url")
            else "is encrypted, which Codabench cannot open"
            for entry in of_part
        }  # fmt: skip
        yield Finding(
            ("pullbench", "private"),
            f"the {part} of {names} {' or '.join(sorted(where))} and not in the zip",
            "Put the data into the bundle where they may be there, or choose them for the "
            "tasks in Codabench's editor; --as-is writes the zip for another pullbench.",
        )


@_rule("compute_worker/compute_worker.py:655-668")
def _single_files(bundle: Bundle) -> Iterator[Finding]:
    """Find files that the worker would unzip; folders are zipped for it, files are not."""
    users: dict[str, list[tuple[Key, dict[str, Any], str]]] = {}
    for section, parts in (("tasks", TASK_PARTS), ("solutions", ("path",))):
        for at, entry in bundle.entries(section):
            for part in parts:
                path = plain_path(str(entry.get(part) or ""))
                if path in bundle.files and not zipfile.is_zipfile(
                    io.BytesIO(bundle.files[path][0])
                ):
                    users.setdefault(path, []).append(((*at, part), entry, part))
    for path, places in users.items():
        message = f"'{path}' is a file and no zip"
        yield Finding(places[0][0], message, mend=_zip(bundle, path, places))


def _zip(
    bundle: Bundle, path: str, places: list[tuple[Key, dict[str, Any], str]]
) -> Callable[[], str]:
    def mend() -> str:
        name = f"{path}.zip"
        while name in bundle.files:
            name = f"{name.removesuffix('.zip')}-1.zip"
        bundle.files[name] = (zip_bytes({path.rpartition("/")[2]: bundle.files.pop(path)}), False)
        for _, entry, part in places:
            entry[part] = name
        return f"it is zipped as '{name}'"

    return mend


@_rule(f"{_UNPACKERS}/v2.py:125-146; {_UNPACKERS}/base_unpacker.py:298-305")
def _solutions(bundle: Bundle) -> Iterator[Finding]:
    for at, solution in bundle.entries("solutions"):
        if "tasks" not in solution:
            tasks = sorted(
                {
                    task
                    for _, phase in bundle.phases
                    if solution["index"] in phase.get("solutions", ())
                    for task in phase["tasks"]
                }
                or {task["index"] for _, task in bundle.entries("tasks")}
            )
            words = f"tasks {tasks} are written"
            yield replace(to_replace((), solution, "tasks", "names no tasks", tasks, words), at=at)
        if "path" not in solution:
            name = solution.get("name") or solution["index"]

            def mend(solution: dict[str, Any] = solution) -> str:
                bundle.data["solutions"].remove(solution)
                return "it is left out"

            yield Finding(at, f"'{name}' has no files in the bundle", mend=mend)


@_rule(f"{_UNPACKERS}/utils.py:30-38")
def _dates(bundle: Bundle) -> Iterator[Finding]:
    for at, phase in bundle.phases:
        for key in ("start", "end"):
            written = phase.get(key)
            if not written:
                continue
            meant = to_datetime(written)
            there = codabench_moment(written)
            if there != meant:
                elsewhere = f"{there:%Y-%m-%d %H:%M}" if there else "any day"
                message = f"is {moment_text(meant)} here and {elsewhere} there"
                yield to_replace(at, phase, key, message, _date_text(meant))


def codabench_moment(written: object) -> dt.datetime | None:
    """Read a date as Codabench does, without time or zone; None if it depends on the day."""
    if isinstance(written, dt.date):
        return dt.datetime(written.year, written.month, written.day, tzinfo=UTC)
    days = (dt.datetime(2000, 1, 1), dt.datetime(2001, 2, 2))
    one, other = (dateparser.parse(str(written), default=day) for day in days)
    return one.replace(tzinfo=UTC) if one == other else None


def _date_text(moment: dt.datetime) -> str:
    return moment.replace(tzinfo=None).isoformat(" ")


@_rule(f"{_UNPACKERS}/base_unpacker.py:115-135")
def _phases_that_touch(bundle: Bundle) -> Iterator[Finding]:
    phases = bundle.phases
    for (at, phase), (_, following) in pairwise(phases):
        end = to_datetime(phase["end"])
        if end == to_datetime(following["start"]):
            text = _date_text(end - dt.timedelta(seconds=1))
            message = f"is the moment that '{following['name']}' starts"
            words = f"a second less, '{text}', is written"
            yield to_replace(at, phase, "end", message, text, words)


@_rule(f"{_UNPACKERS}/v2.py:209-211; competitions/models.py:297")
def _time_limit(bundle: Bundle) -> Iterator[Finding]:
    """Find limits of 0: none here, and there as if nothing were written, 600 seconds."""
    for at, phase in bundle.phases:
        if phase.get("execution_time_limit") == 0:
            message, words = "is 0, which is 600 seconds there", f"a week, {_WEEK}, is written"
            yield to_replace(at, phase, "execution_time_limit", message, _WEEK, words)


@_rule("competitions/models.py:297, 305-306")
def _integers(bundle: Bundle) -> Iterator[Finding]:
    """Find integers that do not fit into the database's."""
    for at, phase in bundle.phases:
        for key in ("execution_time_limit", "max_submissions", "max_submissions_per_day"):
            if (phase.get(key) or 0) > _LARGEST:
                yield to_replace(at, phase, key, f"is more than {_LARGEST}", _LARGEST)


@_rule("leaderboards/models.py:24, 62")
def _negative_indexes(bundle: Bundle) -> Iterator[Finding]:
    for at, column in _entries_of(bundle, "columns"):
        if column["index"] < 0:
            yield Finding((*at, "index"), "is negative", "Count columns from 0 or 1.")


@_rule("api/serializers/leaderboards.py:31-34")
def _computation(bundle: Bundle) -> Iterator[Finding]:
    for at, column in _entries_of(bundle, "columns"):
        if "computation" in column and "computation_indexes" not in column:
            message = "needs 'computation_indexes'"
            yield to_leave_out(at, column, "computation", message)
