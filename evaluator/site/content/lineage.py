"""``based_on`` in submission.yaml: on which submissions one builds, and which build on it.

It changes no rank. Two pull requests together can make a circle, so every walk here remembers where
it was.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator, Field

from evaluator.core.errors import Actor, Problem, nearest
from evaluator.core.formats.paths import shown
from evaluator.core.formats.schema import read_yaml
from evaluator.core.formats.submission import FILE_NAME, Submission
from evaluator.core.planning.snapshot import Snapshot

if TYPE_CHECKING:
    from evaluator.core.leaderboard.published import PublicBoard

KEY = "based_on"
MAX_PARENTS = 10
MAX_SHOWN = 60
"""Submissions in each tree of a page."""
MAX_DEPTH = 8
MAX_ANCESTORS = 1000
"""Submissions that ``validate`` reads of one lineage."""


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


BasedOn = Annotated[
    list[Annotated[str, Field(pattern="^[^/]+/[^/]+$", max_length=200)]],
    BeforeValidator(_as_list),
    Field(max_length=MAX_PARENTS),
]
"""``participant/name`` of submissions to the same benchmark, or of one."""


@dataclass(frozen=True)
class Relative:
    """A submission in a tree, with those beyond it that no branch before it has."""

    participant: str
    name: str
    title: str
    further: tuple["Relative", ...]


@dataclass(frozen=True)
class Lineage:
    """Ancestors and descendants of a submission; both trees are bounded."""

    ancestors: tuple[Relative, ...] = ()
    descendants: tuple[Relative, ...] = ()
    is_whole: bool = True


def parents(submission: Submission) -> list[str]:
    named: list[str] = submission.of_plugins.get(KEY, [])
    return list(dict.fromkeys(named))


class Lineages:
    """The lineages of all submissions on the boards of a benchmark."""

    def __init__(self, boards: Sequence["PublicBoard"]) -> None:
        self._known = {
            one.short_name: one for board in boards for one in board.full_table.submissions
        }
        self._up = {name: parents(one) for name, one in self._known.items() if parents(one)}
        self._down: dict[str, list[str]] = {}
        for name in sorted(self._up):
            for parent in self._up[name]:
                self._down.setdefault(parent, []).append(name)

    def of(self, submission: Submission) -> Lineage | None:
        name = submission.short_name
        if name not in self._up and name not in self._down:
            return None
        above, below = {name}, {name}
        return Lineage(
            self._tree(name, self._up, above, MAX_DEPTH),
            self._tree(name, self._down, below, MAX_DEPTH),
            max(len(above), len(below)) <= MAX_SHOWN,
        )

    def _tree(
        self, name: str, edges: Mapping[str, Sequence[str]], seen: set[str], depth: int
    ) -> tuple[Relative, ...]:
        """The nearest first, so that the bound leaves out what is far."""
        near = [one for one in edges.get(name, ()) if one in self._known and one not in seen]
        near = near[: max(0, MAX_SHOWN + 1 - len(seen))] if depth else []
        seen.update(near)
        tree = []
        for other in near:
            one, further = self._known[other], self._tree(other, edges, seen, depth - 1)
            tree.append(Relative(one.participant, one.name, one.title, further))
        return tuple(tree)


def check_lineage(snapshot: Snapshot, prefixes: tuple[str, ...]) -> Iterator[Problem]:
    """Report cycles and unknown submissions; a warning if others caused them later."""
    edges = {one.id: parents(one) for one in snapshot.submissions}
    for one in snapshot.submissions:
        if prefixes and not f"{one.path}/".startswith(prefixes):
            continue
        for parent in edges[one.id]:
            name, message, hint = f"{one.benchmark}/{parent}", "", "Take it out."
            if f"submissions/{name}/{FILE_NAME}" not in snapshot.tree.entries:
                message = f"names '{shown(parent)}', which is no submission to {one.benchmark}."
                near = nearest(name, edges, "Name it as participant/name.")
                hint = near.replace(f"'{one.benchmark}/", "'")
            elif one.id in _ancestors(snapshot, name, edges):
                message = f"names '{shown(parent)}', which is this submission or is based on it."
            if message:
                is_new = bool(prefixes) or snapshot.tree.is_changed(one.path)
                yield Problem(
                    file=f"{one.path}/{FILE_NAME}", key=KEY, message=message, hint=hint,
                    actor=Actor.PARTICIPANT, severity="error" if is_new else "warning",
                )  # fmt: skip


def _ancestors(snapshot: Snapshot, start: str, edges: dict[str, list[str]]) -> set[str]:
    """A submission with all that it is based on; ``edges`` gets what was not read yet."""
    seen, ahead = {start}, [start]
    while ahead and len(seen) < MAX_ANCESTORS:
        name = ahead.pop()
        if name not in edges:
            path = f"submissions/{name}/{FILE_NAME}"
            content = snapshot.tree.read([path]).get(path, b"")
            edges[name] = _named(read_yaml(content, path, Actor.PARTICIPANT).data)
        further = [f"{name.partition('/')[0]}/{one}" for one in edges[name]]
        ahead += [one for one in further if one not in seen]
        seen.update(further)
    return seen


def _named(data: Any) -> list[str]:
    value = _as_list(data.get(KEY)) if isinstance(data, dict) else None
    named = value[:MAX_PARENTS] if isinstance(value, list) else []
    return [one for one in named if isinstance(one, str)]
