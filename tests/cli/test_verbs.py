"""Verbs are loaded when somebody names them."""

import subprocess
import sys

import click
import pytest

from evaluator.cli import cli


def test_every_verb_is_listed_once_and_found() -> None:
    context = click.Context(cli)
    names = cli.list_commands(context)
    assert names == sorted(set(names))
    assert {"site", "plan", "run", "import", "pr", "suite"} <= set(names)
    for name in names:
        found = cli.get_command(context, name)
        assert found is not None
        assert found.name == name
        assert found.help
    assert cli.get_command(context, "nonsense") is None


@pytest.mark.parametrize("verb", ["site", "plan"])
def test_a_site_begins_before_most_is_loaded(verb: str) -> None:
    asked = f"cli.get_command(click.Context(cli), {verb!r}); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, click; from evaluator.cli import cli; {asked}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    loaded = set(done.stdout.split())
    assert "evaluator.git.tree" in loaded
    assert ("evaluator.pipeline" in loaded) == (verb == "plan")
    assert not {"mkdocs", "numpy", "jinja2", "pydantic"} & loaded or verb == "plan"
