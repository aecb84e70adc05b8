"""A bundle's screen: a program that reads an entry as data before its approval.

It runs in a job without rights, so its verdict comes back as a file, which ``pr approve`` checks
and notes. A screen that crashes asks an organiser: it never lets an entry pass.
"""

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AwareDatetime, Field, ValidationError, model_validator

from evaluator.ci.ledger.arrivals import head_path
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import Note, note_json, shard
from evaluator.ci.opened.pull_request import PullRequest
from evaluator.ci.policy.keys import policy_of
from evaluator.ci.policy.reviews import Opinion, Review
from evaluator.core.compute import mounts
from evaluator.core.compute.engine.output import (
    Room,
    UnsafeOutputError,
    copy_top_files,
    read_regular,
)
from evaluator.core.compute.engine.spec import Engine, Image, Mount, RunSpec
from evaluator.core.compute.engines import engine_kind
from evaluator.core.compute.run_folder import RunFolder, scratch_folder
from evaluator.core.compute.steps import CellFailedError, as_cell_failures
from evaluator.core.errors import Actor, UsageError, printable
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import SCORES, digest
from evaluator.core.formats.content_cache import set_readable
from evaluator.core.formats.extension import Limits
from evaluator.core.formats.json_reader import read_json
from evaluator.core.formats.phases import clean_path
from evaluator.core.formats.submission import Submission
from evaluator.core.log import complain, say
from evaluator.core.planning.export import Exporter
from evaluator.core.scores.runnable import engine_of
from evaluator.core.scores.running import BUILD

SCREENS = "screens"
"""Folder of the ledger."""
FILE = "verdicts.json"
"""File that ``pr screen`` writes and ``pr approve`` reads."""
_SUBMISSION = f"{mounts.INPUT}/submission"
_LIMITS = Limits(memory=2**30, cpus=1, pids=64, output_size=2**20, log_size=2**16)
_SECONDS = 60
_MAX_REASON = 300
_MAX_BYTES = 2**20
_GRADES = ("ok", "ask", "refuse")


class Verdict(Note):
    """What the program writes to ``$output/verdict.json``."""

    verdict: Literal["ok", "ask", "refuse"]
    reason: Annotated[str, Field(max_length=_MAX_REASON)] = ""
    """For the organiser who is asked, or the participant who is refused; plain text in a line."""

    @model_validator(mode="after")
    def _has_a_reason(self) -> Self:
        if not self.reason.isprintable():
            raise ValueError("the reason has control characters")
        if self.verdict != "ok" and not self.reason.strip():
            raise ValueError(f"'{self.verdict}' needs a reason")
        return self


class VerdictNote(Verdict):
    """A verdict on one entry as it would be merged then, by one version of the program."""

    submission: str
    tree: str
    """Digest of all that the entry would hold, without scores."""
    program: str
    """Digest of the program's folder."""
    is_from_program: bool
    """Whether the program gave this verdict; if not, it ended without one."""
    at: AwareDatetime


class _Verdicts(Note):
    """Content of FILE."""

    verdicts: Annotated[list[VerdictNote], Field(max_length=1000)]


@dataclass(frozen=True, kw_only=True)
class Screen:
    """A screen on the base branch, and an entry that it reads."""

    submission: Submission
    benchmark: Benchmark
    folder: str
    program: str
    tree: str
    """As in ``VerdictNote``, as it would be merged now."""

    @property
    def place(self) -> str:
        """The beginning of the paths of its notes."""
        name = digest([self.submission.id, self.program])[:32]
        return f"{shard(SCREENS, self.tree)}/{self.tree}-{name}-"


def screens(pull: PullRequest) -> list[Screen]:
    """The screens of what a pull request enters."""
    before = pull.before
    return [
        Screen(
            submission=item, benchmark=benchmark, folder=folder,
            program=before.tree.digest(folder), tree=pull.contents[item.id],
        )
        for item in pull.content_entered
        if (benchmark := before.benchmarks.get(item.benchmark))
        and (written := clean_path(policy_of(benchmark).screen))
        for folder in [f"{benchmark.path}/{written}"]
    ]  # fmt: skip


def strictest_verdicts(pull: PullRequest, ledger: Ledger) -> Mapping[str, VerdictNote | None]:
    """Map entries that have a screen to its verdict on what they are now; None without one yet.

    The program's strictest one counts, so that another run changes nothing.
    """
    return {screen.submission.id: _strictest(screen, ledger) for screen in screens(pull)}


def _strictest(screen: Screen, ledger: Ledger) -> VerdictNote | None:
    begin = screen.place
    folder = begin.rpartition("/")[0]
    paths = [f"{folder}/{name}" for name in ledger.entries.names(folder)]
    of_entry = ledger.notes([path for path in paths if path.startswith(begin)], VerdictNote)
    notes = [note for _, note in of_entry]
    counting = [note for note in notes if note.is_from_program] or notes
    return max(counting, key=lambda note: _GRADES.index(note.verdict), default=None)


class Screens(Review):
    """The screens of all that a pull request enters."""

    def opinions(self, ledger: Ledger) -> Iterator[Opinion]:
        for name, note in strictest_verdicts(self.pull, ledger).items():
            if note is None:
                reason = f"The screen of '{name.split('/')[0]}' has not read it yet."
                yield Opinion(verdict="screen", submission=name, reason=reason)
            elif note.verdict != "ok":
                does = "refuses it" if note.verdict == "refuse" else "asks an organiser"
                reason = f"The benchmark's screen {does}: {note.reason}"
                yield Opinion(verdict=note.verdict, submission=name, reason=reason)

    def verdict_notes(self, folder: Path) -> dict[str, bytes]:
        """The notes of the verdicts in a job's folder that are about these entries.

        It trusts nothing else there: the job that wrote the folder ran a stranger's files.
        """
        content = read_regular(folder / FILE, _MAX_BYTES) or b""
        try:
            verdicts = _Verdicts.model_validate(read_json(content, max_bytes=_MAX_BYTES)).verdicts
        except (ValueError, ValidationError) as error:
            text = "has other keys" if isinstance(error, ValidationError) else str(error)
            complain(f"{FILE} of the screen is ignored: it {text}")
            return {}
        wanted = {
            (item.submission.id, item.program, item.tree): item.place for item in screens(self.pull)
        }
        files = {}
        for one in verdicts:
            place = wanted.get((one.submission, one.program, one.tree))
            if place is not None:
                note = one.model_copy(update={"at": self.pull.now})
                files[f"{place}{digest([one.verdict, one.reason])[:16]}.json"] = note_json(note)
        return files


def screen(pull: PullRequest, output: Path) -> list[VerdictNote]:
    """Run the screens of what a pull request enters, and write their verdicts for ``pr approve``.

    Raises PlatformError if there is no engine for containers, and UsageError for a head that CI has
    not received, or has refused.
    """
    before, chosen = pull.before, screens(pull)
    if head_path(pull.head) not in pull.ledger.entries:
        raise UsageError(
            f"the head {pull.head[:12]} was not received, or was refused",
            hint="`pullbench pr receive` comes first; it says what is wrong.",
        )
    build, settings = before.tree.root / BUILD, before.settings
    exporter = Exporter(before.tree, build / "cache" / "trees")
    notes: list[VerdictNote] = []
    if chosen:
        kind = engine_kind(engine_of("auto", before))
        with (
            RunFolder(build / "run") as folder,
            closing(kind.make(settings, folder, build / "cache" / "environments")) as engine,
        ):
            for item in chosen:
                with scratch_folder(folder.path) as scratch:
                    answer = _run(pull, item, engine, exporter, scratch)
                verdict = answer if isinstance(answer, Verdict) else _ask(answer)
                notes.append(
                    VerdictNote(
                        **dict(verdict), submission=item.submission.id, program=item.program,
                        tree=item.tree, is_from_program=verdict is answer, at=pull.now,
                    )
                )  # fmt: skip
    output.mkdir(parents=True, exist_ok=True)
    (output / FILE).write_bytes(note_json(_Verdicts(verdicts=notes)))
    return notes


def _ask(why: str) -> Verdict:
    reason = f"The screen ended without a verdict: {printable(' '.join(why.split()))}"
    return Verdict(verdict="ask", reason=reason[:_MAX_REASON])


def _run(
    pull: PullRequest, screen: Screen, engine: Engine, exporter: Exporter, scratch: Path
) -> Verdict | str:
    """The verdict of a program, or why it gave none."""
    entry, written = scratch / "submission", scratch / "written"
    entry.mkdir()
    pull.after.tree.export(screen.submission.path, entry, frozenset({SCORES}))
    set_readable(entry, programs=False)
    benchmark, context = screen.benchmark, exporter.context(screen.benchmark)
    name = benchmark.docker_image
    try:
        with as_cell_failures():
            program = mounts.program_root(exporter.folder(exporter.part(screen.folder)))
            image = Image(
                name=pull.before.settings.images.get(name, name), digest=context,
                context=exporter.folder(context) if context else None,
            )  # fmt: skip
            command = mounts.read_command(
                program, screen.folder, mounts.SCORING_SUBSTITUTIONS, Actor.ORGANISER
            )
            visible = [
                Mount(source=program, target=mounts.PROGRAM),
                Mount(source=entry, target=_SUBMISSION),
            ]
            engine.prepare(image)
            with engine.outputs(image, [Room(_LIMITS.output_size)], scratch) as (output,):
                spec = RunSpec(
                    image=image, command=command, mounts=visible, workdir=mounts.PROGRAM,
                    outputs={mounts.OUTPUT: output}, limits=_LIMITS, seconds=_SECONDS,
                )  # fmt: skip
                with engine.create(spec) as created:
                    report = created.start().wait()
                if report.stopped_by is not None or report.exit_code != 0:
                    say(report.log.decode("utf-8", "replace"))
                    limit = f"at its limit of {report.stopped_by}" if report.stopped_by else ""
                    return f"it ended {limit or f'with exit code {report.exit_code}'}."
                copy_top_files(output, written, _MAX_BYTES)
    except (CellFailedError, UnsafeOutputError) as error:
        return str(error)
    content = read_regular(written / "verdict.json", _MAX_BYTES)
    if content is None:
        return "it wrote no verdict.json."
    try:
        return Verdict.model_validate(read_json(content, max_bytes=_MAX_BYTES))
    except ValidationError as error:
        return f"its verdict.json is wrong: {error.errors()[0]['msg']}."
    except ValueError as error:
        return f"its verdict.json {error}."
