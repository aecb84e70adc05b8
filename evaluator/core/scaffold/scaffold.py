"""``pullbench init``: a new benchmark from a template, or from one that is there."""

import re
from pathlib import Path
from typing import Any

from evaluator.core.errors import Actor, UsageError
from evaluator.core.formats.bundle import FILE_NAME
from evaluator.core.formats.schema import dump_yaml, read_yaml
from evaluator.core.importers.placing import workplace
from evaluator.core.importers.zipped import Files

FIRST = "example/first"
"""Participant and name of the submission that a template brings along."""
TEMPLATES = Path(__file__).with_name("templates")


def kinds() -> list[str]:
    """Names of the templates."""
    return sorted(path.parent.name for path in TEMPLATES.glob("*/bundle"))


def title_of(name: str) -> str:
    """Return the title of a benchmark, or of a repository, that nobody gave one."""
    return name.replace("-", " ").replace("_", " ").capitalize()


def begin_benchmark(root: Path, name: str, kind: str, title: str | None) -> str:
    """Write a benchmark and its first submission from a template; returns the submission's path.

    Raises UsageError where the benchmark is there already, or another submission.
    """
    bundle, submission = from_template(kind, title or title_of(name))
    path = f"submissions/{name}/{FIRST}"
    target = root / "benchmarks" / name
    # The submission alone, as it would be written, is what a killed call left.
    if target.exists() or not (root / path).is_dir() or read_folder(root / path) != submission:
        write_new(root, path, submission)
    write_new(root, f"benchmarks/{name}", bundle)
    return path


def copy_benchmark(root: Path, name: str, files: Files, title: str | None) -> None:
    """Write a benchmark with the files of another one. Raises UsageError where it is there."""
    content, executable = files[FILE_NAME]
    renamed = with_value(content, "title", title or title_of(name))
    if "Dockerfile" in files:  # else the two would build one image in turn
        renamed = with_value(renamed, "docker_image", f"localhost/pullbench/{name.lower()}:1")
    write_new(root, f"benchmarks/{name}", {**files, FILE_NAME: (renamed, executable)})


def from_template(kind: str, title: str) -> tuple[Files, Files]:
    """Files of a new benchmark, and those of its first submission."""
    folder = TEMPLATES / kind
    bundle = read_folder(folder / "bundle")
    bundle[FILE_NAME] = (with_value(bundle[FILE_NAME][0], "title", title), False)
    return bundle, read_folder(folder / "submission")


def read_folder(folder: Path) -> dict[str, tuple[bytes, bool]]:
    """Files of a template; a wheel keeps no mode, so scripts are known by their names."""
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes(), path.suffix == ".sh")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def with_value(content: bytes, key: str, value: str) -> bytes:
    """Return competition.yaml with another value at its top, comments kept where they can be."""
    document = read_yaml(content, FILE_NAME, Actor.ORGANISER)
    wanted: dict[str, Any] = {**document.data, key: value}
    line = dump_yaml({key: value}).decode().rstrip("\n")
    place = re.compile(rf"(?m)^{key}[ \t]*:.*$")
    text = place.sub(lambda _: line, content.decode("utf-8-sig"), count=1).encode()
    parsed = read_yaml(text, FILE_NAME, Actor.ORGANISER)
    return text if parsed.data == wanted else dump_yaml(wanted)


def write_new(root: Path, path: str, files: Files) -> None:
    """Write files into a folder that must not be there yet, as a whole. Raises UsageError."""
    target = root / path
    if target.exists():
        raise UsageError(
            f"{target.parent.name}/{target.name} is there already", hint="Choose another name."
        )
    with workplace(root) as work:
        folder = work / target.name
        for name, (content, executable) in files.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
            file.chmod(0o755 if executable else 0o644)
        target.parent.mkdir(parents=True, exist_ok=True)
        folder.rename(target)
