"""A framework definition and its module -> a submission, the module as it stands."""

import json
from pathlib import Path
from typing import Any

from evaluator.core.errors import UsageError
from evaluator.core.formats.paths import shown
from evaluator.core.formats.schema import dump_yaml
from evaluator.core.importers.files import Files, write_new
from evaluator.plugins.openml.amlb.frameworks import Framework

ABOUT = "framework.json"
_LEFT_OUT = frozenset({"venv", "__pycache__", ".setup", ".git", "scores", "lib"})


def find_module(framework: Framework, roots: list[Path]) -> Path:
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
    framework: Framework, module: Path, overrides: dict[str, Any], environment: str = ""
) -> dict[str, tuple[bytes, bool]]:
    """Return the files of the submission, which runs in an environment of the benchmark.

    The module's are as they are.
    """
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
        "params": {**framework.params, **overrides},
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


def write_submission(root: Path, benchmark: str, entry: str, files: Files) -> None:
    """Write the submission; it must not be there yet. Raises UsageError."""
    write_new(root, f"submissions/{benchmark}/{entry}", files)
