"""Workflows in stages: what a benchmark declares, what a submission holds, what is evaluated.

A participant brings any of the stages, each in a folder of its name; the organiser's own stand in
for the others. So a submission is evaluated with all of its stages, with each of them alone, and
without each of them.
"""

from collections.abc import Collection, Sequence
from typing import Annotated

from pydantic import Field, field_validator

from evaluator.core.errors import nearest
from evaluator.core.formats.parsing import Strict
from evaluator.core.formats.schema import Document

VARIABLE = "PULLBENCH_STAGES"
"""Tells programs which stages are the participant's: their keys in order, with commas."""
MAX_STAGES = 16
"""Each costs a submission two more cells for each task."""
_SEPARATOR = "+"
"""Between a task and stages in the slug of a variant. Other slugs have none."""


class Stage(Strict):
    """One entry of the ``stages:`` key of the extension."""

    key: Annotated[str, Field(pattern="^[a-z][a-z0-9_]{0,31}$")]
    """Name of the folder that holds a participant's."""
    title: Annotated[str, Field(max_length=64)] = ""
    """Shown; the key where it is empty."""
    description: Annotated[str, Field(max_length=1000)] = ""
    """Shown on the page of the ablation."""

    @field_validator("key")
    @classmethod
    def _is_free(cls, value: str) -> str:
        if value == "scores":
            raise ValueError("is the folder of records; choose another")
        return value

    @property
    def name(self) -> str:
        return self.title or self.key


def held_stages(stages: Sequence[Stage], files: Collection[str]) -> tuple[str, ...]:
    """Keys of the stages of which there is a file, in their order; paths are a submission's."""
    folders = {file.partition("/")[0] for file in files if "/" in file}
    return tuple(stage.key for stage in stages if stage.key in folders)


def without(held: Sequence[str], stage: str) -> tuple[str, ...]:
    return tuple(key for key in held if key != stage)


def variants(held: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The sets of stages that are evaluated beside all that a submission holds.

    Each stage alone, and all but each; those once that coincide, as they do with two stages. Where
    nothing is left, the organiser's own pipeline ran, whoever submits; it is evaluated as a
    submission of its own.
    """
    sets = [*((key,) for key in held), *(without(held, key) for key in held)]
    return tuple(dict.fromkeys(item for item in sets if item and item != tuple(held)))


def variant_slug(task: str, stages: Sequence[str]) -> str:
    return _SEPARATOR.join((task, *stages))


def base_slug(slug: str) -> str:
    return slug.partition(_SEPARATOR)[0]


def check_stages(stages: Sequence[Stage], files: Collection[str], document: Document) -> None:
    keys = [stage.key for stage in stages]
    folders = {file.partition("/")[0] for file in files if "/" in file}
    for name in sorted(folders.difference(keys)):
        document.report(
            (), f"lies beside the folder '{name}', which is no stage of this benchmark.",
            nearest(name, keys, f"Stages are: {', '.join(keys)}. "
                    "What stages share goes into each of them."),
        )  # fmt: skip
