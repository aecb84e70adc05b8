"""Records of phases with ``shows: status``, which show only whether a submission ran."""

from typing import TypeVar

import msgspec

from evaluator.errors import Actor
from evaluator.formats.outline import Known, OutlineProvenance
from evaluator.formats.record import CellError, Provenance, Reason


def withheld(record: Known) -> Known:
    """Return a record without what a phase of ``shows: status`` hides.

    Who must act stays, and why, where it is not the participant: the organiser and the platform
    have to know, and it reveals nothing of the data.
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
    withheld_record: Known = record.model_copy(  # type: ignore[assignment]
        update={
            "scores": {}, "extra": {}, "steps": [], "earlier": [], "detailed_results": None,
            "error": error, "provenance": untimed(record.provenance),
        }
    )  # fmt: skip
    return withheld_record


_Provenance = TypeVar("_Provenance", bound=Provenance | OutlineProvenance)


def untimed(provenance: _Provenance) -> _Provenance:
    """Round times to the day.

    A duration may reveal the size of the data, or be the score; and where cells follow one another,
    the end of the one before is the start of the next.
    """
    day = f"{provenance.finished[:10]}T00:00:00+00:00"
    return msgspec.structs.replace(provenance, started=day, finished=day)
