"""The cells of a pull request: what is missing because of it."""

from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.quotas import policy_by
from evaluator.ci.pull_requests.merge_preview import Proposal
from evaluator.ci.scores.ledger_records import adopt
from evaluator.core.planning.plan import PlannedCell, cells_of_new_tasks


def planned_cells(proposal: Proposal, ledger: Ledger) -> list[PlannedCell]:
    """Return its cells, with those of data sets that records in the ledger accept."""
    missing = list(proposal.plan(ledger).missing)
    adopted = {cell: item.record for cell, item in adopt(missing, ledger, proposal.now).items()}
    _, further = cells_of_new_tasks(proposal.after, adopted, proposal.now, policy_by(ledger))
    return [*missing, *further]
