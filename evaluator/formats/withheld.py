"""What a phase that shows only whether a submission ran says of a record."""

from evaluator.errors import Actor
from evaluator.formats.outline import Known
from evaluator.formats.record import CellError, Reason


def withheld(record: Known) -> Known:
    """Return what a phase that shows only whether a submission ran says of a record.

    Who must act stays, and why, where it is not the participant: the organiser and the platform
    have to know, and it tells nothing of the data.
    """
    error = record.error
    if error is not None and error.actor == Actor.PARTICIPANT:
        error = CellError(
            actor=Actor.PARTICIPANT,
            reason=Reason.WITHHELD,
            message="this phase shows only whether a submission ran",
            hint="Try it on the public data; the organiser can say more.",
        )
    elif error is not None and error.step is not None:
        # Messages about a step may repeat what a program wrote.
        error = error.model_copy(update={"message": "a program of the bundle failed", "hint": ""})
    # How long it took may tell how large the data is.
    provenance = record.provenance.model_copy(update={"started": record.provenance.finished})
    made: Known = record.model_copy(  # type: ignore[assignment]
        update={
            "scores": {}, "extra": {}, "steps": [], "earlier": [], "detailed_results": None,
            "error": error, "provenance": provenance,
        }
    )  # fmt: skip
    return made
