"""What `make lint` checks of scripts is all of them, with tools that are pinned by digest."""

import json
import re
from pathlib import Path

import pytest

from evaluator.site.build.data_files import schema_files
from evaluator.site.pages import benchmark_pages
from tests.javascript.forms import READ_BY_SCRIPTS, declarations

HERE = Path(__file__).parent
MODULES = sorted((Path(benchmark_pages.__file__).parent / "assets").glob("*.js"))
ESCAPES = re.compile(
    r"@ts-(ignore|nocheck|expect-error)|eslint-disable|\{[^}]*(\bany\b|\*|\bFunction\b)[^}]*\} \w"
)


def test_there_are_modules() -> None:
    assert len(MODULES) > 25


@pytest.mark.parametrize("module", MODULES, ids=lambda module: str(module.name))
def test_every_module_is_checked_and_none_opts_out(module: Path) -> None:
    text = module.read_text()
    assert text.startswith("// @ts-check\n")
    for line in text.splitlines():
        # `any` in prose is a word; between the braces of a tag it is the absence of a type.
        if line.strip().startswith(("*", "/**", "//")):
            assert not ESCAPES.search(line), line


def test_escapes_are_seen() -> None:
    for line in (
        "// @ts-ignore", "// eslint-disable-next-line", "/** @param {any} x */",
        "/** @type {Map<string, any>} x */", " * @param {*} x", "/** @param {Function} f */",
    ):  # fmt: skip
        assert ESCAPES.search(line), line


def test_types_of_files_are_those_of_their_schemas() -> None:
    text = "".join(declarations())
    for name, content in schema_files():
        if Path(name).stem not in READ_BY_SCRIPTS:
            continue
        schema = json.loads(content)
        for each in (schema, *schema.get("$defs", {}).values()):
            body = re.search(
                rf"^export interface {each['title']} \{{$(.*?)^\}}$", text, re.M | re.S
            )
            assert body, each["title"]
            assert re.findall(r'^  "(\w+)"\??: ', body[1], re.M) == list(each["properties"])


def test_packages_are_pinned_by_version_and_digest_and_of_no_registry() -> None:
    wanted = json.loads((HERE / "package.json").read_text())["devDependencies"]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in wanted.values())
    lock = json.loads((HERE / "package-lock.json").read_text())
    packages = dict(lock["packages"])
    assert packages.pop("")["devDependencies"] == wanted
    assert len(packages) > 50
    for name, package in packages.items():
        assert package["integrity"].startswith("sha512-"), name
        assert "resolved" not in package, name
