"""Files of private data and of sealed entries: where they are, what pins them, what opens them."""

import datetime as dt
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from evaluator.core.formats.parsing import Strict
from evaluator.core.formats.quantities import Moment

DATA_IDENTITY = "PULLBENCH_DATA_IDENTITY"
"""Secret keys of private data, ``AGE-SECRET-KEY-…``, with white space between them. It is not that
of sealed records: a machine that runs participants' programs need not be able to read hidden
scores."""

UNLOCKED = "PULLBENCH_UNLOCKED"
"""Folder in memory of what `pullbench unlock` decrypted, for a run that has no secret key and no
participant's program."""

PREDICTIONS = "predictions"
"""Folder in that folder: the store of what programs predicted in another job."""


class PrivateData(Strict):
    """Data that is not in git in the clear: on the runner, encrypted in the bundle, or at a URL.

    The digest is of the content, part of every key, and checked before use.
    """

    task: int
    """Index of the task."""
    file: Literal["input_data", "reference_data", "data"]
    """``data`` stands at ``/app/data`` for every program, participants' code too."""
    path: str | None = Field(default=None, min_length=1)
    """Path below the runner's data folder (``[tool.pullbench] data``)."""
    encrypted: str | None = Field(default=None, min_length=1)
    """File of the bundle, encrypted with age: a zip of the folder, or a single file."""
    url: str | None = Field(default=None, min_length=1)
    """Address (https, http or file) of a zip of the folder, or of a single file."""
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    """``pullbench pin --data PATH`` prints it."""
    until: Moment | None = None
    """When CI publishes what is ``encrypted``, below ``opened/`` of the bundle; None is never."""

    @model_validator(mode="after")
    def _one_source(self) -> "PrivateData":
        if sum(map(bool, (self.path, self.encrypted, self.url))) != 1:
            raise ValueError("needs one of 'path', 'encrypted' and 'url', and no more than one")
        if self.until and not self.encrypted:
            raise ValueError("'until' is for what is 'encrypted': CI has nothing else to open")
        return self

    @property
    def source(self) -> str:
        return self.path or self.encrypted or self.url or ""


@dataclass(frozen=True, kw_only=True)
class SealedFile:
    """An entry that is encrypted until a date; its name pins its content as PrivateData does."""

    source: str
    """``<sha256>.age``, in the folder of the submission."""
    recipient: str
    """The organisers' public key, of the phase that was entered."""
    phase: str
    """Its slug; the entry may have been carried into another since."""
    until: dt.datetime
    path: ClassVar[None] = None
    url: ClassVar[None] = None
    max_bytes: ClassVar[int] = 2**27
    """That it may come to, opened."""

    @property
    def sha256(self) -> str:
        return self.source.removesuffix(".age")
