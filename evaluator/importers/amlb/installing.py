"""A framework in the files of a benchmark: image, page, ends of the scale."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

from evaluator.errors import Actor, UsageError
from evaluator.formats.bundle import FILE_NAME
from evaluator.formats.schema import dump_yaml, read_yaml
from evaluator.importers.amlb.frameworks import Framework
from evaluator.importers.amlb.setup import Setup, merged_requirements

REQUIREMENTS = "requirements.txt"
_HEADING = "## Frameworks in the image"
_ENDS = {"constantpredictor": "constant", "tunedrandomforest": "reference"}
"""Frameworks that are the ends of the scale of scores -> their keys of ``analysis``."""


def image_files(bundle: Path, framework: Framework, setup: Setup) -> dict[str, bytes]:
    """Return requirements.txt and the overview with what a framework needs.

    Raises UsageError where that is not plain, or another version of it is there.
    """
    file = bundle / REQUIREMENTS
    if setup.others:
        raise UsageError(
            f"{framework.name} cannot be installed as it stands: {'; '.join(setup.others)}",
            hint=f"Write what it installs into benchmarks/{bundle.name}/Dockerfile, and leave "
            "--install out.",
        )
    if not file.is_file() or REQUIREMENTS not in _text(bundle / "Dockerfile"):
        raise UsageError(
            f"benchmarks/{bundle.name} has no Dockerfile that installs {REQUIREMENTS}",
            hint="Write what it needs into the image of the benchmark yourself.",
        )
    content, clashes = merged_requirements(_text(file), setup.requirements)
    if clashes:
        raise UsageError(
            f"{framework.name} does not fit into the image: {'; '.join(clashes)}",
            hint="Change requirements.txt: one image serves all submissions of a benchmark.",
        )
    files = {REQUIREMENTS: content.encode()} if content != _text(file) else {}
    page = _page(bundle)
    if page is not None:
        text = _text(bundle / page)
        needs = ", ".join(f"`{name}`" for name in setup.requirements) or "nothing"
        line = f"- {framework.name} {framework.version} needs {needs}.\n"
        if line not in text:
            head = "" if _HEADING in text else f"\n{_HEADING}\n\n"
            files[page] = (text.rstrip("\n") + "\n" + head + line).encode()
    return files


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def _competition(bundle: Path) -> dict[str, Any]:
    content = (bundle / FILE_NAME).read_bytes()
    data: dict[str, Any] = read_yaml(content, FILE_NAME, Actor.ORGANISER).data
    return data


def _page(bundle: Path) -> str | None:
    """Return the first page of the benchmark, where it is Markdown."""
    pages = _competition(bundle).get("pages") or [{}]
    file = str(pages[0].get("file") or "")
    return file if file.endswith(".md") and (bundle / file).is_file() else None


def scale_end(framework: Framework) -> str | None:
    """Return ``constant`` or ``reference`` for a framework that is an end of the scale."""
    names = [framework.name, *framework.parents]
    return next((key for name in names if (key := _ENDS.get(name.lower()))), None)


def scaled(
    bundle: Path, key: str, entry: str, submissions: Collection[str]
) -> tuple[bytes | None, str]:
    """Return competition.yaml whose analysis names an entry, or what to write into it.

    ``submissions`` are those that are there, as PARTICIPANT/NAME: where the file names one of
    them, nothing is returned. A file that somebody wrote is left alone, since its comments and
    its form would be lost.
    """
    content = (bundle / FILE_NAME).read_bytes()
    data = _competition(bundle)
    is_generated = dump_yaml(data) == content
    analysis = data.setdefault("pullbench", {}).setdefault("analysis", {})
    if analysis.get(key) in submissions or analysis.get(key) == entry:
        return None, ""
    analysis[key] = entry
    advice = f"`analysis: {{{key}: {entry}}}` below `pullbench` in competition.yaml"
    return (dump_yaml(data), "") if is_generated else (None, advice)
