"""A new benchmark from a template, or from one that is there; questions to ask in it."""

import textwrap
from pathlib import Path

from evaluator.core.formats.bundle import FILE_NAME
from evaluator.importing.edited_yaml import with_value
from evaluator.importing.files import Files, read_template, write_new

FIRST = "example/first"
"""Participant and name of the submission that a template brings along."""
TEMPLATES = Path(__file__).with_name("templates")
FACT_SHEETS = TEMPLATES / "fact_sheets"
_SHEET_KEYS = {"algorithm": ("fact_sheet",), "data": ("pullbench", "datasets", "sheet")}
"""Fact sheet -> the keys above its questions."""
CHALLENGE = "challenge"
"""Template that is filled from a table of labels."""
COURSE = "course"
"""Template that comes with a class list and keys."""
METRICS = {
    "accuracy": "desc", "balanced_accuracy": "desc", "f1_macro": "desc",
    "mean_absolute_error": "asc", "root_mean_squared_error": "asc", "r2": "desc",
}  # fmt: skip
"""Metric -> how boards sort it. The template's scoring program computes them."""


def kinds() -> list[str]:
    return sorted(path.parent.name for path in TEMPLATES.glob("*/bundle"))


def fact_sheets() -> list[str]:
    return sorted(path.stem for path in FACT_SHEETS.glob("*.yaml"))


def questions(name: str) -> str:
    """Return questions as YAML, below the keys that they belong to."""
    text = (FACT_SHEETS / f"{name}.yaml").read_text(encoding="utf-8")
    keys = _SHEET_KEYS[name]
    above = "".join(f"{'  ' * depth}{key}:\n" for depth, key in enumerate(keys))
    return above + textwrap.indent(text, "  " * len(keys))


def title_of(name: str) -> str:
    return name.replace("-", " ").replace("_", " ").capitalize()


def begin_benchmark(root: Path, name: str, bundle: Files, submission: Files) -> str:
    """Write a bundle and its first submission; returns that one's path. Raises UsageError."""
    path = f"submissions/{name}/{FIRST}"
    target = root / "benchmarks" / name
    # The submission alone, as it would be written, is what a killed call left.
    if target.exists() or not (root / path).is_dir() or read_template(root / path) != submission:
        write_new(root, path, submission)
    write_new(root, f"benchmarks/{name}", bundle)
    return path


def copy_benchmark(root: Path, name: str, files: Files, title: str | None) -> None:
    """Write a benchmark with the files of another one. Raises UsageError where it is there."""
    content, executable = files[FILE_NAME]
    renamed = with_value(content, title or title_of(name), "title")
    if "Dockerfile" in files:  # else the two would build one image in turn
        renamed = with_value(renamed, f"localhost/pullbench/{name.lower()}:1", "docker_image")
    copied = {**files, FILE_NAME: (renamed, executable)}
    copied.pop("controls/outcomes.json", None)  # they are of that one's image and data
    write_new(root, f"benchmarks/{name}", copied)


def from_template(kind: str, title: str) -> tuple[Files, Files]:
    folder = TEMPLATES / kind
    bundle = read_template(folder / "bundle")
    bundle[FILE_NAME] = (with_value(bundle[FILE_NAME][0], title, "title"), False)
    return bundle, read_template(folder / "submission")
