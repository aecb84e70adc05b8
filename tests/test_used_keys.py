"""Each key is used by a benchmark, a submission, a template or a tried page of this repository.

``unused_keys.toml`` lists the others, with the reasons why they are there. Keys of Codabench's
format are not asked for: ``evaluator.core.formats.competition`` lists them as the format does.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_origin

import yaml
from pydantic import BaseModel

from evaluator.core.formats.competition import Competition
from evaluator.core.formats.settings import Settings
from evaluator.core.formats.submission import SubmissionFile
from evaluator.plugins.scaffold.benchmark import TEMPLATES
from tests.test_budget import every_key, fields_of

ROOT = Path(__file__).parents[1]
TRIED_PAGES = (ROOT / "site/organisers/how-to.md",)
"""``tests.test_how_tos`` tries their YAML."""
OURS = "Competition.pullbench."
UNUSED: list[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("unused_keys.toml").read_text(encoding="utf-8")
)["unused"]


def _written(annotation: Any, value: Any, path: str) -> Iterator[str]:
    """Yield the keys of a type that a value has, each by its path."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        fields = fields_of(annotation)
        for name in fields.keys() & (value if isinstance(value, dict) else ()):
            yield f"{path}.{name}"
            yield from _written(fields[name], value[name], f"{path}.{name}")
    elif get_origin(annotation) is dict:
        for one in value.values() if isinstance(value, dict) else ():
            yield from _written(get_args(annotation)[1], one, path)
    else:
        for one in value if isinstance(value, list) else (value,):
            for part in get_args(annotation):
                yield from _written(part, one, path)


def _yaml(text: str) -> Any:
    return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506


def _files() -> Iterator[tuple[type[BaseModel], Any]]:
    """Yield what the files of this repository hold, each with the model of its kind."""
    for model, pattern in (
        (Competition, "competition.yaml"), (SubmissionFile, "submission.yaml"),
    ):  # fmt: skip
        for folder in (ROOT / "benchmarks", ROOT / "submissions", TEMPLATES):
            for file in folder.rglob(pattern):
                yield model, _yaml(file.read_text(encoding="utf-8"))
    for page in TRIED_PAGES:
        for block in re.findall(r"```yaml\n(.*?)```", page.read_text(encoding="utf-8"), re.S):
            yield Competition, _yaml(block)
    for file in (ROOT / "pyproject.toml", TEMPLATES / "repository/pyproject.toml.in"):
        text = re.sub("@[A-Z]+@", '""', file.read_text(encoding="utf-8"))
        yield Settings, tomllib.loads(text)["tool"]["pullbench"]


def _used() -> set[str]:
    return {key for model, data in _files() for key in _written(model, data, model.__name__)}


def test_each_key_is_used_or_is_listed_with_a_reason() -> None:
    asked = {key for key in every_key() if key.startswith(OURS) or "Competition" not in key}
    unused = {key.removeprefix(OURS) for key in asked - _used()}
    listed = [key for group in UNUSED for key in group["keys"]]
    assert sorted(unused.difference(listed)) == [], "use it, delete it, or say why it is there"
    assert sorted(set(listed) - unused) == [], "take it off the list: it is used, or no key"
    assert len(listed) == len(set(listed))
    assert all(len(group["reason"].split()) > 3 and group["keys"] for group in UNUSED)
