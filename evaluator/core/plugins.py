"""The one place that finds what is installed.

A plugin is a ``Plugin`` object that an entry point of the group ``pullbench.plugins`` names, ours
as a stranger's. It lists what it offers to each contract as ``module:attribute``, so that nothing
is loaded before it is used.
"""

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Literal, TypeVar

from evaluator.core.errors import UsageError

GROUP = "pullbench.plugins"
Contract = Literal[
    "verbs",
    "kinds", "ranking_rules", "engines", "executors", "importers", "results_importers",
    "import_verbs", "pr_verbs", "exporters", "pull_requests", "site_status", "insights", "schemas",
    "policies", "checks", "content_sources", "object_sources", "growth", "modes", "stores",
    "private_data", "sealing", "judges", "controls", "git_advice", "figures",
    "bundle_keys", "phase_keys", "submission_keys", "settings", "promotions", "phase_notes",
    "anonymity", "records", "board_pages", "columns", "reviews", "feedback", "statements",
    "attachments", "samples", "curves", "row_marks",
]  # fmt: skip
T = TypeVar("T")
_PACKAGES = {"arff": "liac-arff", "resvg_py": "resvg-py", "sklearn": "scikit-learn"}
"""Module -> package, where their names differ."""


@dataclass(frozen=True, kw_only=True)
class Plugin:
    """What one plugin offers, by name."""

    extra: str = ""
    """Extra of pullbench that has the packages which this plugin alone needs."""
    verbs: Mapping[str, str] = field(default_factory=dict)
    """Word after ``pullbench`` -> a click command."""
    help_sections: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Heading in ``pullbench --help`` -> the verbs of this plugin below it."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """Value of ``kind`` in submission.yaml -> a class of ``SubmissionKind``."""
    attachments: Mapping[str, str] = field(default_factory=dict)
    """Suffix of what lies beside a record -> a class of ``AttachmentKind``."""
    samples: Mapping[str, str] = field(default_factory=dict)
    """How rows did on each sample: a function from a ``PublicBoard``, or None."""
    curves: Mapping[str, str] = field(default_factory=dict)
    """What rows did over time: a function from a ``PublicBoard`` to ``BoardCurves``, or None."""
    ranking_rules: Mapping[str, str] = field(default_factory=dict)
    """Value of ``aggregate`` in a bundle -> a class of ``RankingRule``."""
    engines: Mapping[str, str] = field(default_factory=dict)
    """Value of ``--engine`` -> an ``EngineKind``."""
    executors: Mapping[str, str] = field(default_factory=dict)
    """Kind in ``[tool.pullbench.executors]`` -> a function from an ``Order`` to an ``Executor``."""
    importers: Mapping[str, str] = field(default_factory=dict)
    """Word after ``pullbench import`` -> an ``Importer`` of benchmarks."""
    results_importers: Mapping[str, str] = field(default_factory=dict)
    """Word after ``pullbench import`` -> a ``ResultsImporter``."""
    import_verbs: Mapping[str, str] = field(default_factory=dict)
    """Word after ``pullbench import`` -> a click command, if it brings in something else."""
    pr_verbs: Mapping[str, str] = field(default_factory=dict)
    """Word after ``pullbench pr`` -> a click command."""
    exporters: Mapping[str, str] = field(default_factory=dict)
    """Value of ``leaderboard --format`` -> a function from a ``PublicBoard`` to text."""
    pull_requests: Mapping[str, str] = field(default_factory=dict)
    """What verbs of the core ask about pull requests -> the function of ``ci`` that answers."""
    site_status: Mapping[str, str] = field(default_factory=dict)
    """What the site says of submissions on their way: a function to a ``RepositoryStatus``."""
    insights: Mapping[str, str] = field(default_factory=dict)
    """What the site shows of a board besides its rows: an ``Insight``."""
    schemas: Mapping[str, str] = field(default_factory=dict)
    """Name of a JSON Schema on the site -> the type that it describes."""
    policies: Mapping[str, str] = field(default_factory=dict)
    """What may refuse submissions: a function from a snapshot to a ``Policy``."""
    checks: Mapping[str, str] = field(default_factory=dict)
    """What ``validate`` asks besides its own rules: a function from a snapshot to problems."""
    content_sources: Mapping[str, str] = field(default_factory=dict)
    """What brings content that a clone does not have: a function from a tree and paths."""
    object_sources: Mapping[str, str] = field(default_factory=dict)
    """What fetches objects that a clone does not have: a function from a repository and ids."""
    growth: Mapping[str, str] = field(default_factory=dict)
    """What submissions add to benchmarks: a function from a snapshot to the one with it."""
    modes: Mapping[str, str] = field(default_factory=dict)
    """``parallel`` -> a function from an ``Attempt`` that evaluates its cell in one step."""
    stores: Mapping[str, str] = field(default_factory=dict)
    """``shared`` -> a function to the ``SharedFolders`` of a deployment's machines, or to None."""
    private_data: Mapping[str, str] = field(default_factory=dict)
    """``parts`` -> what makes the ``PrivateParts`` of a run."""
    sealing: Mapping[str, str] = field(default_factory=dict)
    """What encrypts records to the organisers, and opens them: see ``scores/sealing``."""
    judges: Mapping[str, str] = field(default_factory=dict)
    """``records`` -> what says why a record from elsewhere is none of its cell's, or None."""
    controls: Mapping[str, str] = field(default_factory=dict)
    """What says which steps of an organiser's ended well on other files, made of a snapshot."""
    git_advice: Mapping[str, str] = field(default_factory=dict)
    """What to do about a failure of git: a function from its words to a hint, or nothing."""
    figures: Mapping[str, str] = field(default_factory=dict)
    """Heading on a board's page -> a function from ``BoardEntries`` to a ``Figure``, or to why
    there is none."""
    bundle_keys: Mapping[str, str] = field(default_factory=dict)
    """Key below ``pullbench:`` of a bundle -> the model of its value: ``Benchmark.of_plugins``."""
    phase_keys: Mapping[str, str] = field(default_factory=dict)
    """The same below ``pullbench: phases: INDEX:``: ``Phase.of_plugins``."""
    submission_keys: Mapping[str, str] = field(default_factory=dict)
    """The same in submission.yaml: ``Submission.of_plugins``. The types are those of JSON."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """The same below ``[tool.pullbench]``: ``Settings.of_plugins``."""
    promotions: Mapping[str, str] = field(default_factory=dict)
    """Who is carried into a phase: a function from snapshot, benchmark, phase and time to names of
    participants, or to None if all are."""
    anonymity: Mapping[str, str] = field(default_factory=dict)
    """``phases`` -> which of a benchmark name nobody at a time; ``names`` and ``links`` -> what
    hides names on the table of such a phase, and of others: functions to slugs and a table."""
    phase_notes: Mapping[str, str] = field(default_factory=dict)
    """What the page of a board says of its phase: a function from all boards of the benchmark, this
    one and the time to a sentence, or to nothing."""
    row_marks: Mapping[str, str] = field(default_factory=dict)
    """What a board says beside the names of rows: a function from a ``PublicBoard`` to ids of
    submissions, each with a word or two and a sentence."""
    records: Mapping[str, str] = field(default_factory=dict)
    """What compares entries with the best before them: of a ``PublicBoard``, times of arrival."""
    board_pages: Mapping[str, str] = field(default_factory=dict)
    """Folder of a page of a benchmark -> a function from its boards and a reader of the bundle's
    files to a ``BoardPage``, or None."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Name of one of its ``bundle_keys`` -> a function from its value and the columns of the board
    to further columns, which are ``derived``."""
    reviews: Mapping[str, str] = field(default_factory=dict)
    """What is said of a pull request before it is approved: a class of ``Review`` of `ci`."""
    feedback: Mapping[str, str] = field(default_factory=dict)
    """What ``ci`` gives to the author of a pull request besides its comment: a ``Feedback``."""
    statements: Mapping[str, str] = field(default_factory=dict)
    """``sign`` -> a function from a snapshot, the cells that a commit changes, its files, the
    time and the commit on which it is said to files of the ledger; ``keep`` -> one from a
    snapshot, records and the time to these; ``kept`` -> one from settings and such files to
    digests of records, or to None if all count; ``keygen`` -> one to the lines that a new
    signing key has; ``vouch`` -> one from a snapshot and the time to one from a board to what
    the site says of who vouches for its numbers."""


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
    try:
        plugin = resolve_name(target)
    except ModuleNotFoundError as error:
        # Its folder was deleted: the rest works without it.
        if error.name and f"{target.partition(':')[0]}.".startswith(f"{error.name}."):
            return None
        raise
    if not isinstance(plugin, Plugin):
        raise UsageError(
            f"the plugin '{name}' ({target}) is no Plugin of evaluator.plugins",
            hint="Ask its author for a version that fits this pullbench, or uninstall it.",
        )
    return plugin


def offers(contract: Contract) -> dict[str, str]:
    """Return what all plugins offer to a contract: name -> ``module:attribute``."""
    return {name: target for name, (_, target) in _offers(contract).items()}


@cache
def _offers(contract: Contract) -> dict[str, tuple[Plugin, str]]:
    every: dict[str, tuple[Plugin, str]] = {}
    for plugin in plugins():
        for name, target in getattr(plugin, contract).items():
            if name in every:
                raise UsageError(
                    f"two plugins offer {contract} '{name}': {every[name][1]} and {target}",
                    hint="Uninstall one of them.",
                )
            every[name] = plugin, target
    return every


def load(contract: Contract, name: str) -> Any:
    """Load what is offered. Raises KeyError, UsageError if a package is missing that it needs."""
    plugin, target = _offers(contract)[name]
    try:
        return resolve_name(target)
    except ModuleNotFoundError as error:
        need(error.name or "", extra=plugin.extra)
        raise


def need(module: str, *, extra: str) -> None:
    """Raise UsageError without a module; no hint names pullbench, which an index might have."""
    if find_spec(module) is not None:
        return
    # Loaded here, for hardly any command lacks a package.
    from importlib.metadata import requires

    from packaging.requirements import Requirement

    lines = [Requirement(line) for line in requires("pullbench") or ()]
    wanted = " ".join(
        f"'{line.name}{line.specifier}'"
        for line in lines
        if line.marker is not None and line.marker.evaluate({"extra": extra})
    )
    raise UsageError(
        f"the package {_PACKAGES.get(module, module)} is not installed",
        hint=f"pip install {wanted}",
    )


def load_all(contract: Contract) -> list[Any]:
    return [load(contract, name) for name in _offers(contract)]


class Offered(Mapping[str, T]):
    """The objects of the classes that plugins offer to a contract, each made when it is used."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._objects: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self._objects:
            self._objects[name] = load(self._contract, name)()
        return self._objects[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_offers(self._contract))

    def __len__(self) -> int:
        return len(_offers(self._contract))
