"""What Codabench refuses: each rule with the place of its code, and how a bundle is mended.

Places are in github.com/codalab/codabench at c7dbc75 (13 March 2026, version 1.25): the compute
worker's from the root, all others from ``src/apps/``.
"""

import datetime as dt
import io
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from dateutil import parser as dateparser

from evaluator.core.errors import UsageError
from evaluator.core.formats.quantities import UTC, to_datetime
from evaluator.core.formats.schema import Key
from evaluator.core.importers.files import zip_bytes
from evaluator.plugins.codalab.codabench_logo import logo_fault, logo_png

TASK_PARTS = ("scoring_program", "ingestion_program", "input_data", "reference_data")
_UNPACKERS = "competitions/unpackers"
_WEEK = 7 * 24 * 3600
_LARGEST = 2**31 - 1


@dataclass(kw_only=True)
class Bundle:
    """A bundle on its way to Codabench; mending changes it."""

    data: dict[str, Any]
    """competition.yaml."""
    files: dict[str, tuple[bytes, bool]]

    def entries(self, section: str) -> Iterator[tuple[Key, dict[str, Any]]]:
        for position, entry in enumerate(self.data.get(section) or ()):
            yield (section, position), entry

    @property
    def phases(self) -> list[tuple[Key, dict[str, Any]]]:
        """The phases in their order, as v2.py:186 sorts them."""
        return sorted(self.entries("phases"), key=lambda item: item[1].get("index", 0))

    def holds(self, path: str) -> bool:
        """Whether a file or a folder is in the zip."""
        path = plain_path(path)
        return path in self.files or any(name.startswith(f"{path}/") for name in self.files)


def plain_path(written: str) -> str:
    """Return a path of the bundle without the ways of writing it."""
    return written.removeprefix("./").rstrip("/")


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that Codabench would refuse."""

    at: Key
    message: str
    mend: Callable[[], str] | None = None
    """Makes it right, and says what it did; None where only a person can."""
    hint: str = ""


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


def _put(entry: dict[str, Any], key: str, value: object, words: str) -> Callable[[], str]:
    def mend() -> str:
        entry[key] = value
        return words

    return mend


def _leave_out(entry: dict[str, Any], key: str) -> Callable[[], str]:
    def mend() -> str:
        del entry[key]
        return "it is left out"

    return mend


@_rule("competitions/tasks.py:382-392")
def _version(bundle: Bundle) -> Iterator[Finding]:
    written = bundle.data.get("version")
    if str(written) != "2":
        yield Finding(
            at=("version",), message=f"is {written}, of which Codabench knows no unpacker",
            mend=_put(bundle.data, "version", 2, "2 is written"),
        )  # fmt: skip


@_rule(f"{_UNPACKERS}/v2.py:85, 96-98, 138, 218-227")
def _null(bundle: Bundle) -> Iterator[Finding]:
    """Find keys without a value: one that is there is used, whatever it holds."""
    wanted = {
        "tasks": ("key", *TASK_PARTS),
        "solutions": ("key", "path"),
        "phases": ("starting_kit", "public_data"),
    }
    for section, names in wanted.items():
        for at, entry in bundle.entries(section):
            for name in names:
                if name in entry and entry[name] is None:
                    yield Finding(
                        at=(*at, name), message="is empty, and Codabench uses it for a name",
                        mend=_leave_out(entry, name),
                    )  # fmt: skip


@_rule("tasks/models.py:9")
def _task_without_name(bundle: Bundle) -> Iterator[Finding]:
    for at, task in bundle.entries("tasks"):
        if not str(task.get("name") or "").strip():
            name = f"Task {task['index']}"
            yield Finding(
                at=(*at, "name"), message="is missing",
                mend=_put(task, "name", name, f"'{name}' is written"),
            )  # fmt: skip


_LENGTHS: tuple[tuple[str, str, int, str, bool], ...] = (
    ("", "title", 256, "competitions/models.py:36", True),
    ("", "docker_image", 128, "competitions/models.py:49", False),
    ("", "reward", 256, "competitions/models.py:68", True),
    ("phases", "name", 256, "competitions/models.py:295", True),
    ("pages", "title", 255, "competitions/models.py:759", True),
    ("tasks", "name", 256, "tasks/models.py:9", True),
    ("solutions", "name", 256, "tasks/models.py:34", True),
    ("leaderboards", "title", 64, "leaderboards/models.py:25", True),
    ("leaderboards", "key", 36, "leaderboards/models.py:26", True),
    ("columns", "title", 36, "leaderboards/models.py:59", True),
    ("columns", "key", 36, "leaderboards/models.py:60", False),
)
"""Section, key, characters, place, and whether a shorter one means the same."""


def _lengths(section: str, key: str, limit: int, can_be_cut: bool) -> Any:
    def check(bundle: Bundle) -> Iterator[Finding]:
        for at, entry in _of(bundle, section):
            text = str(entry.get(key) or "")
            if len(text) > limit:
                short = text[:limit].rstrip()
                yield Finding(
                    at=(*at, key), message=f"has {len(text)} characters, {limit} is the limit",
                    mend=_put(entry, key, short, f"'{short}' is written") if can_be_cut else None,
                    hint="Give it a shorter one; the scoring program writes it."
                    if section == "columns" else "Give a shorter one with --image.",
                )  # fmt: skip

    return check


def _of(bundle: Bundle, section: str) -> Iterator[tuple[Key, dict[str, Any]]]:
    if not section:
        yield (), bundle.data
    elif section == "columns":
        for at, board in bundle.entries("leaderboards"):
            for position, column in enumerate(board.get("columns") or ()):
                yield (*at, "columns", position), column
    else:
        yield from bundle.entries(section)


for _section, _key, _limit, _place, _can_be_cut in _LENGTHS:
    _rule(_place)(_lengths(_section, _key, _limit, _can_be_cut))


@_rule("competitions/models.py:67")
def _contact(bundle: Bundle) -> Iterator[Finding]:
    written = bundle.data.get("contact_email")
    if written and not re.fullmatch(r"[^@\s<>]+@[^@\s<>]+\.[A-Za-z0-9-]{2,63}", str(written)):
        yield Finding(
            at=("contact_email",), message=f"'{written}' is no e-mail address",
            mend=_leave_out(bundle.data, "contact_email"),
        )  # fmt: skip


@_rule("api/serializers/competitions.py:293-303")
def _fact_sheet(bundle: Bundle) -> Iterator[Finding]:
    defaults = {"selection": "", "is_required": "false", "is_on_leaderboard": "false"}
    for key, question in (bundle.data.get("fact_sheet") or {}).items():
        for name, value in defaults.items():
            if name not in question:
                yield Finding(
                    at=("fact_sheet", key), message=f"has no '{name}', and all six keys are needed",
                    mend=_put(question, name, value, f"'{value}' is written"),
                )  # fmt: skip


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
        yield Finding(
            at=("image",), message=f"'{path}' {fault}, and {error.message}",
            hint=error.hint or "Give a logo as PNG.",
        )  # fmt: skip
    else:
        yield Finding(at=("image",), message=f"'{path}' {fault}", mend=mend)


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
        if not content:
            yield Finding(
                at=at, message=f"'{path}' is empty",
                mend=_write(bundle, path, instead, "a heading is written"),
            )  # fmt: skip
            continue
        try:
            text = content.decode()
        except UnicodeDecodeError:
            text = content.decode("cp1252", "replace").replace("\0", "")
            yield Finding(
                at=at, message=f"'{path}' is not UTF-8",
                mend=_write(bundle, path, text, "it is read as Windows-1252"),
            )  # fmt: skip
        else:
            if "\0" in text:  # rest_framework's ProhibitNullCharactersValidator
                yield Finding(
                    at=at, message=f"'{path}' holds null characters",
                    mend=_write(bundle, path, text.replace("\0", ""), "they are left out"),
                )  # fmt: skip


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
            at=("docker_image",), message=f"'{name}' is on this machine, and no worker can pull it",
            hint="Push the image to a registry, and give its name there with --image NAME.",
        )  # fmt: skip


@_rule(f"{_UNPACKERS}/base_unpacker.py:39-55")
def _data_elsewhere(bundle: Bundle) -> Iterator[Finding]:
    """Find data that neither lie in the zip nor can be on the server already."""
    private = (bundle.data.get("pullbench") or {}).get("private") or []
    tasks = {task["index"]: str(task.get("name") or "") for _, task in bundle.entries("tasks")}
    for part in ("input_data", "reference_data"):
        of_part = [entry for entry in private if entry["file"] == part]
        if not of_part:
            continue
        names = [f"'{tasks.get(entry['task'], '')}'" for entry in of_part]
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        where = {
            "is a runner's" if entry.get("path") else "is at a URL" if entry.get("url")
            else "is encrypted, which Codabench cannot open"
            for entry in of_part
        }  # fmt: skip
        yield Finding(
            at=("pullbench", "private"),
            message=f"the {part} of {', '.join(names[:3])}{more} {' or '.join(sorted(where))} and "
            "not in the zip",
            hint="Put the data into the bundle where they may be there, or choose them for the "
            "tasks in Codabench's editor; --as-is writes the zip for another pullbench.",
        )  # fmt: skip


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
        yield Finding(
            at=places[0][0], message=f"'{path}' is a file and no zip",
            mend=_zip(bundle, path, places),
        )  # fmt: skip


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
            yield Finding(
                at=at, message="names no tasks",
                mend=_put(solution, "tasks", tasks, f"tasks {tasks} are written"),
            )  # fmt: skip
        if "path" not in solution:
            name = solution.get("name") or solution["index"]

            def mend(solution: dict[str, Any] = solution) -> str:
                bundle.data["solutions"].remove(solution)
                return "it is left out"

            yield Finding(at=at, message=f"'{name}' has no files in the bundle", mend=mend)


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
                text = _date_text(meant)
                yield Finding(
                    at=(*at, key),
                    message=f"is {meant:%Y-%m-%d %H:%M} UTC here and "
                    f"{f'{there:%Y-%m-%d %H:%M}' if there else 'any day'} there",
                    mend=_put(phase, key, text, f"'{text}' is written"),
                )  # fmt: skip


def codabench_moment(written: object) -> dt.datetime | None:
    """Return what Codabench reads of a date; None where that depends on the day it reads it.

    A timestamp without quotes loses its time, since ``datetime`` is a kind of ``date``; a zone is
    overwritten with UTC.
    """
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
            yield Finding(
                at=(*at, "end"),
                message=f"is the moment that '{following['name']}' starts",
                mend=_put(phase, "end", text, f"a second less, '{text}', is written"),
            )  # fmt: skip


@_rule(f"{_UNPACKERS}/v2.py:209-211; competitions/models.py:297")
def _time_limit(bundle: Bundle) -> Iterator[Finding]:
    """Find limits of 0: none here, and there as if nothing were written, 600 seconds."""
    for at, phase in bundle.phases:
        if phase.get("execution_time_limit") == 0:
            yield Finding(
                at=(*at, "execution_time_limit"), message="is 0, which is 600 seconds there",
                mend=_put(phase, "execution_time_limit", _WEEK, f"a week, {_WEEK}, is written"),
            )  # fmt: skip


@_rule("competitions/models.py:297, 305-306")
def _integers(bundle: Bundle) -> Iterator[Finding]:
    """Find integers that do not fit into the database's."""
    for at, phase in bundle.phases:
        for key in ("execution_time_limit", "max_submissions", "max_submissions_per_day"):
            if (phase.get(key) or 0) > _LARGEST:
                yield Finding(
                    at=(*at, key), message=f"is more than {_LARGEST}",
                    mend=_put(phase, key, _LARGEST, f"{_LARGEST} is written"),
                )  # fmt: skip


@_rule("leaderboards/models.py:24, 62")
def _negative_indexes(bundle: Bundle) -> Iterator[Finding]:
    for at, column in _of(bundle, "columns"):
        if column["index"] < 0:
            yield Finding(
                at=(*at, "index"), message="is negative", hint="Count columns from 0 or 1."
            )


@_rule("api/serializers/leaderboards.py:31-34")
def _computation(bundle: Bundle) -> Iterator[Finding]:
    for at, column in _of(bundle, "columns"):
        if "computation" in column and "computation_indexes" not in column:
            yield Finding(
                at=(*at, "computation"), message="stands without 'computation_indexes'",
                mend=_leave_out(column, "computation"),
            )  # fmt: skip
