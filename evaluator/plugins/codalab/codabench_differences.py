"""What Codabench takes and does otherwise: keys without a counterpart there, and their effect."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from evaluator.core.errors import some_of
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.names import FOLDER
from evaluator.core.formats.schema import Key
from evaluator.plugins.codalab.codabench_findings import Bundle, Finding, plain_path
from evaluator.plugins.codalab.references import is_key

_DEFAULT_QUEUE_SECONDS = 600
"""competitions/tasks.py:117, 126: more is only had on a queue of one's own."""

KEYS: Mapping[str, str] = {
    "limits": "sets no limits on memory, cores, processes and output",
    "network": "leaves the network to each worker, where it is on by default",
    "scoring_network": "leaves the network to each worker, where it is on by default",
    "ingestion_may_fail": "scores whatever the prediction step leaves, with or without this key",
    "repeats": "evaluates a submission once on each task",
    "repeat_data": "knows no folds: each task sees the whole folder, not that of one repeat",
    "exclusive": "runs other submissions beside one",
    "gpus": "leaves GPUs to the worker that takes a submission",
    "queue": "does not know this queue; its own are named by the key 'queue'",
    "reported": "shows no results from elsewhere",
    "baseline": "compares with no baseline",
    "predictions": "does not check the rows of predictions before they are scored",
    "analysis": "has no analysis over tasks",
    "fingerprint": "does not compare predictions",
    "extra": "shows columns alone; other numbers are dropped",
    "citation": "has no place for a citation; write it on a page",
    "files": "runs an entry before it knows that files are missing",
    "datasets": "takes no data sets as submissions that are evaluated here in a way of their own",
    "stages": "knows no stages: a submission is evaluated as a whole, and its parts are not",
    "aggregate": "has no rule over several tasks",
    "ranking": "ranks by unrounded values, with its own rule for equal and absent ones",
    "quota_by": "counts quotas by account alone",
    "approval": "ranks without approval: approvals.yaml has no effect",
    "dates": "shows dates on every board, whatever is asked for",
    "columns.group": "has no groups of columns",
    "columns.ranks": "has no columns made from ranks: n/a there",
    "columns.perfect": "has no best possible value",
    "columns.optional": "shows n/a for every column that is not written",
    "columns.breaks_ties": "breaks ties by every visible column, in their order",
    "columns.claim": "does not compare scores with what participants state",
    "columns.mean": "shows the values of single tasks alone",
    "columns.goal": "has no values that are worth reaching",
    "phases.shows": "shows results: a phase with `shows: status` does not hide them there",
    "phases.budget": "has no budget for predictions: execution_time_limit is the only limit",
    "phases.columns": "has one list of columns for all phases: n/a where one is not written",
    "phases.primary": "ranks all phases by one column, that of the board",
    "phases.submission_rule": "lists by one rule in all phases, that of the board",
    "phases.feedback_digits": "shows all digits of a score",
    "phases.ladder": "shows each score",
    "phases.max_submissions_per_week": "has no limit per week",
    "tasks.repeats": "evaluates a submission once on each task",
    "tasks.repeat_data": "knows no folds: each task sees the whole folder, not that of one repeat",
    "tasks.memory": "sets no limits on memory",
    "tasks.cpus": "sets no limits on cores",
    "tasks.seconds": "has one time limit for all tasks of a phase",
    "tasks.weight": "has no weights of tasks",
    "tasks.perfect": "has no best possible value",
    "tasks.metrics": "does not say by which metric a task is measured",
    "questions.type": "takes any text as an answer",
}
"""Key below ``pullbench:`` -> what Codabench does; it has no counterpart for any of them."""
_PICTURE = re.compile(
    r"!\[[^\]\n]{0,1000}\]\(\s{0,9}<?(?!https?:|data:)([^\s)<>]{1,1000})"
    r"|<img\b[^>]{0,1000}?\bsrc\s{0,9}=\s{0,9}[\"']?(?!https?:|data:|//)([^\"'\s>]{1,1000})",
    re.IGNORECASE,
)
"""Of the bundle, in Markdown and HTML."""
_BY_NAME = frozenset({"columns", "phases", "tasks", "questions"})
_ELSEWHERE = frozenset({"private"})
"""Keys that a rule refuses."""


def differences(benchmark: Benchmark, bundle: Bundle) -> Iterator[Finding]:
    yield from _keys(benchmark, bundle.data.get("pullbench") or {})
    for at, phase in bundle.phases:
        name = phase["name"]
        if len(phase["tasks"]) > 1:
            yield Finding(
                (*at, "tasks"),
                "Codabench has no value over several tasks: "
                f"'{name}' is ordered by each row's best task there",
            )
        if (phase.get("execution_time_limit") or 0) > _DEFAULT_QUEUE_SECONDS:
            yield Finding(
                (*at, "execution_time_limit"),
                f"Codabench's default queue stops '{name}' after "
                f"{_DEFAULT_QUEUE_SECONDS} seconds; a queue of your own does not",
            )
        if phase.get("accepts_only_result_submissions"):
            yield Finding(
                (*at, "accepts_only_result_submissions"),
                f"Codabench does not read this: '{name}' takes code, too",
            )
    for task in benchmark.tasks:
        if task.parallel and task.ingestion_program is None:
            yield Finding(
                ("tasks",),
                f"Codabench runs the submission before the scoring program of '{task.name}'"
                ", not beside it, for there is no ingestion program",
            )
    if benchmark.environments:
        yield Finding(
            ("docker_image",),
            "Codabench runs all code in this image: it knows no environments, as in "
            f"{some_of([f'{FOLDER}/{name}' for name in benchmark.environments], 3)}",
        )
    queue = bundle.data.get("queue")
    if queue:
        yield Finding(
            ("queue",),
            "Codabench refuses the bundle where it has no queue with that vhost"
            + ("" if is_key(queue) else f", and '{queue}' has not the form of one"),
        )
    yield from _executables(bundle)
    yield from _pictures(bundle)


def _keys(benchmark: Benchmark, extension: Mapping[str, Any]) -> Iterator[Finding]:
    for key, value in extension.items():
        if key in _ELSEWHERE:
            continue
        if key not in _BY_NAME:
            yield _without_counterpart((key,), key)
            continue
        by_part: dict[str, list[str]] = {}
        for name, entry in (value or {}).items():
            for part in entry or {}:
                entries: Any = {"phases": benchmark.phases, "tasks": benchmark.tasks}.get(key, ())
                titles = (str(one.name) for one in entries if one.index == name)
                by_part.setdefault(part, []).append(next(titles, str(name)))
        for part, names in by_part.items():
            yield _without_counterpart((key, "*", part), f"{key}.{part}", names)


def _without_counterpart(at: Key, key: str, names: Iterable[str] = ()) -> Finding:
    named = [f"'{name}'" for name in names]
    of = f" ({some_of(named, 5)})" if named else ""
    words = KEYS.get(key, "has no counterpart of this key")
    return Finding(("pullbench", *at), f"Codabench {words}{of}")


def _executables(bundle: Bundle) -> Iterator[Finding]:
    """Codabench unpacks with ``ZipFile.extractall``, which forgets who may run a file."""
    for at, task in bundle.entries("tasks"):
        for part in ("scoring_program", "ingestion_program"):
            folder = plain_path(str(task.get(part) or ""))
            for name in ("metadata.yaml", "metadata"):
                content = bundle.files.get(f"{folder}/{name}", (b"", False))[0]
                first = content.partition(b"command:")[2].strip().split(b" ")[0].decode("latin-1")
                program = first.removeprefix("$program/").removeprefix("./")
                if bundle.files.get(f"{folder}/{program}", (b"", False))[1]:
                    yield Finding(
                        (*at, part),
                        f"Codabench forgets that '{program}' may be executed",
                        f"Let the command begin with its interpreter: `sh $program/{program}`."
                    )  # fmt: skip


def _pictures(bundle: Bundle) -> Iterator[Finding]:
    """Codabench stores the text of a page, and serves no files with it."""
    for at, page in bundle.entries("pages"):
        path = plain_path(str(page.get("file") or ""))
        text = bundle.files.get(path, (b"", False))[0].decode("utf-8", "replace")
        names = list(dict.fromkeys(match[1] or match[2] for match in _PICTURE.finditer(text)))
        if names:
            yield Finding(
                (*at, "file"),
                f"Codabench shows no pictures of the bundle: {some_of(names, 3)}",
                "Name them by their address, if they are public.",
            )
