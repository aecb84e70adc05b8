"""``[tool.pullbench]`` as far as the site alone reads it."""

import re
from typing import Annotated

from pydantic import Field, field_validator
from pydantic_core import PydanticCustomError

from evaluator.core.formats.parsing import Strict

_SITE = (
    r"^(https://[A-Za-z0-9][A-Za-z0-9.-]*|http://(localhost|127\.0\.0\.1))(:[0-9]+)?"
    r"(/[A-Za-z0-9._~-]+)*/?$"
)
Hub = Annotated[
    dict[
        Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._-]*$", max_length=64)],
        Annotated[str, Field(pattern=_SITE, max_length=500)],
    ],
    Field(max_length=200),
]
"""Other deployments whose boards the list of benchmarks shows: name -> address of the site."""


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
