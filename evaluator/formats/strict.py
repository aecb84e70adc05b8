"""What all parts of the files have in common that people write."""

from pydantic import BaseModel, ConfigDict


class Strict(BaseModel):
    """Frozen; unknown keys are reported."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)
