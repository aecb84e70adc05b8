"""What no module may import; import-linter checks the layers, and who may use which library."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]


def modules() -> Iterator[str]:
    """Yield paths below the package, as git knows them: tests beside this one may leave others."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "evaluator/*.py"], cwd=ROOT, capture_output=True, check=True
    )
    for path in listed.stdout.decode().rstrip("\0").split("\0"):
        yield path.removeprefix("evaluator/")


def imports(file: Path) -> set[str]:
    """Top-level names of the packages that a module imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return found


def test_the_scores_of_strangers_are_read_without_yaml_or_pickle() -> None:
    """Nothing in the package can be made to build objects out of a program's output."""
    for module in modules():
        assert not imports(ROOT / "evaluator" / module) & {"pickle", "marshal", "shelve"}, module


def test_decoders_are_made_when_their_module_is_loaded() -> None:
    """The first use of a type in several threads at once ends msgspec with a signal."""
    late = [
        f"{module}:{node.lineno}"
        for module in modules()
        for node in ast.walk(ast.parse((ROOT / "evaluator" / module).read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("decode", "convert")
        and any(word.arg == "type" for word in node.keywords)
    ]
    assert late == []


_DECODERS = {"json.load", "json.loads", "json.JSONDecoder", "tomllib.load", "tomllib.loads",
             "msgspec.json.decode", "msgspec.json.Decoder", "msgspec.msgpack.decode",
             "msgspec.msgpack.Decoder", "msgspec.toml.decode", "msgspec.yaml.decode"}  # fmt: skip
_DOORS = {"core/formats/json_reader.py", "core/formats/settings.py"}
_READ_WHAT_THIS_PROGRAM_WROTE = {
    "ci/git/following.py": "a note in the git directory",
    "core/leaderboard/previous_lines.py": "a cache",
    "core/planning/submissions.py": "a cache",
    "plugins/host/fork_server.py": "a request of its parent",
    "plugins/host/host_process.py": "an answer of its child",
    "plugins/host/supervisor.py": "a request of its parent",
    "plugins/openml/tasks/child.py": "a request of its parent",
    "plugins/openml/tasks/client.py": "an answer of its child",
    "site/build/output.py": "a cache",
    "site/build/search.py": "a file that MkDocs has just written",
    "site/content/history.py": "a cache",
}
_NO_STRANGERS = {
    "core/compute/engine/docker_client.py": "the engine, which has all rights here",
}


def decoders(tree: ast.Module) -> set[str]:
    """Dotted names of the decoders that a module uses, however it imports them."""
    names = {
        alias.asname or alias.name.partition(".")[0]: (
            f"{node.module}.{alias.name}" if isinstance(node, ast.ImportFrom) else alias.name
        )
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    used = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Name, ast.Attribute)):
            first, dot, rest = ast.unparse(node).partition(".")
            used.add(f"{names.get(first, first)}{dot}{rest}")
        if isinstance(node, ast.Attribute) and node.attr in (
            "model_validate_json", "validate_json", "from_json", "decode_lines"
        ):  # fmt: skip
            used.add(node.attr)
    return used & (_DECODERS | {"model_validate_json", "validate_json", "decode_lines"})


def test_what_comes_from_outside_has_one_door() -> None:
    """Other decoders end with RecursionError or MemoryError, which no reader expects."""
    files = {module: ROOT / "evaluator" / module for module in modules()}
    using = {
        module for module, file in files.items()
        if "/templates/" not in module and decoders(ast.parse(file.read_text()))
    }  # fmt: skip
    assert using == _DOORS | _READ_WHAT_THIS_PROGRAM_WROTE.keys() | _NO_STRANGERS.keys()
    for way in ("import json\njson.loads(x)", "from json import loads as read\nread(x)",
                "import msgspec as m\nm.json.Decoder(int)", "Model.model_validate_json(x)",
                "from msgspec.json import decode\ndecode(x)"):  # fmt: skip
        assert decoders(ast.parse(way)), way


def test_tests_have_plain_names() -> None:
    """No numbers of sections that nobody can look up."""
    named = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in ROOT.glob("tests/**/*.py")
        for name in re.findall(r"def (test_\d+_\d\w*|test_\d+_[a-z]\w*)\(", path.read_text())
    ]
    assert named == []
