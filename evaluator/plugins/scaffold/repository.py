"""``pullbench init --repository``: a repository of benchmarks that needs no copy of the evaluator.

Two kinds of files: what people make their own is written once, where it is not there yet. What is
pullbench's, all below ``.github`` but CODEOWNERS, is renewed each time, unless somebody changed
it: a list of digests says what was written.
"""

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evaluator import __version__
from evaluator.core.errors import UsageError
from evaluator.core.formats.json_reader import read_json
from evaluator.importing.files import Files, read_template
from evaluator.plugins.scaffold.benchmark import TEMPLATES, begin_benchmark, title_of
from evaluator.plugins.scaffold.package import FOLDER as PACKAGES
from evaluator.plugins.scaffold.package import Package

WRITTEN = ".github/pullbench.json"
"""Digests of what pullbench wrote, and the version that wrote it."""
_OWNERS = ".github/CODEOWNERS"
_FORGE = re.compile(r"https?://[A-Za-z0-9.:-]+(/[A-Za-z0-9._-]+){2,}")
_LOGIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_FILLED = ".in"
"""Ends the names of templates that are filled in; a nested pyproject.toml or .gitignore would
also mean something to the tools at work in this repository."""


@dataclass(frozen=True, kw_only=True)
class Scaffolded:
    """Paths of the files, by what was done with them."""

    new: tuple[str, ...]
    renewed: tuple[str, ...]
    changed: tuple[str, ...]
    """Pullbench's, but somebody changed them: left as they are, though a new text is there."""
    submission: str = ""
    """The first submission, where the first benchmark was written."""


def begin_repository(
    folder: Path,
    *,
    benchmark: str,
    begin: Callable[[], tuple[Files, Files]],
    forge: str,
    organisers: Sequence[str],
    package: Package,
) -> Scaffolded:
    """Write a repository, or renew it; where it has no benchmark, what ``begin`` returns.

    Raises UsageError.
    """
    files = repository_files(
        title=title_of(folder.resolve().name), benchmark=benchmark, forge=forge,
        organisers=organisers, package=package,
    )  # fmt: skip
    is_new = not (folder / "benchmarks").exists()
    scaffolded = scaffold_repository(folder, files)
    if not is_new:
        return scaffolded
    return replace(scaffolded, submission=begin_benchmark(folder, benchmark, *begin()))


def repository_files(
    *, title: str, benchmark: str, forge: str, organisers: Sequence[str], package: Package
) -> dict[str, tuple[bytes, bool]]:
    """Path -> content and whether it is executable. Raises UsageError."""
    if forge and not _FORGE.fullmatch(forge):
        raise UsageError(
            f"'{forge}' is not the address of a repository",
            hint="Such as https://github.com/owner/name.",
        )
    for login in organisers:
        if not _LOGIN.fullmatch(login):
            raise UsageError(f"'{login}' is not a login", hint="Such as alice, without the @.")
    owners = " ".join(f"@{login}" for login in organisers)
    # JSON's strings are strings in YAML and in TOML, too.
    values = {
        "@PACKAGE@": package.requirement,
        "@TITLE@": json.dumps(title),
        "@HEADING@": title,
        "@BENCHMARK@": benchmark,
        "@FORGE@": json.dumps(forge),
        "@ORGANISERS@": json.dumps(list(organisers)),
        "@OWNERS@": f"* {owners}" if owners else "# * @you",
    }
    token = re.compile("|".join(values))
    files = {path: (content, False) for path, content in package.files.items()}
    for path, (content, executable) in read_template(TEMPLATES / "repository").items():
        if path.endswith(_FILLED):
            content = token.sub(lambda match: values[match[0]], content.decode()).encode()
        files[path.removesuffix(_FILLED)] = (content, executable)
    return files


def is_owned(path: str) -> bool:
    return path.startswith(".github/") and path != _OWNERS


def scaffold_repository(folder: Path, files: dict[str, tuple[bytes, bool]]) -> Scaffolded:
    """Write what is not there, renew what is pullbench's and unchanged."""
    written = _written(folder)
    new, renewed, changed = [], [], []
    for path, (content, executable) in files.items():
        target = folder / path
        present = target.read_bytes() if target.exists() else None
        # What is a person's is written the first time only: one who deleted it meant it.
        if present == content or (not is_owned(path) and (present is not None or written)):
            continue
        if present is None:
            new.append(path)
        elif _digest(present) == written.get(path):
            renewed.append(path)
        else:
            changed.append(path)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        target.chmod(0o755 if executable else 0o644)
    for path in written.keys() - files.keys():
        target, is_wheel = folder / path, path.startswith(f"{PACKAGES}/")
        if is_wheel and target.is_file() and _digest(target.read_bytes()) == written[path]:
            target.unlink()  # of an earlier version
    # Of a changed file the old digest stays: taking the change back makes it pullbench's again.
    digests = {
        path: written.get(path, "") if path in changed else _digest(content)
        for path, (content, _) in files.items()
        if is_owned(path)
    }
    listed = json.dumps({"version": __version__, "files": digests}, indent=2, sort_keys=True)
    (folder / WRITTEN).write_text(listed + "\n", encoding="utf-8")
    return Scaffolded(new=tuple(new), renewed=tuple(renewed), changed=tuple(changed))


def _written(folder: Path) -> dict[str, str]:
    try:
        listed = read_json((folder / WRITTEN).read_bytes(), max_bytes=2**22)
        return {str(path): str(digest) for path, digest in listed["files"].items()}
    except FileNotFoundError:
        return {}
    except (ValueError, TypeError, KeyError, AttributeError):
        raise UsageError(
            f"{WRITTEN} is not what pullbench wrote",
            hint="Restore it, or delete it: then every file that differs is left as it is.",
        ) from None


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
