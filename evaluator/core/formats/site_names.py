"""Names that files of the site have already: a participant of such a name would hide a page."""

PARTICIPANTS = frozenset({"index.html"})
"""``benchmarks/<benchmark>/submissions/<participant>/`` stands beside the list of submissions."""
BENCHMARKS = frozenset({"index.html", "index.json"})
"""``benchmarks/<benchmark>/`` and ``api/v1/<benchmark>/`` stand beside lists of boards."""
POINTS = frozenset({"index.html"})
"""``benchmarks/<benchmark>/history/<tag>/`` stands beside the list of points."""


def is_reserved(name: str, names: frozenset[str]) -> bool:
    """Whether a name is one of those, or differs by case alone: some disks keep no case."""
    return name.casefold() in names
