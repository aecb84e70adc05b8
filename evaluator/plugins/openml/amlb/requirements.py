"""Lines of requirements.txt: what an image has, and what one of a framework's own installs."""

from collections.abc import Sequence

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name


def version_in(content: str, package: str) -> str:
    """Return the version that a requirements.txt pins of a package; empty for none."""
    requirement = _read(content).get(canonicalize_name(package)) if package else None
    return "" if requirement is None else _pinned(requirement)


def fits(content: str, wanted: Sequence[str]) -> bool:
    """Whether a requirements.txt pins versions with which all that is wanted is content."""
    present = _read(content)
    return all(
        (old := present.get(canonicalize_name(new.name))) is not None
        and new.extras <= old.extras
        and new.specifier.contains(_pinned(old) or "0")
        for new in map(Requirement, wanted)
    )


def with_base(wanted: Sequence[str], base: str, known: str) -> list[str]:
    """Return what is wanted and whatever else ``base`` installs, pinned where that can be.

    ``base`` and ``known`` are texts of requirements.txt: the versions are those of ``known``, as
    long as they are wanted, else those of ``base``.
    """
    first, second = _read(known), _read(base)
    lines = [_narrowed(Requirement(text), first) for text in wanted]
    names = {canonicalize_name(Requirement(line).name) for line in lines}
    others = (str(first.get(name, item)) for name, item in second.items() if name not in names)
    return [*dict.fromkeys(lines), *others]


def constraints_for(requirements: Sequence[str], known: str) -> list[str]:
    """Return the lines of ``known`` about what the requirements do not name."""
    names = {canonicalize_name(Requirement(line).name) for line in requirements}
    return [str(item) for name, item in _read(known).items() if name not in names]


def _narrowed(requirement: Requirement, known: dict[str, Requirement]) -> str:
    item = known.get(canonicalize_name(requirement.name))
    version = _pinned(item) if item else ""
    if _pinned(requirement) or not version or not requirement.specifier.contains(version):
        return str(requirement)
    extras = f"[{','.join(sorted(requirement.extras))}]" if requirement.extras else ""
    return f"{requirement.name}{extras}=={version}"


def _pinned(requirement: Requirement) -> str:
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
