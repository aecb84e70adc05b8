"""Files of a bundle in memory: of a template, as a new folder, as a zip of the same bytes."""

import io
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

from evaluator.core.errors import Actor, InvalidInputError, Problem, UsageError
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.names import name_problem
from evaluator.core.git.tree import Tree
from evaluator.core.planning.snapshot import Snapshot
from evaluator.importing.placing import workplace

PLAIN_LOGO = Path(__file__).with_name("logo.png")
"""For a benchmark that has none."""
_EPOCH = (1980, 1, 1, 0, 0, 0)
_STORED_FROM = 100
"""Files that shrink more than so many times are stored: an import refuses bombs at 200."""
Files = Mapping[str, tuple[bytes, bool]]
"""Path -> content, and whether it is executable."""


def check_name(name: str) -> None:
    problem = name_problem(name, name, Actor.ORGANISER)
    if problem is not None:
        raise UsageError(problem.message, hint=problem.hint)


def read_template(folder: Path) -> dict[str, tuple[bytes, bool]]:
    """Read the files of a template. A wheel keeps no mode: scripts are known by their names."""
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes(), path.suffix == ".sh")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def write_files(folder: Path, files: Files) -> None:
    for name, (content, executable) in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        file.chmod(0o755 if executable else 0o644)


def write_contents(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write files by their paths below a folder; modes of those that are there stay."""
    for name, content in contents.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def write_new(root: Path, path: str, files: Files) -> None:
    """Write files into a folder that must not be there yet, as a whole. Raises UsageError."""
    target = root / path
    if target.exists():
        raise UsageError(
            f"{target.parent.name}/{target.name} is there already", hint="Choose another name."
        )
    with workplace(root) as work:
        folder = work / target.name
        write_files(folder, files)
        target.parent.mkdir(parents=True, exist_ok=True)
        folder.rename(target)


def zip_bytes(files: Files, *, comment: bytes = b"") -> bytes:
    """A zip: members sorted, times fixed, modes 644 and 755 alone."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in sorted(files):
            content, executable = files[name]
            info = zipfile.ZipInfo(name, _EPOCH)
            info.create_system = 3  # Unix, whatever machine writes it
            info.external_attr = (0o100755 if executable else 0o100644) << 16
            shrunk = len(zlib.compress(content, 6)) or 1
            dense = len(content) > shrunk * _STORED_FROM
            info.compress_type = zipfile.ZIP_STORED if dense else zipfile.ZIP_DEFLATED
            archive.writestr(info, content, compresslevel=6)
        archive.comment = comment
    return buffer.getvalue()


def pack(source: Path) -> bytes:
    """A file as it is, a folder as a zip. Raises UsageError for one that is empty."""
    if source.is_file():
        return source.read_bytes()
    files = [path for path in source.rglob("*") if path.is_file()]
    if not files:
        raise UsageError(f"{source} holds no file")
    return zip_bytes(
        {
            path.relative_to(source).as_posix(): (
                path.read_bytes(), bool(path.stat().st_mode & 0o100),
            )
            for path in files
        }
    )  # fmt: skip


def bundle_files(snapshot: Snapshot, name: str) -> tuple[Benchmark, Files]:
    """A benchmark and its files. Raises UsageError, InvalidInputError, also for links."""
    errors = [
        problem
        for problem in snapshot.problems
        if problem.severity == "error" and problem.file.startswith(f"benchmarks/{name}/")
    ]
    if errors and name not in snapshot.benchmarks:
        raise InvalidInputError(errors)
    benchmark = snapshot.benchmark(name)
    return benchmark, _regular_files(snapshot.tree, benchmark.path)


def _regular_files(tree: Tree, folder: str) -> Files:
    paths = tree.under(folder)
    links = [path for path in paths if not tree.entries[path].is_regular]
    if links:
        raise InvalidInputError(
            Problem(
                file=path, message="is a link or a submodule", actor=Actor.ORGANISER,
                hint="Replace it by the file or folder that it points to.",
            )
            for path in links
        )  # fmt: skip
    return {
        path.removeprefix(f"{folder}/"): (content, tree.entries[path].mode == "100755")
        for path, content in tree.read(paths).items()
    }


def required_answers(benchmark: Benchmark) -> dict[str, str | bool]:
    answers: dict[str, str | bool] = {}
    for key, question in benchmark.fact_sheet.items():
        if question.is_required and question.type == "checkbox":
            answers[key] = True
        elif question.is_required:
            answers[key] = (*question.choices, "sample")[0]
    return answers
