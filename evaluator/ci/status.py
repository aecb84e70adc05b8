"""What the site says of submissions on their way."""

import datetime as dt
from collections.abc import Sequence

from evaluator.ci.git.merges import pull_requests
from evaluator.ci.ledger.landings import landings_of
from evaluator.ci.ledger.ledger_growth import state_of
from evaluator.ci.scores.pending import unfinished
from evaluator.core.formats.repository_status import RepositoryStatus
from evaluator.core.git.tree import open_repository
from evaluator.core.planning.plan import Cell
from evaluator.core.planning.snapshot import Snapshot


def read_status(
    snapshot: Snapshot, open_cells: Sequence[Cell], now: dt.datetime
) -> RepositoryStatus:
    """Read it; ``open_cells`` are those that are not settled or not begun."""
    state = state_of(snapshot.tree)
    return RepositoryStatus(
        waiting=unfinished(snapshot, now, all_cells=open_cells),
        landings=landings_of(snapshot.tree),
        withdrawn=tuple(reversed(state.withdrawn)) if state else (),
        pull_requests=pull_requests(open_repository(snapshot.tree.root), snapshot.tree.commit),
    )
