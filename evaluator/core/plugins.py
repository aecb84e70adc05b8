"""The one place that finds what is installed.

A plugin is a ``Plugin`` object that an entry point of the group ``pullbench.plugins`` names, ours
as a stranger's. It lists what it offers to each contract as ``module:attribute``, so that nothing
is loaded before it is used. Each ``Contract`` is declared by the room that asks, with its type.
"""

import contextlib
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from inspect import get_annotations, signature
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Generic, TypeVar, get_args, get_origin

from evaluator.core.errors import UsageError

GROUP = "pullbench.plugins"
T = TypeVar("T")
_PACKAGES = {"PIL": "pillow", "arff": "liac-arff", "sklearn": "scikit-learn"}
"""Module -> package, where more differs than a hyphen."""


@dataclass(frozen=True, kw_only=True)
class Plugin:
    """What one plugin offers."""

    offers: Mapping[str, str] = field(default_factory=dict)
    """Contract, a dot and a name -> ``module:attribute``."""
    help_sections: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Heading in ``pullbench --help`` -> the verbs of this plugin below it."""


@cache
def plugins() -> tuple[Plugin, ...]:
    """Load every plugin that is installed: the core's first, then in the order of their names."""
    points = sorted(entry_points(), key=lambda point: (point[0] != "core", point))
    return tuple(plugin for point in points if (plugin := _load(*point)) is not None)


def entry_points() -> Iterator[tuple[str, str]]:
    """Yield names and objects of our group; ``importlib.metadata`` takes longer than a plan."""
    seen = set()
    for folder in sys.path:
        with contextlib.suppress(OSError):
            for name in os.listdir(folder or "."):  # noqa: PTH208 - hundreds of packages
                package, _, kind = name.rpartition(".")
                package = package.partition("-")[0]
                if kind not in ("dist-info", "egg-info") or package in seen:
                    continue
                seen.add(package)
                file = Path(folder, name, "entry_points.txt")
                text = file.read_text(encoding="utf-8") if file.is_file() else ""
                lines = text.partition(f"[{GROUP}]")[2].partition("\n[")[0].splitlines()
                for line in filter(None, map(str.strip, lines)):
                    point, _, target = line.partition("=")
                    yield point.strip(), target.strip()


def _load(name: str, target: str) -> Plugin | None:
    hint = "Ask its author for a version that fits this pullbench, or uninstall it."
    try:
        plugin = resolve_name(target)
    except TypeError as error:
        raise UsageError(
            f"the plugin '{name}' ({target}) does not fit: {error}", hint=hint
        ) from None
    except ModuleNotFoundError as error:
        # Its folder was deleted: the rest works without it.
        if error.name and f"{target.partition(':')[0]}.".startswith(f"{error.name}."):
            return None
        raise
    if not isinstance(plugin, Plugin):
        raise UsageError(
            f"the plugin '{name}' ({target}) is no Plugin of evaluator.plugins", hint=hint
        )
    return plugin


@cache
def _offers() -> Mapping[str, Mapping[str, tuple[Plugin, str]]]:
    """Contract -> name -> plugin and target; of a service, by no name."""
    every: dict[str, dict[str, tuple[Plugin, str]]] = defaultdict(dict)
    for plugin in plugins():
        for key, target in plugin.offers.items():
            contract, _, name = key.partition(".")
            if not name:
                raise UsageError(
                    f"a plugin offers {target} as '{key}', which names no contract",
                    hint="Write it as 'contract.name': the page of contracts lists them.",
                )
            for of, called in ((contract, name), (key, "")):
                if called in every[of]:
                    raise UsageError(
                        f"two plugins offer '{key}': {every[of][called][1]} and {target}",
                        hint="Uninstall one of them.",
                    )
                every[of][called] = plugin, target
    return every


class Contract(Mapping[str, T]):
    """What a room asks of plugins: an object for each name, loaded when it is used.

    Written ``Contract[TYPE]("name")`` beside the code that asks. What is offered has to be a TYPE.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._loaded: dict[str, T] = {}
        """By target: kinds are asked for once for each submission."""

    def __getitem__(self, name: str) -> T:
        """Raise KeyError; UsageError for what is no TYPE, or lacks a package that it needs."""
        target = _offers()[self.name][name][1]
        if target not in self._loaded:
            self._loaded[target] = _offered(self, name)
        return self._loaded[target]

    def __contains__(self, name: object) -> bool:
        return name in _offers().get(self.name, ())

    def __iter__(self) -> Iterator[str]:
        return iter(_offers().get(self.name, ()))

    def __len__(self) -> int:
        return len(_offers().get(self.name, ()))


class Service(Generic[T]):
    """What a room asks of one plugin at most: the offer ``contract.name``, a TYPE."""

    def __init__(self, name: str, lacks: str = "", hint: str = "") -> None:
        """Take what an error says, and advises, where nothing offers it."""
        self.name = name
        self._lacks, self._hint = lacks, hint

    def load(self) -> T | None:
        """None where nothing offers it. Raises UsageError as a contract does."""
        return _offered(self, "") if self.name in _offers() else None

    def need(self) -> T:
        """Raise UsageError where nothing offers it."""
        offered = self.load()
        if offered is None:
            raise UsageError(self._lacks, hint=self._hint)
        return offered


def _offered(asked: "Contract[T] | Service[T]", name: str) -> Any:
    target = _offers()[asked.name][name][1]
    offered = resolve_name(target)
    # Set by the `Contract[TYPE]` that was called; not where TYPE is known to mypy alone.
    alias = getattr(asked, "__orig_class__", None)
    if alias and (fault := fault_of(offered, alias.__args__[0])):
        raise UsageError(
            f"{target} is offered as '{asked.name}{name and '.'}{name}', and {fault}",
            hint="Ask its author for a version that fits this pullbench, or uninstall it.",
        )
    return offered


def fault_of(offered: object, wanted: Any) -> str:
    """Say how an offer differs from the type of a contract; empty if it fits."""
    if get_origin(wanted) is Callable:
        names = [getattr(one, "__name__", str(one)) for one in get_args(wanted)[0]]
        return _call_fault(offered, names)
    if getattr(wanted, "_is_protocol", False):
        called = vars(wanted).get("__call__")
        if called is not None:
            _, *values = signature(called).parameters.values()
            by_name = [one.name for one in values if one.kind is one.KEYWORD_ONLY]
            names = [one.name for one in values if one.name not in by_name]
            return _call_fault(offered, names, by_name)
        if isinstance(offered, type):
            return f"is a class, and has to be an object with what {wanted.__name__} has"
        public = [one for one in {**get_annotations(wanted), **vars(wanted)} if one[0] != "_"]
        lacks = [one for one in public if not hasattr(offered, one)]
        return f"has no {', '.join(lacks)}, as {wanted.__name__} has" if lacks else ""
    if isinstance(wanted, type) and wanted is not Any and not isinstance(offered, wanted):
        return f"is no {wanted.__name__}"
    return ""


def _call_fault(offered: Any, names: Sequence[str], by_name: Sequence[str] = ()) -> str:
    try:
        signature(offered).bind(*names, **dict.fromkeys(by_name))
    except TypeError as error:
        return f"is called with ({', '.join([*names, *by_name])}): {error}"
    except ValueError:  # some of Python's own say nothing of it
        return ""
    return ""


def need(module: str) -> None:
    """Raise UsageError without a module of an extra."""
    if find_spec(module) is None and (error := lacking(module)):
        raise error


def lacking(module: str) -> UsageError | None:
    """Say which extra has a module that is not installed; None if no extra has it.

    No hint names pullbench, which an index might have.
    """
    # Loaded here, for hardly any command lacks a package.
    from importlib.metadata import metadata

    from packaging.requirements import Requirement

    about = metadata("pullbench")
    lines = [Requirement(line) for line in about.get_all("Requires-Dist", ())]
    package = _PACKAGES.get(module, module.replace("_", "-"))
    extras = {
        extra: [line for line in lines if line.marker and line.marker.evaluate({"extra": extra})]
        for extra in about.get_all("Provides-Extra", ())
    }
    having = [one for one in extras if any(line.name == package for line in extras[one])]
    if not having:
        return None
    extra = min(having, key=lambda one: len(extras[one]))
    wanted = sorted(extras[extra], key=lambda line: line.name != package)
    packages = " ".join(f"'{line.name}{line.specifier}'" for line in wanted)
    return UsageError(
        f"the package {package} of the extra '{extra}' is not installed",
        hint=f"pip install {packages}",
    )
