"""``pullbench import amlb-framework``: a framework of the AutoML Benchmark -> a submission.

Also an image of its own, a line on the benchmark's page, and the ends of the scale of scores.
"""

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from packaging.utils import canonicalize_version

from evaluator.core.errors import Actor, UsageError, counted
from evaluator.core.formats.bundle import FILE_NAME
from evaluator.core.formats.names import FOLDER
from evaluator.core.formats.paths import shown
from evaluator.core.formats.schema import dump_yaml, read_yaml
from evaluator.core.log import say
from evaluator.importing.files import write_contents, write_new
from evaluator.plugins.openml.amlb.frameworks import Framework, find_framework
from evaluator.plugins.openml.amlb.setup import (
    Setup,
    add_base,
    constraints_for,
    is_satisfied,
    setup_of,
    version_in,
)

REQUIREMENTS = "requirements.txt"
_CONSTRAINTS = "requirements-constraints.txt"
_DOCKERFILE = Path(__file__).parents[1] / "templates/amlb-environment/Dockerfile"
_HEADING = "## Frameworks with an image of their own"
_ENDS = {"constantpredictor": "constant", "tunedrandomforest": "reference"}
"""Frameworks that are the ends of the scale of scores -> their keys of ``analysis``."""


def install_framework(
    bundle: Path, framework: Framework, setup: Setup, modules: Sequence[Path]
) -> tuple[str, dict[str, bytes]]:
    """An environment with what a framework needs, and the files of the benchmark for it.

    Both are empty where the benchmark's image has it all. Versions that the framework leaves open
    are those of AMLB's own requirements.txt, where one of ``modules`` is a clone of it, else the
    benchmark's. Raises UsageError.
    """
    if setup.others:
        raise UsageError(
            f"{framework.name} cannot be installed as it is: {'; '.join(setup.others)}",
            hint=f"Write benchmarks/{bundle.name}/{FOLDER}/NAME/Dockerfile, which installs it; "
            f"leave --install out, and add 'environment: NAME' to submission.yaml.",
        )
    present = _text(bundle / REQUIREMENTS)
    if is_satisfied(present, setup.requirements):
        return "", {}
    if setup.package and not framework.version[:1].isdigit():
        raise UsageError(
            f"{framework.name} is of {setup.package} '{framework.version}', which is another "
            "version tomorrow",
            hint="Take a tag that states a number, such as "
            f"{framework.name}:2023Q2, or write a number into the definition.",
        )
    clone = next((root for root in modules if (root / "frameworks" / "shared").is_dir()), None)
    pins = _text(clone / REQUIREMENTS) if clone else present
    requirements = add_base(setup.requirements, present, pins)
    name = re.sub(r"[^a-z0-9._-]+", "-", f"{framework.name}-{framework.version}".lower())[:60]
    files = {
        f"{FOLDER}/{name}/Dockerfile": _DOCKERFILE.read_bytes(),
        f"{FOLDER}/{name}/{REQUIREMENTS}": _lines(requirements),
        f"{FOLDER}/{name}/{_CONSTRAINTS}": _lines(constraints_for(requirements, pins)),
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
    return name, files


def _lines(requirements: Sequence[str]) -> bytes:
    return "".join(f"{line}\n" for line in requirements).encode()


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def _competition(bundle: Path) -> dict[str, Any]:
    content = (bundle / FILE_NAME).read_bytes()
    data: dict[str, Any] = read_yaml(content, FILE_NAME, Actor.ORGANISER).data
    return data


def _page(bundle: Path) -> str | None:
    pages = _competition(bundle).get("pages") or [{}]
    file = str(pages[0].get("file") or "")
    return file if file.endswith(".md") and (bundle / file).is_file() else None


def scale_end(framework: Framework) -> str | None:
    names = [framework.name, *framework.parents]
    return next((key for name in names if (key := _ENDS.get(name.lower()))), None)


def analysis_with_end(
    bundle: Path, key: str, entry: str, submissions: Collection[str]
) -> tuple[bytes | None, str]:
    """Competition.yaml whose analysis names an entry, or what to write into it.

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


ABOUT = "framework.json"
_ENTRY = re.compile(r"[^/.][^/]*/[^/.][^/]*")
_LEFT_OUT = frozenset({"venv", "__pycache__", ".setup", ".git", "scores", "lib"})


def find_module(framework: Framework, roots: Sequence[Path]) -> Path:
    """Find the folder of a framework's module below one of the roots. Raises UsageError."""
    parts = framework.module.split(".")
    for root in roots:
        for folder in (root.joinpath(*parts), root / parts[-1]):
            if any((folder / name).is_file() for name in ("__init__.py", "exec.py")):
                return folder
    raise UsageError(
        f"the module {framework.module} of '{framework.name}' is not there",
        hint="--modules names a folder that holds it, such as a clone of automlbenchmark.",
    )


def submission_files(
    framework: Framework, module: Path, environment: str = ""
) -> dict[str, tuple[bytes, bool]]:
    """The files of the submission; the module's are as they are."""
    files: dict[str, tuple[bytes, bool]] = {}
    for path in sorted(module.rglob("*")):
        relative = path.relative_to(module)
        if _LEFT_OUT & set(relative.parts) or not path.is_file() or path.is_symlink():
            continue
        files[relative.as_posix()] = (path.read_bytes(), path.suffix == ".sh")
    if ABOUT in files or "submission.yaml" in files:
        raise UsageError(f"{shown(module.name)} holds {ABOUT} or submission.yaml itself")
    about = {
        "name": framework.name,
        "version": framework.version,
        "module": framework.module,
        "params": dict(framework.params),
        "extends": list(framework.parents),
        "setup": dict(framework.setup),
        "project": framework.project,
    }
    text = json.dumps(about, indent=1, default=str) + "\n"
    files[ABOUT] = (text.encode(), False)
    words = framework.description or framework.name
    entry = {"kind": "code", "name": framework.name, "description": words}
    if environment:
        entry["environment"] = environment
    files["submission.yaml"] = (dump_yaml(entry), False)
    return files


def _as_in_image(framework: Framework, setup: Setup, bundle: Path) -> Framework:
    """A framework with the version that will run. Raises UsageError for another one.

    ``stable`` is whatever the image has; a number that the image has not would be a false one in
    every record, and the module is often written for that version alone.
    """
    present = version_in(_text(bundle / REQUIREMENTS), setup.package)
    if not present or canonicalize_version(framework.version) == canonicalize_version(present):
        return framework
    if framework.version[:1].isdigit():
        raise UsageError(
            f"{framework.name} is of {setup.package} {framework.version}, and the image of "
            f"benchmarks/{bundle.name} has {present}",
            hint="--install makes an image of its own for it; or take a tag of the definition "
            "without a number, whose records state the image's version.",
        )
    return replace(framework, version=present)


_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
_FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)


@click.command("amlb-framework")
@click.argument("framework")
@click.argument("benchmark")
@click.argument("entry", metavar="PARTICIPANT/NAME")
@click.option(
    "--definitions", type=_FILE, multiple=True, required=True,
    help="A file such as frameworks.yaml; may be repeated.",
)  # fmt: skip
@click.option(
    "--modules", type=_FOLDER, multiple=True, required=True,
    help="Folder that holds the module, such as frameworks/; may be repeated.",
)  # fmt: skip
@click.option(
    "--install", is_flag=True,
    help="Give it an image of its own with what it needs, if that is known.",
)  # fmt: skip
@click.pass_obj
def amlb_framework(
    start: Path, /, framework: str, benchmark: str, entry: str, definitions: tuple[Path, ...],
    modules: tuple[Path, ...], *, install: bool,
) -> None:  # fmt: skip
    """Make a submission of a FRAMEWORK (NAME or NAME:TAG) of the AutoML Benchmark.

    Its module is copied as it stands; framework.json keeps its version and parameters. A constant
    predictor and a tuned forest become the ends of the scale of scores.
    """
    from evaluator.core.planning.snapshot import load_snapshot

    snapshot = load_snapshot(start)
    snapshot.benchmark(benchmark)
    if not _ENTRY.fullmatch(entry):
        raise UsageError("a submission is written PARTICIPANT/NAME")
    definition = find_framework(framework, definitions)
    bundle = snapshot.tree.root / "benchmarks" / benchmark
    module = find_module(definition, modules)
    setup = setup_of(definition, submission_files(definition, module))
    environment, installed = "", dict[str, bytes]()
    if install:
        environment, installed = install_framework(bundle, definition, setup, modules)
    if not environment:
        definition = _as_in_image(definition, setup, bundle)
    files = submission_files(definition, module, environment)
    write_new(snapshot.tree.root, f"submissions/{benchmark}/{entry}", files)
    say(f"submissions/{benchmark}/{entry}: {counted(len(files), 'files')} of {definition.module}")
    write_contents(bundle, installed)
    for name in installed:
        say(f"benchmarks/{benchmark}/{name}: what {definition.name} needs")
    if definition.version[:1].isdigit() and not (setup.package or environment):
        say(
            f"warning: {definition.name} states version {definition.version}, and nothing says of "
            "which package: it runs with what the image has."
        )
    if setup.text and not install:
        say(
            f"warning: {definition.name} needs what is not set up here, since containers have no "
            f"network: {setup.text}. --install makes an image of its own with what is "
            "plain; or write one, as environments/NAME/Dockerfile of the benchmark."
        )
    end = scale_end(definition)
    others = {
        item.id.partition("/")[2] for item in snapshot.submissions if item.benchmark == benchmark
    }
    changed, advice = analysis_with_end(bundle, end, entry, others) if end else (None, "")
    if changed is not None:
        (bundle / FILE_NAME).write_bytes(changed)
        say(f"benchmarks/{benchmark}/competition.yaml: {entry} is the {end} of the analysis")
    elif advice:
        say(f"{entry} can be the {end} of the analysis: write {advice}")
