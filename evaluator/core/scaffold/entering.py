"""A new submission in the working tree: a copy of the starting kit, or a form to fill in."""

import datetime as dt
from dataclasses import dataclass
from pathlib import Path

from evaluator.core.errors import UsageError, nearest
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.kinds.kind import usual_kind
from evaluator.core.formats.names import NAME, PARTICIPANTS, is_reserved
from evaluator.core.formats.paths import shown
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.quantities import slug
from evaluator.core.formats.submission import FILE_NAME
from evaluator.core.git.commands import Repo
from evaluator.core.git.tree import Tree, open_repository, read_tree
from evaluator.core.planning.snapshot import take_snapshot
from evaluator.core.scaffold.scaffold import write_new
from evaluator.core.scaffold.submission_text import submission_text


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


def enter(
    start: Path, benchmark: str, login: str, name: str, kit: str, now: dt.datetime
) -> Entered:
    """Write a submission to begin with; ``kit`` is a sample of the starting kit, or empty.

    Raises UsageError where it is there already.
    """
    repo = open_repository(start)
    participant, name = entry_names(repo, login, name or "first", option="--as LOGIN/NAME")
    snapshot = take_snapshot(read_tree(repo), only=benchmark)
    bundle = snapshot.benchmark(benchmark)
    is_open = [phase for phase in bundle.phases if phase.is_open(now)]
    phase = (is_open or bundle.phases)[-1]
    kind = usual_kind(bundle, phase)
    samples = _samples(snapshot.tree, bundle, kind.name)
    if kit and kit not in samples:
        hint = nearest(kit, samples, f"There are: {', '.join(samples) or 'none'}.")
        raise UsageError(f"the starting kit has no sample '{shown(kit)}'", hint=hint)
    source, files = "", {FILE_NAME: (submission_text(bundle, phase, kind).encode(), False)}
    if samples:
        kit = kit or next(iter(samples))
        source, paths = samples[kit]
        entries, contents = snapshot.tree.entries, snapshot.tree.read(paths)
        files = {
            path.removeprefix(f"{source}/"): (contents[path], entries[path].mode == "100755")
            for path in contents
        }
    folder = f"submissions/{benchmark}/{participant}/{name}"
    write_new(snapshot.tree.root, folder, files)
    return Entered(
        path=folder, source=source, others=tuple(other for other in samples if other != kit),
        missing=() if source else tuple(kind.expected_files(bundle, phase)), phase=phase,
        is_open=bool(is_open),
    )  # fmt: skip


def entry_names(repo: Repo, login: str, name: str, *, option: str) -> tuple[str, str]:
    """Return a participant, by default who makes commits here, and a name. Raises UsageError."""
    login = login or slug(str(repo.config_reader().get_value("user", "name", "")))
    for part in (login, name):
        if not NAME.fullmatch(part):
            raise UsageError(
                f"'{shown(part)}' cannot be part of an address",
                hint=f"Name yourself and the submission with {option}.",
            )
    if is_reserved(login, PARTICIPANTS):
        raise UsageError(
            f"the participant's name '{login}' is that of a file of the site",
            hint=f"Name yourself with {option}.",
        )
    return login, name


def _samples(tree: Tree, benchmark: Benchmark, kind: str) -> dict[str, tuple[str, list[str]]]:
    """Return the folders of starting kits that have a submission.yaml, by name, and their files.

    The first is the one to begin with: of the usual kind, and called a sample.
    """
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
