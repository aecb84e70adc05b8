"""Verbs are loaded when somebody names them."""

import ast
import importlib.metadata
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click
import pytest

from evaluator.core import plugins
from evaluator.core.cli import cli, group
from tests.repository import Repository

ROOT = Path(__file__).parents[3]


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


def test_every_command_is_in_the_list_of_verbs() -> None:
    for path in Path(group.__file__).parent.glob("*.py"):
        import_module(f"evaluator.core.cli.{path.stem}")
    assert sorted(cli.commands) == cli.list_commands(click.Context(cli))


def options_of(command: click.Command, context: click.Context) -> Iterator[str]:
    for parameter in command.get_params(context):
        yield from (*parameter.opts, *parameter.secondary_opts)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            if (inner := command.get_command(context, name)) is not None:
                yield from options_of(inner, click.Context(inner, parent=context, info_name=name))


def test_messages_name_options_that_there_are() -> None:
    """But for commands of other programs, which are in backquotes."""
    options = set(options_of(cli, click.Context(cli)))
    assert "--userdir" in options
    for path in (ROOT / "evaluator").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == "hint":
                texts = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant)]
                text = re.sub("`(?!pullbench)[^`]*`", "", "".join(map(str, texts)))
                assert set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]+", text)) <= options, path


def test_verbs_import_what_they_call_when_they_are_called() -> None:
    modules = ", ".join(
        f"evaluator.core.cli.{path.stem}" for path in Path(group.__file__).parent.glob("[!_]*.py")
    )
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, {modules}; print(*sys.modules)"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    loaded = set(done.stdout.split())
    assert "evaluator.core.cli.evaluation" in loaded
    assert not {"mkdocs", "numpy", "pandas", "jinja2", "git", "docker"} & loaded
    ours = [name.split(".") for name in loaded if name.startswith("evaluator.")]
    others = {".".join(name) for name in ours if name[1] != "core"}
    assert all(name.count(".") < 3 or name.endswith(".plugin") for name in others), others
    assert {name[2] for name in ours if name[1] == "core" and len(name) > 2} <= {
        "cli", "clock", "errors", "formats", "log", "optional", "plugin", "plugins",
        "ranking",
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.docker
def test_each_verb_loads_only_what_it_needs(small: Repository) -> None:
    for name, least in _LEAST.items():
        called = f"cli.main({name.split()}, standalone_mode=False)"
        asked = f"from evaluator.core.cli import cli; {called}"
        done = subprocess.run(
            [sys.executable, "-c", f"import sys; {asked}; print(*sys.modules)"],
            cwd=small.path, env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        loaded = set(done.stdout.split())
        assert least in loaded, name
        assert _HEAVY & loaded <= _NEEDED.get(name, set()), name


_LEAST = {
    "plan": "evaluator.core.planning.plan",
    "validate": "evaluator.core.planning.rules",
    "leaderboard adding": "evaluator.core.leaderboard.board",
    "run": "evaluator.core.scores.running",
}
_HEAVY = {
    "asyncio", "dateutil", "docker", "git", "jinja2", "mkdocs", "multiprocessing", "numpy",
    "packaging", "pandas", "pyarrow", "pygit2", "requests", "rich", "urllib3",
}  # fmt: skip
"""Modules that take longer to load than a plan to be made."""
_NEEDED = {"leaderboard adding": {"numpy"}, "run": {"docker", "numpy", "requests", "urllib3"}}


def test_the_version_is_said_without_what_verbs_need() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "evaluator", "--version"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "evaluator.core.cli.group" in loaded
    assert not {"pydantic", "msgspec", "yaml", "numpy", "git", "docker", "requests"} & loaded
    assert not {"importlib.metadata", "rich", "email.message"} & loaded


def test_entry_points_are_those_that_python_finds() -> None:
    found = importlib.metadata.entry_points(group=plugins.GROUP)
    assert sorted(plugins.entry_points()) == sorted((one.name, one.value) for one in found)
