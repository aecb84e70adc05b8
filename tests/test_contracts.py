"""Each offer of a plugin has a contract, and is what the contract asks for.

``python -m tests.test_contracts`` writes anew: the page of contracts, and a module by which mypy
compares the types.
"""

import ast
import inspect
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pytest

from evaluator.core.errors import UsageError
from evaluator.core.git.repository import ADVICE
from evaluator.core.plugins import GROUP, Plugin, fault_of, plugins
from tests.plugging import plug_in

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "site/contributors/contracts.md"
TYPED = ROOT / "tests/every_offer.py"
HEAD = """---
search:
  exclude: true # it names everything, so that every search would find it
---

# Contracts

What each room asks of plugins, from the code that declares it: `python -m tests.test_contracts` writes this page. A `Plugin` offers `contract.name`; a contract without `NAME` has one offer at most. What is offered has to be the type; an offer to a name that is not here does nothing. [How pullbench is built](index.md) says what to add where.

| Contract | Type | What it is for | Declared in |
|---|---|---|---|
"""  # noqa: E501
TYPED_HEAD = '''"""Offers by contract, for mypy. Written by ``python -m tests.test_contracts``."""

# ruff: noqa: I001
from evaluator.core.plugins import Contract, Service, T


def fits(contract: Contract[T], offered: T) -> None: ...


def serves(service: Service[T], offered: T) -> None: ...


'''


class Declared(NamedTuple):
    """A contract, or a service, as the code has it."""

    name: str
    is_service: bool
    kind: str
    says: str
    module: str
    variable: str


def _called(value: ast.expr | None) -> tuple[str, str, ast.expr | None] | None:
    """Return kind of contract, name and type of a call; None for all else."""
    if not isinstance(value, ast.Call) or not value.args:
        return None
    function, first = value.func, value.args[0]
    kind = function.slice if isinstance(function, ast.Subscript) else None
    named = function.value if isinstance(function, ast.Subscript) else function
    if isinstance(named, ast.Name) and named.id in ("Contract", "Service"):
        assert isinstance(first, ast.Constant)
        return named.id, str(first.value), kind
    return None


def _in(body: list[ast.stmt], module: str, prefix: str = "") -> Iterator[Declared]:
    annotations: dict[str, str] = {}
    for place, statement in enumerate(body):
        if isinstance(statement, ast.ClassDef):
            yield from _in(statement.body, module, f"{prefix}{statement.name}.")
        if isinstance(statement, ast.AnnAssign):
            target: ast.expr = statement.target
            if isinstance(statement.annotation, ast.Constant):
                annotations[ast.unparse(target)] = str(statement.annotation.value)
        elif isinstance(statement, ast.Assign):
            target = statement.targets[0]
        else:
            continue
        if (called := _called(statement.value)) is None:
            continue
        after = body[place + 1] if place + 1 < len(body) else None
        text = after.value if isinstance(after, ast.Expr) else None
        says = " ".join(str(text.value).split()) if isinstance(text, ast.Constant) else ""
        kind, name, of = called
        variable = ast.unparse(target)
        shown = ast.unparse(of) if of else annotations[variable].partition("[")[2][:-1]
        yield Declared(name, kind == "Service", shown, says, module, f"{prefix}{variable}")


def declared() -> list[Declared]:
    """Return all of them, by name."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "evaluator/*.py"], cwd=ROOT, check=True,
        capture_output=True, text=True,
    ).stdout.splitlines()  # fmt: skip
    found = [
        one
        for path in map(Path, listed)
        if "templates" not in path.parts
        for one in _in(
            ast.parse((ROOT / path).read_text()).body, ".".join(path.with_suffix("").parts)
        )
    ]
    return sorted(found)


def offered() -> dict[str, str]:
    return {key: target for plugin in plugins() for key, target in plugin.offers.items()}


def page() -> str:
    lines = [
        f"| `{one.name}{'' if one.is_service else '.NAME'}` | `{one.kind.replace(' | ', ' or ')}` "
        f"| {one.says} | `{one.module.removeprefix('evaluator.').replace('.', '/')}` |"
        for one in declared()
    ]
    return HEAD + "\n".join(lines).replace("``", "`") + "\n"


def typed() -> str:
    modules: dict[str, str] = {}

    def name(module: str) -> str:
        return modules.setdefault(module, f"m{len(modules)}")

    lines = []
    for one in declared():
        for key, target in offered().items():
            contract, _, _ = key.partition(".")
            if one.name in (contract, key):
                module, _, attribute = target.partition(":")
                call = "serves" if one.is_service else "fits"
                lines.append(
                    f"{call}({name(one.module)}.{one.variable}, {name(module)}.{attribute})"
                )
    imports = [f"import {module} as {short}" for module, short in modules.items()]
    head, functions = TYPED_HEAD.split("\n\n\n", 1)
    return "\n".join([head, *imports, "", "", functions + "\n".join(lines), ""])


@pytest.mark.parametrize(("file", "text"), [(PAGE, page), (TYPED, typed)], ids=["page", "types"])
def test_what_is_written_from_the_contracts_is_new(file: Path, text: Callable[[], str]) -> None:
    assert file.read_text() == text(), "write it anew: python -m tests.test_contracts"


def test_each_offer_has_a_contract() -> None:
    names = {one.name for one in declared()}
    assert [key for key in offered() if not {key, key.partition(".")[0]} & names] == []
    assert len(names) > 30


class Speaks(Protocol):
    """Has a word."""

    word: str

    def say(self) -> str: ...


class Asks(Protocol):
    """Is called by name."""

    def __call__(self, text: str, *, loud: bool) -> str: ...


@pytest.mark.parametrize(
    ("wanted", "offers", "fault"),
    [
        (Callable[[str], str], str.upper, ""),
        (Callable[[str], str], lambda: "", "is called with (str): too many positional arguments"),
        (Speaks, inspect, "has no word, say, as Speaks has"),
        (Asks, lambda text, loud: text, ""),
        (Asks, lambda text: text, "is called with (text, loud): got an unexpected keyword"),
        (Path, Path(), ""),
        (Any, "anything", ""),
        (Path, "here", "is no Path"),
        (Callable[[str], str], str, ""),
        (Speaks, Speaks, "is a class"),
    ],
)
def test_an_offer_of_another_kind_is_named(wanted: object, offers: object, fault: str) -> None:
    said = fault_of(offers, wanted)
    assert said.startswith(fault)
    assert bool(said) == bool(fault)


def two_words(said: str, more: str) -> str:
    return said + more


def test_a_strangers_plugin_with_a_wrong_signature_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plug_in(monkeypatch, Plugin(offers={"git_advice.mine": f"{__name__}:two_words"}))
    with pytest.raises(UsageError, match=r"two_words is offered as 'git_advice.mine', and"):
        list(ADVICE.values())


def test_a_plugin_of_another_version_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "of_before.py").write_text(
        "from evaluator.core.plugins import Plugin\nPLUGIN = Plugin(verbs={})\n"
    )
    folder = tmp_path / "before-1.dist-info"
    folder.mkdir()
    (folder / "entry_points.txt").write_text(f"[{GROUP}]\nbefore = of_before:PLUGIN\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UsageError, match=r"'before' \(of_before:PLUGIN\) does not fit: .*'verbs'"):
        plugins.__wrapped__()


def test_an_offer_without_a_name_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    plug_in(monkeypatch, Plugin(offers={"reviews": f"{__name__}:two_words"}))
    with pytest.raises(UsageError, match="as 'reviews', which names no contract"):
        list(ADVICE)


if __name__ == "__main__":
    PAGE.write_text(page())
    TYPED.write_text(typed())
