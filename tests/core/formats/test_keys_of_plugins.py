"""Keys of bundles, phases and settings that a plugin owns."""

import copy

import pytest
from pydantic import TypeAdapter

from evaluator.core.errors import InvalidInputError
from evaluator.core.formats.competition import Competition
from evaluator.core.formats.parsing import Strict
from evaluator.core.formats.settings import Settings, parse_settings
from evaluator.core.plugins import Plugin
from tests.plugging import plug_in
from tests.repository import Repository

BUNDLE = "benchmarks/adding/competition.yaml"


class Colour(Strict):
    """What the plugin's key holds."""

    shade: int = 1


HERE = f"{__name__}:Colour"


@pytest.fixture
def coloured(monkeypatch: pytest.MonkeyPatch) -> None:
    places = ("bundle_keys", "phase_keys", "settings")
    plug_in(monkeypatch, Plugin(offers={f"{place}.colour": HERE for place in places}))


@pytest.mark.usefixtures("coloured")
def test_values_reach_the_bundle_its_phases_and_the_settings(small: Repository) -> None:
    small.replace(
        BUNDLE, "\npullbench:\n",
        "\npullbench:\n  colour: {shade: 3}\n  phases: {0: {colour: {shade: 4}}}\n",
    )  # fmt: skip
    benchmark = small.snapshot().benchmarks["adding"]
    assert benchmark.of_plugins == {"colour": Colour(shade=3)}
    assert benchmark.phases[0].of_plugins == {"colour": Colour(shade=4)}
    settings = parse_settings(b"[tool.pullbench]\ncolour = {shade = 5}\n")
    assert settings.of_plugins == {"colour": Colour(shade=5)}


@pytest.mark.usefixtures("coloured")
def test_values_are_compared_and_written_like_those_of_other_keys() -> None:
    with_key, without = (
        Settings.model_validate({"branch": "main", **keys})
        for keys in ({"colour": {"shade": 5}}, {})
    )
    assert with_key != without
    assert with_key == copy.deepcopy(with_key)
    assert with_key.model_dump()["colour"] == {"shade": 5}
    assert Settings.model_validate_json(with_key.model_dump_json()) == with_key
    assert "colour" not in without.model_dump()


@pytest.mark.usefixtures("coloured")
def test_every_mistake_is_reported_at_its_key(small: Repository) -> None:
    small.replace(
        BUNDLE,
        "\npullbench:\n",
        "\npullbench:\n  colour: {shade: dark, hue: 1}\n  color: {}\n  gpus: many\n",
    )
    problems = small.problems()
    assert (
        next(one.hint for one in problems if one.key == "pullbench.color")
        == "Did you mean 'colour'?"
    )
    keys = {problem.key for problem in problems}
    assert {"pullbench.colour.shade", "pullbench.colour.hue", "pullbench.gpus"} <= keys
    with pytest.raises(InvalidInputError) as caught:
        parse_settings(b"[tool.pullbench]\ncolour = {shade = 'dark'}\n")
    assert caught.value.problems[0].key == "tool.pullbench.colour.shade"


def test_without_the_plugin_its_key_is_unknown(small: Repository) -> None:
    small.replace(BUNDLE, "\npullbench:\n", "\npullbench:\n  colour: {shade: 3}\n")
    assert "pullbench.colour" in {problem.key for problem in small.problems()}


@pytest.mark.usefixtures("coloured")
def test_editors_know_the_keys_of_plugins() -> None:
    definitions = TypeAdapter(Competition).json_schema()["$defs"]
    assert definitions["Extension"]["properties"]["colour"] == {"$ref": "#/$defs/Colour"}
    assert "shade" in definitions["Colour"]["properties"]
