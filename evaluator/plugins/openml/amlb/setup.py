"""A framework's installation -> lines of a requirements.txt, where it is plain.

A container has no network: what AMLB installs before a run is part of an image here. Plain are
requirements.txt and calls of pip; a script may do anything, and somebody has to read it.
"""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from evaluator.core.formats.paths import shown
from evaluator.importing.files import Files
from evaluator.plugins.openml.amlb.frameworks import Framework

_REQUIREMENTS = "requirements.txt"
_PIP = (("{pip}",), ("{py}", "-m", "pip"))
_HARMLESS = ("--no-cache-dir", "--upgrade", "-U", "--no-deps", "--quiet", "-q")
_SHELL = frozenset("|&;<>()")
_SCRIPT = "setup.sh"
_PACKAGE = re.compile(r'(?m)^PKG=\$\{3:-"?([A-Za-z0-9._-]+)"?\}\s*$')
"""The package that AMLB's own scripts install, in the version of the framework."""
_USUAL = re.compile(
    r"""
    \#.* | (?:HERE|VERSION|REPO|PKG|TARGET_DIR)=[^;&|`]*
    | shopt\ -s\ expand_aliases | \.\s"?\$\{?HERE\}?/\.setup/setup_env"?
    | \.\s\S*shared/setup\.sh"?\s"?\$\{?HERE\}?"?\strue
    | (?:el)?if\ \[\[\ "\$VERSION"\ (?:==|=~)\ [^;&|`]*\ \]\];\ then | else | fi
    | PIP\ install\ (?:--no-cache-dir\ )?-U\ \$\{PKG\}(?:==\$\{VERSION\})?
    | PIP\ install\ (?:--no-cache-dir\ )?-r\ "?\$\{?HERE\}?/requirements\.txt"?
    | rm\ -Rf\ \$\{TARGET_DIR\} | git\ clone\ [^;&|`]* | PIP\ install\ -U\ -e\ \$\{TARGET_DIR\}
    | PY\ -c\ "from\ \w+\ import\ __version__;\ print\(__version__\)"\ >>\ \S+
    """,
    re.VERBOSE,
)
"""Lines of AMLB's usual script: an environment, the package in that version, requirements.txt."""


@dataclass(frozen=True, kw_only=True)
class Setup:
    """What would be done before a run."""

    requirements: Sequence[str] = ()
    """Lines for requirements.txt, in order."""
    others: Sequence[str] = ()
    """What is not plain, each with the reason."""
    package: str = ""
    """The package whose version is the framework's; empty if nothing says it."""

    @property
    def text(self) -> str:
        parts = [f"installs {', '.join(self.requirements)}"] if self.requirements else []
        return "; ".join([*parts, *self.others])


def setup_of(framework: Framework, files: Files) -> Setup:
    lines: list[str] = []
    others: list[str] = []
    if _REQUIREMENTS in files:
        text = files[_REQUIREMENTS][0].decode("utf-8", errors="replace")
        for line in text.splitlines():
            plain = line.partition(" #")[0].strip()
            if plain and not plain.startswith("#"):
                _add(plain, _REQUIREMENTS, lines, others)
    commands = framework.setup.get("setup_cmd")
    for command in commands if isinstance(commands, list) else [commands] if commands else []:
        words = _pip_words(str(command))
        if words is None:
            others.append(f"setup_cmd `{shown(str(command))}` is no plain `{{pip}} install`")
            continue
        for word in words:
            _add(word, "setup_cmd", lines, others)
    arguments = framework.setup.get("setup_args")
    package = ""
    if _SCRIPT in files:
        script = files[_SCRIPT][0].decode("utf-8", errors="replace")
        given = arguments if isinstance(arguments, list) else [arguments] if arguments else []
        match = _PACKAGE.search(script)
        package = str(given[2]) if len(given) > 2 else match[1] if match else ""
        wanted = _script_requirement(script, package, framework.version) if not given else None
        if wanted is None:
            words = [_SCRIPT, *map(str, given)]
            others.append(f"`{shown(shlex.join(words))}` is a script")
        elif wanted:
            _add(wanted, _SCRIPT, lines, others)
    elif arguments:
        others.append(f"setup_args `{shown(str(arguments))}` are for the module's own setup")
    if framework.setup.get("setup_script"):
        others.append(f"setup_script `{shown(str(framework.setup['setup_script']))}` is a script")
    if framework.setup.get("setup_env"):
        others.append("setup_env sets variables for a script")
    return Setup(
        requirements=tuple(dict.fromkeys(lines)), others=tuple(others),
        package=package or _package_pinned_to(framework.version, lines),
    )  # fmt: skip


def _script_requirement(script: str, package: str, version: str) -> str | None:
    """What AMLB's usual script installs, or nothing; None for another script or a branch."""
    lines = [line.strip() for line in script.splitlines()]
    if not all(not line or _USUAL.fullmatch(line) for line in lines):
        return None
    if not package:
        return None if "PKG" in script else ""
    if version == "stable":
        return package
    return f"{package}=={version}" if version[:1].isdigit() else None


def _package_pinned_to(version: str, lines: Sequence[str]) -> str:
    named = [Requirement(line) for line in lines]
    exact = [item.name for item in named if str(item.specifier) == f"=={version}"]
    return exact[0] if len(exact) == 1 else ""


def _pip_words(command: str) -> list[str] | None:
    """What a call of pip installs; None for any other command."""
    reader = shlex.shlex(command, posix=True, punctuation_chars=True)
    reader.whitespace_split = True
    reader.commenters = ""
    try:
        words = list(reader)
    except ValueError:
        return None
    # What a shell would do more than start one command: chains, redirections, substitutions.
    if "\n" in command.strip() or any(
        set(word) <= _SHELL or set(word) & set("$`*") for word in words
    ):
        return None
    for start in _PIP:
        if tuple(words[: len(start) + 1]) == (*start, "install"):
            given = [word for word in words[len(start) + 1 :] if word not in _HARMLESS]
            return given or None
    return None


def _add(text: str, source: str, lines: list[str], others: list[str]) -> None:
    try:
        requirement = Requirement(text)
    except InvalidRequirement:
        others.append(f"`{shown(text)}` of {source} is no plain requirement")
        return
    if requirement.url:
        others.append(f"`{shown(text)}` of {source} comes from an address")
    else:
        lines.append(text)


def version_in(content: str, package: str) -> str:
    """The version that a requirements.txt pins of a package; empty for none."""
    requirement = _read(content).get(canonicalize_name(package)) if package else None
    return "" if requirement is None else _pinned_version(requirement)


def is_satisfied(content: str, wanted: Sequence[str]) -> bool:
    """Whether a requirements.txt pins versions with which all that is wanted is content."""
    present = _read(content)
    return all(
        (old := present.get(canonicalize_name(new.name))) is not None
        and new.extras <= old.extras
        and new.specifier.contains(_pinned_version(old) or "0")
        for new in map(Requirement, wanted)
    )


def add_base(wanted: Sequence[str], base: str, pins: str) -> list[str]:
    """What is wanted and else ``base`` has, in versions of ``pins`` where they fit."""
    first, second = _read(pins), _read(base)
    lines = [_narrow(Requirement(text), first) for text in wanted]
    names = {canonicalize_name(Requirement(line).name) for line in lines}
    others = (str(first.get(name, item)) for name, item in second.items() if name not in names)
    return [*dict.fromkeys(lines), *others]


def constraints_for(requirements: Sequence[str], pins: str) -> list[str]:
    names = {canonicalize_name(Requirement(line).name) for line in requirements}
    return [str(item) for name, item in _read(pins).items() if name not in names]


def _narrow(requirement: Requirement, pins: dict[str, Requirement]) -> str:
    item = pins.get(canonicalize_name(requirement.name))
    version = _pinned_version(item) if item else ""
    if _pinned_version(requirement) or not version or not requirement.specifier.contains(version):
        return str(requirement)
    extras = f"[{','.join(sorted(requirement.extras))}]" if requirement.extras else ""
    return f"{requirement.name}{extras}=={version}"


def _pinned_version(requirement: Requirement) -> str:
    versions = [part.version for part in requirement.specifier if part.operator == "=="]
    return versions[0] if len(versions) == 1 else ""


def _read(content: str) -> dict[str, Requirement]:
    """Read the requirements of a file by name; lines of another kind are no requirement."""
    found: dict[str, Requirement] = {}
    for line in content.splitlines():
        try:
            requirement = Requirement(line.partition(" #")[0].strip())
        except InvalidRequirement:
            continue  # a comment, an option, a digest
        found[canonicalize_name(requirement.name)] = requirement
    return found
