"""Keys of ``[tool.pullbench]`` and of bundles that the site alone reads."""

import re
from typing import Annotated

from pydantic import Field, field_validator
from pydantic_core import PydanticCustomError

from evaluator.core.formats.fact_sheet import form_fault
from evaluator.core.formats.parsing import Strict


class SiteSettings(Strict):
    """How the site looks: ``[tool.pullbench.site]``."""

    logo: str = ""
    """Path of a picture in the repository, for the header."""
    accent: str = ""
    """Colour of links, buttons and marks, such as #00695c."""

    @field_validator("accent")
    @classmethod
    def _is_colour(cls, accent: str) -> str:
        if accent and not re.fullmatch("#[0-9A-Fa-f]{6}", accent):
            message = "'{accent}' is not a colour with six hexadecimal digits, such as #00695c"
            raise PydanticCustomError("colour", message, {"accent": accent})
        return accent


Tags = Annotated[
    list[Annotated[str, Field(pattern="^[a-z0-9]+(-[a-z0-9]+)*$", max_length=40)]],
    Field(max_length=12),
]
"""``tags`` of a bundle: by them readers of the list of benchmarks choose."""


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
