"""The page of modules says what their docstrings say.

Writes it anew: python -m tests.test_modules_page
"""

import ast
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "site/contributors/modules.md"
HEAD = """---
search:
  exclude: true # it names everything, so that every search would find it
---

# Modules

Each folder of `evaluator/`, room by room, and what each module says of itself in its first line. [How pullbench is built](index.md) has the flow and the rules of imports. `python -m tests.test_modules_page` writes this page from the docstrings.
"""  # noqa: E501
ROOMS = ("", "core", "ci", "site", "importing", "plugins")


def modules() -> dict[str, list[Path]]:
    """Return the modules of each folder of the package, by its path; ``.`` is the package."""
    listed = subprocess.run(
        ["git", "ls-files", "evaluator/*.py"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    folders: dict[str, list[Path]] = {}
    for path in map(Path, listed):
        if "templates" not in path.parts:
            folders.setdefault(path.parent.relative_to("evaluator").as_posix(), []).append(path)
    return folders


def _room(folder: str) -> str:
    return "" if folder == "." else folder.partition("/")[0]


def line(path: Path) -> str:
    docstring = ast.get_docstring(ast.parse((ROOT / path).read_text())) or ""
    name = path.relative_to("evaluator").with_suffix("").as_posix()
    sentence = docstring.partition("\n\n")[0].replace("\n", " ").replace("``", "`")
    return f"| `{name}` | {sentence.replace('|', chr(92) + '|')} |"


def page() -> str:
    parts = [HEAD]
    folders = modules()
    for folder in sorted(folders, key=lambda folder: (ROOMS.index(_room(folder)), folder)):
        paths = sorted(path for path in folders[folder] if path.name != "__init__.py")
        init = ROOT / "evaluator" / folder / "__init__.py"
        says = (ast.get_docstring(ast.parse(init.read_text())) or "").partition("\n\n")[0]
        says = says.replace("\n", " ").replace("``", "`")
        title = "The package" if folder == "." else f"`{folder}`"
        parts.append(f"## {title}\n\n{says}\n\n| Module | What it does |\n|---|---|\n")
        parts.append("\n".join(map(line, paths)) + "\n")
    return "\n".join(parts).replace("|---|---|\n\n|", "|---|---|\n|")


def test_the_page_of_modules_is_that_of_their_docstrings() -> None:
    assert PAGE.read_text() == page(), "write it anew: python -m tests.test_modules_page"


def test_every_module_says_what_it_is() -> None:
    for path in (path for paths in modules().values() for path in paths):
        assert ast.get_docstring(ast.parse((ROOT / path).read_text())), path


if __name__ == "__main__":
    PAGE.write_text(page())
