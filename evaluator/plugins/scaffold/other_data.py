"""``pullbench init --from BENCHMARK --data FOLDER``: the same benchmark on other data.

What competition.yaml names as input and reference data comes from the folder alone. Pages, terms
and the logo may be replaced too. Programs, image and rules stay, byte for byte: then methods run on
both benchmarks as they are.
"""

from collections.abc import Iterator
from pathlib import Path

from evaluator.core.errors import Actor, InvalidInputError, Problem, UsageError
from evaluator.core.formats.bundle import FILE_NAME, Benchmark
from evaluator.importing.files import Files


def with_data(benchmark: Benchmark, files: Files, folder: Path) -> dict[str, tuple[bytes, bool]]:
    """Files with data in place of a bundle's. Raises UsageError, InvalidInputError."""
    given = _read(folder)
    data = sorted({*_data(benchmark)} - _private(benchmark))
    if not data:
        raise UsageError(
            f"benchmark '{benchmark.name}' has no data in its bundle",
            hint="Leave --data away, and change competition.yaml.",
        )
    texts = {benchmark.logo, benchmark.terms, *(page.file for page in benchmark.pages)}
    problems = [
        *(
            _problem(folder, path, "is missing, and competition.yaml names it")
            for path in data
            if not any(_within(name, path) for name in given)
        ),
        *(
            _problem(folder, name, "is neither data of a task nor a page, the terms or the logo")
            for name in given
            if name not in texts and not any(_within(name, path) for path in data)
        ),
    ]
    if problems:
        raise InvalidInputError(problems)
    unchanged = {
        name: file
        for name, file in files.items()
        if not any(_within(name, path) for path in data)
    }  # fmt: skip
    return {**unchanged, **given}


def _data(benchmark: Benchmark) -> Iterator[str]:
    for task in benchmark.tasks:
        for path in (task.input_data, task.reference_data):
            if path:
                yield _normal(path)


def _private(benchmark: Benchmark) -> set[str]:
    return {
        _normal(path)
        for task in benchmark.tasks
        for private in task.private
        if (path := getattr(task, private.file, None))
    }


def _normal(path: str) -> str:
    return path.removeprefix("./").rstrip("/")


def _within(name: str, path: str) -> bool:
    return name == path or name.startswith(f"{path}/")


def _read(folder: Path) -> dict[str, tuple[bytes, bool]]:
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder", hint="It holds the data, as the bundle does.")
    paths = sorted(path for path in folder.rglob("*") if path.is_symlink() or path.is_file())
    links = [path for path in paths if path.is_symlink()]
    if links:
        raise InvalidInputError(
            _problem(folder, path.relative_to(folder).as_posix(), "is a link; copy what it names")
            for path in links
        )
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes(), bool(path.stat().st_mode & 0o100))
        for path in paths
    }


def _problem(folder: Path, path: str, message: str) -> Problem:
    return Problem(
        file=f"{folder}/{path}", message=message, actor=Actor.ORGANISER,
        hint=f"Lay the folder out as {FILE_NAME} of the old benchmark does.",
    )  # fmt: skip
