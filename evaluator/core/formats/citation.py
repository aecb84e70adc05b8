"""Citations of benchmarks: ``pullbench.citation`` in a bundle."""

from typing import Annotated

from pydantic import Field, field_validator

from evaluator.core.formats.answer_forms import form_fault
from evaluator.core.formats.strict import Strict


class Citation(Strict):
    """What to cite where the benchmark is used: itself, or the paper that describes it."""

    authors: list[Annotated[str, Field(min_length=1, max_length=200)]] = Field(
        default=[], max_length=200
    )
    """``Family, Given`` is a person; a name without a comma is a group."""
    title: Annotated[str, Field(max_length=500)] = ""
    """Of the paper; empty where the benchmark itself is to be cited."""
    year: int | None = Field(default=None, ge=1900, le=2200)
    """In which it appeared; None is the year in which the first phase starts."""
    doi: Annotated[str, Field(pattern=r"^(10\.\d{4,9}(\.\d+)?/[A-Za-z0-9:/_;.()\[\]-]+)?$")] = ""
    """Without ``https://doi.org/``."""
    url: Annotated[str, Field(max_length=500)] = ""

    @field_validator("url")
    @classmethod
    def _is_address(cls, value: str) -> str:
        fault = form_fault("url", value) if value else None
        if fault:
            raise ValueError(fault)
        return value

    @property
    def is_of_paper(self) -> bool:
        """Whether something else than the benchmark is to be cited."""
        return bool(self.title or self.doi or self.url)
