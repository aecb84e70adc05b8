"""``pullbench import amlb-framework``: a framework of the AutoML Benchmark -> a submission."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_version

from evaluator.core.errors import UsageError
from evaluator.core.formats.bundle import FILE_NAME
from evaluator.plugins.openml.amlb.frameworks import Framework
from evaluator.plugins.openml.amlb.installing import (
    REQUIREMENTS,
    Installed,
    install_framework,
    scale_end,
    scaled,
)
from evaluator.plugins.openml.amlb.requirements import version_in
from evaluator.plugins.openml.amlb.setup import Setup, setup_of
from evaluator.plugins.openml.amlb.submission import find_module, submission_files, write_submission

_ENTRY = re.compile(r"[^/.][^/]*/[^/.][^/]*")


@dataclass(frozen=True, kw_only=True)
class AddedFramework:
    """What was written, and what is left to its organiser."""

    framework: Framework
    setup: Setup
    files: Collection[str]
    """Of the submission."""
    installed: Installed
    """The image of its own, where it was asked for and needed."""
    scale_end: str | None
    """The end of the scale of scores that it can be."""
    scale_advice: str
    """What a person must write into competition.yaml for that; empty where nothing is left."""
    scale_written: bool
    """Whether competition.yaml was changed."""


def add_framework(
    root: Path,
    benchmark: str,
    entry: str,
    framework: Framework,
    *,
    modules: Sequence[Path],
    params: Mapping[str, Any],
    install: bool,
    submissions: Collection[str],
) -> AddedFramework:
    """Write a framework as the submission ``entry``. Raises UsageError.

    ``submissions`` are the submissions that are there, as PARTICIPANT/NAME.
    """
    bundle = root / "benchmarks" / benchmark
    module = find_module(framework, list(modules))
    setup = setup_of(framework, submission_files(framework, module, {}))
    installed = install_framework(bundle, framework, setup, modules) if install else Installed()
    if not installed.environment:
        framework = _as_in_image(framework, setup, bundle)
    files = submission_files(framework, module, dict(params), installed.environment)
    write_submission(root, benchmark, entry, files)
    for name, content in installed.files:
        (bundle / name).parent.mkdir(parents=True, exist_ok=True)
        (bundle / name).write_bytes(content)
    end = scale_end(framework)
    changed, advice = scaled(bundle, end, entry, submissions) if end else (None, "")
    if changed is not None:
        (bundle / FILE_NAME).write_bytes(changed)
    return AddedFramework(
        framework=framework, setup=setup, files=frozenset(files), installed=installed,
        scale_end=end, scale_advice=advice, scale_written=changed is not None,
    )  # fmt: skip


def _as_in_image(framework: Framework, setup: Setup, bundle: Path) -> Framework:
    """Return a framework with the version that will run. Raises UsageError for another one.

    ``stable`` is whatever the image has; a number that the image has not would be a false one in
    every record, and the module is often written for that version alone.
    """
    file = bundle / REQUIREMENTS
    present = version_in(file.read_text(encoding="utf-8"), setup.package) if file.is_file() else ""
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


def check_entry(entry: str) -> None:
    """Raise UsageError where a submission is not named PARTICIPANT/NAME."""
    if not _ENTRY.fullmatch(entry):
        raise UsageError("a submission is written PARTICIPANT/NAME")


def parse_params(texts: Sequence[str]) -> dict[str, Any]:
    """Read ``KEY=JSON``; what is no JSON is text. Raises UsageError."""
    params: dict[str, Any] = {}
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign or not key:
            raise UsageError(f"'{text}' is not KEY=JSON")
        try:
            params[key] = json.loads(value)
        except ValueError:
            params[key] = value
    return params
