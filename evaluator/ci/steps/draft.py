"""A pull request that nobody has opened yet: what a clone holds, judged by the same rules."""

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from evaluator.ci.git.history import base_of
from evaluator.ci.git.raw_trees import Change, changes
from evaluator.ci.ledger.ledger import local_ledger
from evaluator.ci.opened.heads import fork_of
from evaluator.ci.opened.proposal import submissions_in
from evaluator.ci.policy.entrants import judge_entrants
from evaluator.ci.policy.judge import over_quota, problem_of
from evaluator.ci.policy.ownership import changed_in, judge_changes, judge_earlier
from evaluator.core.clock import moment_text
from evaluator.core.errors import Actor, Problem, RefusedError
from evaluator.core.formats.cell import is_score
from evaluator.core.formats.settings import Settings
from evaluator.core.git.commands import Repo, is_shallow
from evaluator.core.git.tree import Tree, open_repository, read_tree
from evaluator.core.planning.deadlines import with_more_time
from evaluator.core.planning.rules import by_place, check_site_names, validate
from evaluator.core.planning.snapshot import Snapshot, read_settings
from evaluator.core.planning.typed_names import is_within


def validate_here(
    snapshot: Snapshot, places: Sequence[str], actor: str | None, now: dt.datetime
) -> tuple[list[Problem], str]:
    """Validate, and judge what the commits of this branch and files at some places would change.

    Without an upstream branch all files at the places count as the change. Nothing is fetched.
    ``actor`` is a login, by default the owner of the places, or without any of what is entered.

    Returns the branch with which it is compared, too; empty where there is none.
    """
    repo = open_repository(snapshot.tree.root)
    base, commit = base_of(repo, snapshot.settings.branch)
    if commit is not None and is_shallow(repo):
        base, commit = "", None  # how far they went apart is not known here
    by_participant = False
    try:
        draft = _Draft(repo, snapshot, places, actor, commit)
        by_participant = draft.actor is not None and not draft.settings.is_organiser(draft.actor)
        refusals = [*draft.problems(), *draft.windows(now)]
    except RefusedError as error:
        refusals = [problem_of(error)]
    refused = {problem.file for problem in refusals}
    # A record is reported as out of place; other files by what is wrong with them.
    problems = [
        item
        for item in validate(snapshot, places)
        if not (is_score(item.file) and item.file in refused)
    ]
    invalid = {item.file for item in problems if item.severity == "error"}
    problems += [item for item in refusals if item.file not in invalid]
    if by_participant:  # notes to organisers are nothing that they can act upon
        problems = [p for p in problems if p.severity != "note" or p.actor == Actor.PARTICIPANT]
    return by_place(problems), base


class _Draft:
    """What a clone holds beyond its base branch, and for whom it would be proposed."""

    def __init__(
        self,
        repo: Repo,
        snapshot: Snapshot,
        places: Sequence[str],
        actor: str | None,
        base: str | None,
    ) -> None:
        tree = snapshot.tree
        before: Tree | None = None
        new = {path for path in tree.dirty if not is_score(path)}
        self.committed: Sequence[Change] = ()
        self.settings = snapshot.settings
        self.participants = set[str]()
        """Those that the base has already."""
        if base is None:
            self.participants = {path.split("/")[2] for path in tree.entries.folders}
            new |= {path for place in places for path in tree.under(place) if not is_score(path)}
        elif tree.commit is not None:
            self.committed = changes(repo, fork_of(repo, base, tree.commit), tree.commit)
            before = read_tree(repo, base)
            self.settings = read_settings(before)
            self.participants = {path.split("/")[2] for path in before.entries.folders}
        self.unsaved = [Change(path, None, tree.entries.get(path)) for path in sorted(new)]
        if not places and before is not None:
            entered = _entered_submissions([*self.committed, *self.unsaved], before)
            if actor or _owner(entered, self.settings):
                places = entered
        self.actor = actor or _owner(places, self.settings)
        if base is None:
            self.participants -= {self.actor or ""}
        self.repo, self.snapshot, self.places, self.base = repo, snapshot, places, base

    @property
    def changes(self) -> list[Change]:
        """Committed changes, and those at the places that are not committed yet, by path."""
        meant = [change for change in self.unsaved if self._is_meant(change.path)]
        by_path = {change.path: change for change in (*self.committed, *meant)}
        return [
            change
            for path, change in sorted(by_path.items())
            # CI's own commits bring records, too; nobody is named who would bring these.
            if self.actor is not None or not is_score(path)
        ]

    def problems(self) -> Iterator[Problem]:
        proposed = self.changes
        if not any(self._is_meant(change.path) for change in proposed):
            return
        wrong = self._judge(proposed)
        names = [change.path for change in proposed if change.new is not None]
        wrong += check_site_names(self.snapshot, names, new=True)
        yield from wrong
        # What is neither committed nor meant may never become a part of it.
        unsaved = [change for change in self.unsaved if not self._is_meant(change.path)]
        paths = {change.path for change in unsaved}
        for problem in self._judge(unsaved) if unsaved else ():
            if problem.file in paths:
                yield replace(problem, severity="warning")
        head = self.snapshot.tree.commit
        stranger = self.actor is not None and not self.settings.is_organiser(self.actor)
        if not wrong and stranger and self.base is not None and head is not None:
            yield from judge_earlier(self.repo, self.base, head, self.actor or "", self.settings)

    def _judge(self, proposed: Sequence[Change]) -> list[Problem]:
        changed = changed_in(self.repo, proposed, self.snapshot.tree)
        return list(
            judge_changes(
                changed, self.actor, self.settings, self.participants, self.snapshot.submissions
            )
        )

    def windows(self, now: dt.datetime) -> Iterator[Problem]:
        """Yield who may not enter, and what comes too late or too often, as far as it is known."""
        ids = submissions_in(self.changes)
        touched = [
            item
            for item in self.snapshot.submissions
            if item.id in ids and self._is_meant(item.path) and not item.cancelled
        ]
        if self.base is not None:
            ledger = local_ledger(self.repo, self.settings.ledger)
            yield from over_quota(self.snapshot, touched, ledger, now)
        yield from judge_entrants(self.snapshot, touched, self.actor, None)
        for item in touched:
            benchmark = self.snapshot.benchmarks[item.benchmark]
            phase = benchmark.phase(item.phase)
            phase = phase and with_more_time(benchmark, phase, item.participant)
            new = any(is_within(change.path, item.path) for change in self.unsaved)
            if new and phase is not None and phase.end is not None and phase.end <= now:
                yield Problem(
                    file=item.path,
                    message=f"enters phase '{phase.name}', which ended on "
                    f"{moment_text(phase.end)}",
                    hint="A pull request with it is refused; `pullbench run` tries it here.",
                    actor=Actor.PARTICIPANT, severity="warning",
                )  # fmt: skip

    def _is_meant(self, path: str) -> bool:
        return not self.places or any(
            is_within(path, place) or is_within(place, path) for place in self.places
        )


def _entered_submissions(proposed: Iterable[Change], base: Tree) -> list[str]:
    """Submissions that are added, else those that are touched, of benchmarks that the base has."""
    touched = {
        "/".join(parts[:4])
        for change in proposed
        if (parts := change.path.split("/"))[0] == "submissions" and len(parts) > 4
        and not is_score(change.path) and base.under(f"benchmarks/{parts[1]}")
    }  # fmt: skip
    return sorted({path for path in touched if path not in base.entries.folders} or touched)


def _owner(places: Sequence[str], settings: Settings) -> str | None:
    """Who would open it: the participant of all places, or an organiser of that team; else None."""
    names = {parts[2] for place in places if (parts := place.split("/"))[0] == "submissions"
             and len(parts) > 2}  # fmt: skip
    if len(names) != 1 or not all(place.startswith("submissions/") for place in places):
        return None
    (name,) = names
    members = [login for team, logins in settings.teams.items()
               if team.casefold() == name.casefold() for login in logins]  # fmt: skip
    return next(filter(settings.is_organiser, members), name)
