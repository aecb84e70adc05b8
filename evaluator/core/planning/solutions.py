"""Solutions that bundles ship: the submissions that have their files, and entering the others."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace

from evaluator.core.errors import printable
from evaluator.core.formats.bundle import Benchmark, Solution
from evaluator.core.formats.cell import SCORES
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.quantities import slug
from evaluator.core.formats.schema import dump_yaml
from evaluator.core.formats.submission import FILE_NAME, Submission
from evaluator.core.git.tree import Tree


def mark_solutions(
    tree: Tree, benchmarks: Mapping[str, Benchmark], submissions: Sequence[Submission]
) -> list[Submission]:
    """Return the submissions; those with the files of a solution, whoever's, say of which."""
    solutions = {name: _contents(tree, item) for name, item in benchmarks.items()}
    return [
        replace(item, solution=solution)
        if (contents := solutions[item.benchmark]) and (solution := _same(tree, item, contents))
        else item
        for item in submissions
    ]


def _contents(tree: Tree, benchmark: Benchmark) -> dict[str, dict[str, str]]:
    """Solution -> path -> git's id of its content, of those that have files."""
    contents = {item.path: _blobs(tree, f"{benchmark.path}/{item.path}")
                for item in benchmark.solutions if item.path}  # fmt: skip
    return {path: blobs for path, blobs in contents.items() if blobs}


def _same(tree: Tree, submission: Submission, contents: Mapping[str, Mapping[str, str]]) -> str:
    folder = tree.entries.folders.get(submission.path)
    for path, blobs in contents.items():
        if folder is not None and folder.may_hold(next(iter(blobs.values()))):
            own = _blobs(tree, submission.path)
            if own == blobs:
                return path
    return ""


def _blobs(tree: Tree, place: str) -> dict[str, str]:
    """Contents below a folder, or of a file, without what an entry has of its own."""
    if place in tree.entries:
        return {place.rpartition("/")[2]: tree.entries[place].blob}
    below = {path[len(place) + 1 :]: tree.entries[path].blob for path in tree.under(place)}
    return {
        path: blob for path, blob in below.items()
        if path != FILE_NAME and path.partition("/")[0] != SCORES
    }  # fmt: skip


def solution_entries(
    tree: Tree,
    benchmark: Benchmark,
    submissions: Sequence[Submission],
    participant: str,
    now: dt.datetime,
) -> dict[str, dict[str, bytes]]:
    """Return the folders of solutions that nobody has entered yet, each with its files."""
    entered = {item.solution for item in submissions if item.benchmark == benchmark.name}
    folders: dict[str, dict[str, bytes]] = {}
    for place, solution in enumerate(benchmark.solutions):
        source = f"{benchmark.path}/{solution.path}"
        blobs = _blobs(tree, source) if solution.path and solution.path not in entered else {}
        if not blobs:
            continue
        paths = {name: source if source in tree.entries else f"{source}/{name}" for name in blobs}
        contents = tree.read([*paths.values(), f"{source}/{FILE_NAME}"])
        card = contents.get(f"{source}/{FILE_NAME}") or _card(benchmark, solution, now)
        name = slug(solution.name) or f"solution-{place}"
        folders[f"submissions/{benchmark.name}/{participant}/{name}"] = {
            FILE_NAME: card, **{name: contents[path] for name, path in paths.items()}
        }  # fmt: skip
    return folders


def _card(benchmark: Benchmark, solution: Solution, now: dt.datetime) -> bytes:
    phases = [
        phase for phase in benchmark.phases
        if any(task.index in solution.tasks for task in phase.tasks)
    ] or benchmark.phases  # fmt: skip
    phase: Phase = next((phase for phase in phases if phase.is_open(now)), phases[0])
    data = {
        "name": printable(solution.name)[:100],
        "phase": phase.slug,
        "description": printable(solution.description)[:5000],
        "fact_sheet": required_answers(benchmark),
    }
    return dump_yaml({key: value for key, value in data.items() if value})


def required_answers(benchmark: Benchmark) -> dict[str, str | bool]:
    """Return answers to the questions that must be answered, for who has none to give."""
    answers: dict[str, str | bool] = {}
    for key, question in benchmark.fact_sheet.items():
        if question.is_required and question.type == "checkbox":
            answers[key] = True
        elif question.is_required:
            answers[key] = (*question.choices, "sample")[0]
    return answers
