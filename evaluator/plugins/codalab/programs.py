"""Programs of a bundle: whether they name a command, and are Python that still runs."""

import ast
import re
import warnings

from evaluator.core.errors import Actor
from evaluator.core.formats.schema import Document, Key, dump_yaml, read_yaml
from evaluator.core.importers.folder import METADATA, Folder

MAX_SOURCE = 2**20
"""Bytes of a source file that is looked at."""
# What Python 2 alone can read. Only asked of files that Python 3 refuses, so that a docstring
# with such a line in it harms nobody.
_PYTHON_2 = {
    "a print statement": re.compile(r"^\s*print\s+(?:>>|[\"'\w%(\[{`u-])"),
    "'except Error, name:'": re.compile(r"^\s*except\s+[\w.()\s,]+,\s*\w+\s*:"),
    "'raise Error, text'": re.compile(r"^\s*raise\s+[\w.]+\s*,"),
    "an exec statement": re.compile(r"^\s*exec\s+[\"'\w]"),
    "the operator '<>'": re.compile(r"[\w)\]]\s*<>\s*[\w(\[\"']"),
    "an octal number such as 0777": re.compile(r"(?<![\w.\"'])0[0-7]+\b(?!\.)"),
    "a number such as 10L": re.compile(r"(?<![\w.])\d+[lL]\b"),
    "backquotes": re.compile(r"`[^`]+`"),
}


def check_program(folder: Folder, path: str, at: Key, image: str) -> None:
    """Warn of what makes the program fail at its first run; hoist a lone inner folder."""
    if not folder.is_dir(path):
        return
    if not any(folder.is_file(f"{path}/{name}") for name in METADATA):
        folder.hoist(path)
    _check_metadata(folder, path, at)
    for name in folder.below(path):
        if name.endswith(".py"):
            use = python_2(folder.read(name))
            if use:
                line, what = use
                folder.notes.warn(
                    name,
                    f"is Python 2: line {line} holds {what}",
                    f"Port it to Python 3, or set docker_image, now '{image}', "
                    "to an image whose 'python' is version 2.",
                )


def python_2(content: bytes) -> tuple[int, str] | None:
    """Line and kind of the first thing that only Python 2 reads; None for Python 3."""
    if len(content) > MAX_SOURCE:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(content)
    except TabError as error:
        return error.lineno or 1, "tabs mixed with spaces"
    except SyntaxError:
        pass
    except (ValueError, RecursionError, MemoryError):
        return None
    else:
        return _print_to(tree)
    for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), start=1):
        code = line.partition("#")[0]
        for what, pattern in _PYTHON_2.items():
            if pattern.search(code):
                return number, what
    return None


def _print_to(tree: ast.AST) -> tuple[int, str] | None:
    """Find ``print >>file, text``, which Python 3 reads as a shift and fails at."""
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.RShift):
            left = node.left
            if isinstance(left, ast.Name) and left.id == "print":
                return node.lineno, "a print statement"
    return None


def _check_metadata(folder: Folder, path: str, at: Key) -> None:
    """Make sure that the strict reader, which runs need, can read what the lenient one can."""
    for name in METADATA:
        file = f"{path}/{name}"
        if not folder.is_file(file):
            continue
        content = folder.read(file)
        strict = read_yaml(content, file, Actor.ORGANISER)
        document = read_yaml(content, file, Actor.ORGANISER, lenient=True)
        if any(problem.severity == "error" for problem in document.problems):
            for problem in document.problems:
                folder.notes.refuse(file, problem.message, problem.hint)
        elif strict.problems:
            for problem in document.problems:
                folder.notes.warn(file, problem.message, problem.hint)
            folder.write(file, dump_yaml(document.data))
            folder.notes.note(file, "is written anew as plain YAML")
        _check_command(document, folder, file, at)
        return
    folder.notes.refuse(
        at,
        f"'{path}' has no metadata.yaml, which names the command to run.",
        "Add one with a line such as 'command: python3 $program/main.py $input $output'.",
    )


def _check_command(document: Document, folder: Folder, file: str, at: Key) -> None:
    command = document.data.get("command") if isinstance(document.data, dict) else None
    if isinstance(document.data, dict) and (not command or isinstance(command, dict)):
        # An ingestion program without one was skipped silently on CodaLab and crashes on
        # Codabench, so that bundles with results submissions alone still work.
        say = folder.notes.refuse if at[-1] == "scoring_program" else folder.notes.warn
        say(file, "names no command", "Add a line such as 'command: python3 $program/main.py'.")
        return
    words = " ".join(map(str, command)) if isinstance(command, list) else str(command)
    # In an ingestion program's command, CodaLab's $program is the submission.
    variable = "program" if at[-1] == "scoring_program" else "ingestion_program"
    for separator, name in re.findall(rf"\${variable}([/\\])([\w./\\-]+\.\w+)", words):
        path = f"{file.rpartition('/')[0]}/{name}".replace("\\", "/")
        if separator == "\\":
            folder.notes.warn(
                file, f"writes '${variable}\\{name}' with a backslash", "Write '/' instead."
            )
        elif ".." not in name and not folder.is_file(path):
            folder.notes.warn(
                file,
                f"names '{name}', which is not in the program",
                "Add the file, or correct the command: it fails at its first run.",
            )
