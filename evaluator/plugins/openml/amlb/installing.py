"""A framework in the files of a benchmark: an image of its own, page, ends of the scale."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.core.errors import Actor, UsageError
from evaluator.core.formats.bundle import FILE_NAME
from evaluator.core.formats.names import FOLDER
from evaluator.core.formats.schema import dump_yaml, read_yaml
from evaluator.core.scaffold.scaffold import TEMPLATES
from evaluator.plugins.openml.amlb.frameworks import Framework
from evaluator.plugins.openml.amlb.requirements import constraints_for, fits, with_base
from evaluator.plugins.openml.amlb.setup import Setup

REQUIREMENTS = "requirements.txt"
_CONSTRAINTS = "requirements-constraints.txt"
_DOCKERFILE = TEMPLATES / "amlb-environment" / "Dockerfile"
_HEADING = "## Frameworks with an image of their own"
_ENDS = {"constantpredictor": "constant", "tunedrandomforest": "reference"}
"""Frameworks that are the ends of the scale of scores -> their keys of ``analysis``."""


@dataclass(frozen=True, kw_only=True)
class Installed:
    """How a framework is installed; both are empty where the benchmark's image has it all."""

    environment: str = ""
    """The environment of the benchmark that it runs in."""
    files: Sequence[tuple[str, bytes]] = ()
    """Files of the benchmark to write, by path from its directory."""


def install_framework(
    bundle: Path, framework: Framework, setup: Setup, modules: Sequence[Path]
) -> Installed:
    """Return an environment with what a framework needs, where the benchmark's image lacks it.

    Versions that the framework leaves open are those of AMLB's own requirements.txt, where one of
    ``modules`` is a clone of it, else the benchmark's. Raises UsageError.
    """
    if setup.others:
        raise UsageError(
            f"{framework.name} cannot be installed as it stands: {'; '.join(setup.others)}",
            hint=f"Write benchmarks/{bundle.name}/{FOLDER}/NAME/Dockerfile, which installs it; "
            f"leave --install out, and add 'environment: NAME' to submission.yaml.",
        )
    present = _text(bundle / REQUIREMENTS)
    if fits(present, setup.requirements):
        return Installed()
    if setup.package and not framework.version[:1].isdigit():
        raise UsageError(
            f"{framework.name} is of {setup.package} '{framework.version}', which is another "
            "version tomorrow",
            hint="Take a tag that states a number, such as "
            f"{framework.name}:2023Q2, or write a number into the definition.",
        )
    clone = next((root for root in modules if (root / "frameworks" / "shared").is_dir()), None)
    known = _text(clone / REQUIREMENTS) if clone else present
    requirements = with_base(setup.requirements, present, known)
    name = re.sub(r"[^a-z0-9._-]+", "-", f"{framework.name}-{framework.version}".lower())[:60]
    files = {
        f"{FOLDER}/{name}/Dockerfile": _DOCKERFILE.read_bytes(),
        f"{FOLDER}/{name}/{REQUIREMENTS}": _lines(requirements),
        f"{FOLDER}/{name}/{_CONSTRAINTS}": _lines(constraints_for(requirements, known)),
    }
    for path, content in files.items():
        if (bundle / path).is_file() and (bundle / path).read_bytes() != content:
            raise UsageError(
                f"benchmarks/{bundle.name}/{path} is there, and installs something else",
                hint="Remove the folder; or leave --install out and add "
                f"'environment: {name}' to submission.yaml.",
            )
    page = _page(bundle)
    if page is not None:
        text = _text(bundle / page)
        needs = ", ".join(f"`{line}`" for line in setup.requirements)
        line = f"- {framework.name} {framework.version} in `{name}`, which has {needs}.\n"
        if line not in text:
            head = "" if _HEADING in text else f"\n{_HEADING}\n\n"
            files[page] = (text.rstrip("\n") + "\n" + head + line).encode()
    return Installed(environment=name, files=tuple(files.items()))


def _lines(requirements: Sequence[str]) -> bytes:
    return "".join(f"{line}\n" for line in requirements).encode()


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
