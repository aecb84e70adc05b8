"""The base of everything that is read from an organiser's or a participant's file."""

from pydantic import BaseModel, ConfigDict


class Strict(BaseModel):
    """Frozen; unknown keys are reported."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)
