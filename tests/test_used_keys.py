"""Each key is used by a benchmark, a submission, a template or an example of a page.

``unused_keys.toml`` lists the others, with the reasons why they are there. Keys of Codabench's
format are not asked for: ``evaluator.core.formats.competition`` lists them as the format does.
"""

import re
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_origin

import pytest
import yaml
from pydantic import BaseModel

from evaluator.core.formats.competition import Competition
from evaluator.core.formats.extension import Extension
from evaluator.core.formats.fact_sheet import Question
from evaluator.core.formats.settings import Settings
from evaluator.core.formats.submission import SubmissionFile
from evaluator.plugins.scaffold.benchmark import TEMPLATES
from tests.test_budget import every_key, fields_of

ROOT = Path(__file__).parents[1]
EXAMPLE = re.compile(r"^( *)```(?:yaml|toml)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
WHOLE = {
    "5a0c…": "0" * 64,
    "age1…": "age10qrcznfnck4yeaquq39wdqmm7zx9cg739uym8ftm5ne8372v9y0q57m93m",
}
"""What examples cut short."""
OTHERS = {"apiVersion", "command", "decisions"}
"""First keys of examples of other files."""
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


def _example(text: str) -> tuple[type[BaseModel], Any] | None:
    """Return the model and the content of an example; None if it is of another file."""
    text = textwrap.dedent(text)
    for short, whole in WHOLE.items():
        text = text.replace(short, whole)
    if re.match(r"(#.*\n)?\[", text):
        return Settings, tomllib.loads(text)["tool"]["pullbench"]
    data = _yaml(text) if text.count("\n---\n") == 0 else {"apiVersion": ""}
    if next(iter(data)) in OTHERS:
        return None
    return Competition if {"pullbench", "leaderboards"} & data.keys() else SubmissionFile, data


def _examples() -> Iterator[tuple[str, tuple[type[BaseModel], Any]]]:
    for page in sorted((ROOT / "site").glob("[!c]*/*.md")):
        text = page.read_text(encoding="utf-8")
        for match in EXAMPLE.finditer(text):
            if example := _example(match[2]):
                line = text.count("\n", 0, match.start()) + 1
                yield f"{page.relative_to(ROOT)}:{line}", example


EXAMPLES = list(_examples())


def _files() -> Iterator[tuple[type[BaseModel], Any]]:
    """Yield what the files of this repository hold, each with the model of its kind."""
    for model, pattern in (
        (Competition, "competition.yaml"), (SubmissionFile, "submission.yaml"),
    ):  # fmt: skip
        for folder in (ROOT / "benchmarks", ROOT / "submissions", TEMPLATES):
            for file in folder.rglob(pattern):
                yield model, _yaml(file.read_text(encoding="utf-8"))
    yield from (example for _, example in EXAMPLES)
    for file in (ROOT / "pyproject.toml", TEMPLATES / "repository/pyproject.toml.in"):
        text = re.sub("@[A-Z]+@", '""', file.read_text(encoding="utf-8"))
        yield Settings, tomllib.loads(text)["tool"]["pullbench"]


def _used() -> set[str]:
    return {key for model, data in _files() for key in _written(model, data, model.__name__)}


@pytest.mark.parametrize(("model", "data"), [pytest.param(*e, id=at) for at, e in EXAMPLES])
def test_an_example_is_right(model: type[BaseModel], data: dict[str, Any]) -> None:
    """Of a bundle, pages show a part."""
    if model is not Competition or "version" in data:
        model.model_validate(data)
        return
    assert data.keys() <= fields_of(Competition).keys()
    Extension.model_validate(data.get("pullbench", {}))
    for question in data.get("fact_sheet", {}).values():
        Question.model_validate(question)


def test_each_key_is_used_or_is_listed_with_a_reason() -> None:
    asked = {key for key in every_key() if key.startswith(OURS) or "Competition" not in key}
    unused = {key.removeprefix(OURS) for key in asked - _used()}
    listed = [key for group in UNUSED for key in group["keys"]]
    assert sorted(unused.difference(listed)) == [], "use it, delete it, or say why it is there"
    assert sorted(set(listed) - unused) == [], "take it off the list: it is used, or no key"
    assert len(listed) == len(set(listed))
    assert all(len(group["reason"].split()) > 3 and group["keys"] for group in UNUSED)


def test_each_key_is_on_a_page() -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "site").glob("[!c]*/*.md"))
    names = {key: key.rpartition(".")[2] for key in every_key()}
    assert [key for key, name in names.items() if not re.search(rf"\b{name}\b", pages)] == []
