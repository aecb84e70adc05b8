"""``[tool.pullbench]`` of pyproject.toml: the settings of one deployment."""

import tomllib
from typing import Literal

from pydantic import Field, ValidationError

from evaluator.errors import Actor, InvalidInputError, Problem
from evaluator.formats.extension import Strict
from evaluator.formats.schema import dotted


class Settings(Strict):
    """Every setting with its default; site/organisers/settings.md lists them."""

    forge: str = ""
    """Address of the repository on its forge; links on the site lead there."""
    runtime: Literal["runc", "runsc"] = "runc"
    """OCI runtime; ``runsc`` is gVisor."""
    pull: Literal["missing", "never"] = "missing"
    """Whether an image that is not there may be pulled. Names under localhost/ never are."""
    build_network: str = "host"
    """Network of image builds, which run organisers' Dockerfiles, never participants' code."""
    images: dict[str, str] = {}
    """Image as written in a bundle -> image to use instead."""
    data: str = ""
    """Folder of the runner that holds private data."""
    predictions: str = "build/predictions"
    """Folder of the store of predictions."""
    retries: int = Field(default=2, ge=0, le=10)
    """How often a platform fault is tried again at once."""


def parse_settings(content: bytes | None) -> Settings:
    """Read pyproject.toml; absent means all defaults. Raises InvalidInputError."""
    if content is None:
        return Settings()
    file = "pyproject.toml"
    try:
        data = tomllib.loads(content.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidInputError(
            [Problem(file=file, message=f"is not valid TOML: {error}", actor=Actor.ORGANISER)]
        ) from None
    try:
        tool = data.get("tool", {})
        return Settings.model_validate(
            tool.get("pullbench", {}) if isinstance(tool, dict) else tool
        )
    except ValidationError as error:
        raise InvalidInputError(
            Problem(
                file=file,
                key=dotted(("tool", "pullbench", *detail["loc"])),
                message=detail["msg"][:1].lower() + detail["msg"][1:],
                hint="site/organisers/settings.md lists the settings.",
                actor=Actor.ORGANISER,
            )
            for detail in error.errors(include_url=False)
        ) from None
