"""Programs of a bundle: whether they run, and what of another platform they count on.

Codabench's worker gives every container a network, lets programs write to their own folder, in
which they begin, mounts a folder of the worker at /app/data, and blames nobody for a scoring
program that ends with an error.

CodaLab v1.5 (codalab/apps/web/tasks.py:350-490) put next to ``input/ref`` and ``input/res``: the
board as it stood (``scores``), likes, downloads and scores of everybody (``coopetition``), an empty
list (``history``), and who submitted when as the how manieth (``metadata``). Neither is part of a
cell's content: with them the same submission would have another score tomorrow, and nothing would
say that the one in the record is stale.
"""

import ast
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from evaluator.core.compute.mounts import METADATA
from evaluator.core.errors import Actor, errors_in, some_of
from evaluator.core.formats.competition import LeaderboardEntry
from evaluator.core.formats.schema import Document, Key, dump_yaml, read_yaml
from evaluator.importing.commands import command_problems
from evaluator.importing.folder import SourceFolder
from evaluator.importing.notes import Notes

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


def check_program(folder: SourceFolder, path: str, at: Key, image: str) -> None:
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


def _check_metadata(folder: SourceFolder, path: str, at: Key) -> None:
    """Make sure that the strict reader, which runs need, can read what the lenient one can."""
    for name in METADATA:
        file = f"{path}/{name}"
        if not folder.is_file(file):
            continue
        content = folder.read(file)
        strict = read_yaml(content, file, Actor.ORGANISER)
        document = read_yaml(content, file, Actor.ORGANISER, lenient=True)
        folder.notes.add(command_problems(document))
        if errors_in(document.problems):
            return
        if strict.problems:
            folder.write(file, dump_yaml(document.data))
            folder.notes.note(file, "is written anew as plain YAML")
        _check_command(document, folder, file, at)
        return
    folder.notes.refuse(
        at,
        f"'{path}' has no metadata.yaml, which names the command to run.",
        "Add one with a line such as 'command: python3 $program/main.py $input $output'.",
    )


def _check_command(document: Document, folder: SourceFolder, file: str, at: Key) -> None:
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


Part = Literal["scoring_program", "ingestion_program"]
# A name of a file as a program writes it that goes to where it begins: no slash, no variable.
_HERE = r"\(\s*[\"'](?![/~{])[^\"'{}]+[\"']"


@dataclass(frozen=True, kw_only=True)
class _Use:
    """Something that a line of a program may do."""

    pattern: re.Pattern[str]
    message: str
    """With ``{part}`` for what the bundle's key is called."""
    hints: Mapping[Part, str]
    """By the program that does it; of others nothing is said."""


def _both(hint: str) -> Mapping[Part, str]:
    return {"scoring_program": hint, "ingestion_program": hint}


_USES: Mapping[str, _Use] = {
    "network": _Use(
        pattern=re.compile(
            r"\b(?:pip3?|conda|mamba|apt|apt-get|npm|git)\b[\"',\s]+(?:install|clone|update)\b"
            r"|\b(?:wget|curl)\s+\S|\binstall\.packages\(|\bPkg\.add\b"
            r"|-m[\"',\s]+(?:venv|virtualenv)\b|\bvenv\.create\b|\bvirtualenv\b"
            r"|\brequests\.(?:get|post|put|request|Session)\b|\burllib2?\.request\b|\burlopen\("
            r"|\burlretrieve\(|\bhttp\.client\b|\bhttpx\.|\baiohttp\.|\bgdown\.|\bboto3\."
            r"|\bsnapshot_download\(|\bhf_hub_download\(|\bload_dataset\("
            r"|\bfrom_pretrained\(\s*[\"'](?![./])|\btorch\.hub\.load|\bnltk\.download\("
            r"|\bOpenAI\(|\bAnthropic\(|\bopenai\.\w|\bsmtplib\.|\bsocket\.create_connection\("
        ),
        message="seems to need a network, to install, download or ask something: there is none",
        hints={
            "scoring_program": "Put what it needs into docker_image or beside it; or name a "
            "Docker network in pullbench.scoring_network.",
            "ingestion_program": "Put what it needs into docker_image or beside it; or name a "
            "Docker network in pullbench.network.",
        },
    ),
    "writes": _Use(
        pattern=re.compile(
            rf"\bopen{_HERE}\s*,\s*(?:mode\s*=\s*)?[\"'][wax]"
            rf"|\.(?:to_csv|to_json|to_pickle|savefig|savetxt){_HERE}"
            rf"|\b(?:makedirs|mkdir){_HERE}"
            r"|/app/program\b.*(?:[\"'][wax]b?\+?[\"']|mkdir|makedirs|\.write|>\s*\S)"
            r"|>\s*[\"']?/app/program\b|\bmkdir\b.*/app/program\b"
            r"|__file__.*[\"'][wax]b?\+?[\"']"
        ),
        message="seems to write to /app/program, in which programs begin: it is read only",
        hints=_both("Write to the folder that the command names as $output, or to /tmp."),
    ),
    "data": _Use(
        pattern=re.compile(r"/app/data\b"),
        message="reads /app/data, a folder of Codabench's workers: nothing is there",
        hints=_both(
            "Copy it below the folder that [tool.pullbench] data names, and pin it: `private: "
            "[{task: 0, file: data, path: FOLDER, sha256: DIGEST}]` under pullbench."
        ),
    ),
    "copy": _Use(
        pattern=re.compile(
            r"(?:\bsys\.path\b|\bPYTHONPATH\b|\bchdir\(|^\s*cd\s|\bspec_from_file_location\()"
            r".*(?:/app/output|\boutput\w*)"
            r"|\b(?:python3?|bash|sh|Rscript|julia)\s+/app/output/"
        ),
        message="looks for the submission in /app/output, where Codabench leaves a copy of one "
        "without metadata.yaml: there is none",
        hints={
            "scoring_program": "Let the ingestion program copy what scoring needs of it to $output "
            "and read that below /app/input/res.",
            "ingestion_program": "It is in /app/ingested_program, as on Codabench: read it there.",
        },
    ),
    "raises": _Use(
        pattern=re.compile(r"^\s*raise\s+[\w(\"']|\bsys\.exit\(\s*(?:[1-9\"'f]|-)|^\s*assert\s"),
        message="ends with an error, for which you are asked, not the participant",
        hints={
            "scoring_program": "Where predictions are at fault say why before it: "
            "`open(os.path.join(output_dir, 'rejected.txt'), 'w').write('row 3: not a number')`, "
            "which the participant is shown.",
        },
    ),
}  # fmt: skip


def check_environment(folder: SourceFolder, path: str, part: Part) -> None:
    wanted = {name: use for name, use in _USES.items() if part in use.hints}
    names = folder.below(path)
    contents = {
        name: folder.read(name)
        for name in names
        if name.lower().endswith(SOURCES) or name.rpartition("/")[2] in METADATA
    }
    if any(b"rejected.txt" in content for content in contents.values()):
        wanted.pop("raises", None)
    patterns = {name: use.pattern for name, use in wanted.items()}
    for name, content in contents.items():
        for line, what in first_uses(content, patterns):
            use = wanted[what]
            folder.notes.warn(name, use.message, use.hints[part], line=line)


def check_hidden(board: LeaderboardEntry, notes: Notes) -> None:
    hidden = [column.key for column in board.columns if column.hidden]
    if board.hidden or hidden:
        what = "the board" if board.hidden else some_of([f"'{key}'" for key in hidden])
        notes.warn(
            ("leaderboards", 0, "hidden") if board.hidden else ("leaderboards", 0, "columns"),
            f"hides {what} on pages alone: the scores lie in git, where everybody reads them.",
            "`pullbench keygen` makes a key for [tool.pullbench] seal, to which they are "
            "encrypted; or keep the repository private.",
        )


MAX_LINE = 2000
SOURCES = (".py", ".sh", ".r", ".m", ".pl", ".jl")
INPUTS = {
    "input/coopetition": re.compile(r"coopetition|[\"'/]current_user\.txt"),
    "input/metadata": re.compile(
        r"[\"'](?:submitted-(?:by|at)|competition-(?:submission|phase)|automatic-submission)\b"
    ),
    "input/history": re.compile(r"input(?:\w*\s*[,/]\s*[\"']|\w*/)history\b"),
    "input/scores": re.compile(r"input(?:\w*\s*[,/]\s*[\"']|\w*/)scores(?:\.txt)?[\"'/]"),
}
_REASONS = {
    "input/coopetition": "what others submitted, liked and downloaded",
    "input/metadata": "who submitted, when, and how often before",
    "input/history": "a list of earlier submissions, which CodaLab left empty",
    "input/scores": "the board as it is",
}


def check_inputs(folder: SourceFolder, path: str) -> None:
    for name in sources(folder, path):
        for line, what in first_uses(folder.read(name), INPUTS):
            folder.notes.warn(
                name,
                f"line {line} seems to read '{what}', {_REASONS[what]}: it is not there",
                "A score is a function of the submission and the task alone, so that it can be "
                "made again. Let the program do without; ranks and quotas are pullbench's.",
            )


def sources(folder: SourceFolder, path: str) -> list[str]:
    return [name for name in folder.below(path) if name.lower().endswith(SOURCES)]


def first_uses(content: bytes, patterns: Mapping[str, re.Pattern[str]]) -> list[tuple[int, str]]:
    if len(content) > MAX_SOURCE:
        return []
    first_use: dict[str, int] = {}
    for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), start=1):
        code = line[:MAX_LINE].partition("#")[0]
        for what, pattern in patterns.items():
            if what not in first_use and pattern.search(code):
                first_use[what] = number
    return [(line, what) for what, line in first_use.items()]
