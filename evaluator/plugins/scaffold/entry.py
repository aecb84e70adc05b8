"""New submissions: of the starting kit, a form to fill in, or a solution that a bundle ships."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.ci.steps.submit import entry_names
from evaluator.core.errors import UsageError, nearest, printable
from evaluator.core.formats.bundle import Benchmark, Solution
from evaluator.core.formats.kinds.kind import usual_kind
from evaluator.core.formats.paths import shown
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.quantities import slug
from evaluator.core.formats.schema import dump_yaml
from evaluator.core.formats.submission import FILE_NAME, Submission
from evaluator.core.git.tree import Tree, open_repository, read_tree
from evaluator.core.planning.deadlines import with_more_time
from evaluator.core.planning.rules import entry_rules
from evaluator.core.planning.snapshot import read_snapshot
from evaluator.core.planning.submissions import content_blobs
from evaluator.importing.files import required_answers, write_new
from evaluator.site.pages.submission_text import submission_text, terms_lines


@dataclass(frozen=True, kw_only=True)
class Entered:
    """What is there to begin with."""

    path: str
    """Of the submission."""
    source: str
    """What was copied; empty where only submission.yaml was written."""
    others: tuple[str, ...]
    """Names of other samples of the starting kit."""
    missing: tuple[str, ...]
    """What must stand beside submission.yaml, in words, where there was nothing to copy."""
    phase: Phase
    is_open: bool
    asks: bool
    """Whether the organiser has questions, which a starting kit answers for itself."""
    rules: tuple[str, ...]
    """What to know before one enters, in sentences."""


def begin_entry(
    start: Path, benchmark: str, login: str, name: str, kit: str, now: dt.datetime
) -> Entered:
    """Write a submission from a sample of the kit, ``kit``, or without. Raises UsageError."""
    repo = open_repository(start)
    participant, name = entry_names(repo, login, name or "first", option="--as LOGIN/NAME")
    snapshot = read_snapshot(read_tree(repo), only=benchmark)
    bundle = snapshot.benchmark(benchmark)
    is_open = [
        phase for phase in bundle.phases
        if with_more_time(bundle, phase, participant).is_open(now)
    ]  # fmt: skip
    phase = (is_open or bundle.phases)[-1]
    kind = usual_kind(bundle, phase)
    samples = _samples(snapshot.tree, bundle, kind.name)
    if kit and kit not in samples:
        hint = nearest(kit, samples, f"There are: {', '.join(samples) or 'none'}.")
        raise UsageError(f"the starting kit has no sample '{shown(kit)}'", hint=hint)
    place = f"{bundle.path}/{bundle.terms}"
    terms = snapshot.tree.read([place]).get(place, b"")
    source, files = "", {FILE_NAME: (submission_text(bundle, phase, kind, terms).encode(), False)}
    if samples:
        kit = kit or next(iter(samples))
        source, paths = samples[kit]
        entries, contents = snapshot.tree.entries, snapshot.tree.read(paths)
        files = {
            path.removeprefix(f"{source}/"): (contents[path], entries[path].mode == "100755")
            for path in contents
        }
        text, mode = files[FILE_NAME]
        for line in terms_lines(bundle, terms) if b"terms_accepted" not in text else ():
            files[FILE_NAME] = text.rstrip(b"\n") + f"\n{line}\n".encode(), mode
    folder = f"submissions/{benchmark}/{participant}/{name}"
    write_new(snapshot.tree.root, folder, files)
    return Entered(
        path=folder, source=source, others=tuple(other for other in samples if other != kit),
        missing=() if source else tuple(kind.expected_files(bundle, phase)), phase=phase,
        asks=bool(kind.sheet(bundle).questions),
        is_open=bool(is_open), rules=tuple(entry_rules(bundle, [phase])),
    )  # fmt: skip


def _samples(tree: Tree, benchmark: Benchmark, kind: str) -> dict[str, tuple[str, list[str]]]:
    """Samples of starting kits and their files; the one to begin with is first."""
    kits = {f"{benchmark.path}/{phase.starting_kit}/" for phase in benchmark.phases
            if phase.starting_kit}  # fmt: skip
    forms = [path for path in tree.under(benchmark.path)
             if path.startswith(tuple(kits)) and path.endswith(f"/{FILE_NAME}")]  # fmt: skip
    contents = tree.read(forms)
    samples: dict[str, tuple[str, list[str]]] = {}
    for form in sorted(
        forms,
        key=lambda form: (f"kind: {kind}".encode() not in contents[form], "/sample" not in form),
    ):
        folder = form.rpartition("/")[0]
        # What a kit says of itself is no part of a submission.
        files = [path for path in tree.under(folder) if path != f"{folder}/README.md"]
        samples.setdefault(folder.rpartition("/")[2], (folder, files))
    return samples


def solution_entries(
    tree: Tree,
    benchmark: Benchmark,
    submissions: Sequence[Submission],
    participant: str,
    now: dt.datetime,
) -> dict[str, dict[str, bytes]]:
    entered = {item.solution for item in submissions if item.benchmark == benchmark.name}
    folders: dict[str, dict[str, bytes]] = {}
    for place, solution in enumerate(benchmark.solutions):
        source = f"{benchmark.path}/{solution.path}"
        blobs = (
            content_blobs(tree, source) if solution.path and solution.path not in entered else {}
        )
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
