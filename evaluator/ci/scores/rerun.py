"""Asks the forge to evaluate cells afresh, by its workflow."""

from collections.abc import Sequence

from evaluator.ci.forge import find_forge
from evaluator.core.errors import UsageError
from evaluator.core.formats.settings import Settings

WORKFLOW = "publish.yml"


def request_rerun(
    names: Sequence[str], settings: Settings, *, failed_only: bool, branch: str
) -> None:
    """Start the workflow for the cells below some names. Raises UsageError without a forge."""
    forge = find_forge(settings.forge)
    if forge is None:
        raise UsageError(
            "there is no forge to ask: no token, or no address in [tool.pullbench] forge",
            hint=f"Here: `pullbench run --fresh {'--failed ' if failed_only else ''}"
            f"{' '.join(names)}`.",
        )
    inputs = {"rerun": " ".join(names), "failed": "true" if failed_only else "false"}
    forge.dispatch(WORKFLOW, branch, inputs)
