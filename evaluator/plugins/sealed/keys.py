"""The key ``seal`` of a phase."""

from typing import Annotated

from pydantic import Field

from evaluator.core.formats.parsing import Strict
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.quantities import Moment


class Seal(Strict):
    """``pullbench: phases: INDEX: seal:``: entries may be encrypted to the organisers."""

    until: Moment
    """When CI opens them for everybody; it may be put off, and never brought forward."""
    to: Annotated[str, Field(pattern="^age1[02-9ac-hj-np-z]{58}$")]
    """Public key that ``pullbench keygen --data`` made; PULLBENCH_DATA_IDENTITY has the other half.
    """


def seal_of(phase: Phase | None) -> Seal | None:
    seal: Seal | None = phase.of_plugins.get("seal") if phase else None
    return seal
