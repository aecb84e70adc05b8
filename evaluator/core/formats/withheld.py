"""Records of phases with ``shows: status``, which show only whether a submission ran."""

import datetime as dt

import msgspec

from evaluator.core.errors import Actor
from evaluator.core.formats.record import CellError, Provenance, Reason, Record


def withheld(record: Record) -> Record:
    """Return what a phase that shows only whether a submission ran says of a record."""
    return record.model_copy(
        update={
            "scores": {}, "extra": {}, "steps": [], "earlier": [], "detailed_results": None,
            "error": record.error and withheld_error(record.error),
            "provenance": untimed(record.provenance),
        }
    )  # fmt: skip


def withheld_error(error: CellError) -> CellError:
    """Return what such a phase says of a failure.

    Who must act stays, and why, where it is not the participant: the organiser and the platform
    have to know, and it reveals nothing of the data.
    """
    if error.actor == Actor.PARTICIPANT:
        return CellError(
            actor=Actor.PARTICIPANT,
            reason=Reason.WITHHELD,
            message="this phase shows only whether a submission ran",
            hint="Try it on the public data; the organiser can say more.",
        )
    if error.step is not None:
        # Messages about a step may repeat what a program wrote.
        return error.model_copy(update={"message": "a program of the bundle failed", "hint": ""})
    return error


def untimed(provenance: Provenance) -> Provenance:
    """Return when something ran, to the day.

    A duration may reveal the size of the data, or be the score; and where cells follow one another,
    the end of the one before is the start of the next.
    """
    day = f"{provenance.finished[:10]}T00:00:00+00:00"
    return msgspec.structs.replace(provenance, started=day, finished=day)


def day_of(moment: dt.datetime) -> dt.datetime:
    """Return the beginning of the day: all that such a phase says of a time."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)
