"""Sentences that a feature made false: no page says them any more.

Each fact is on one page, to which the others link. A feature that changes it adds here what must
not come back.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [
    *(ROOT / name for name in ("README.md", "SECURITY.md", "CONTRIBUTING.md", "mkdocs.yml")),
    *(path for path in ROOT.glob("site/**/*.md") if "decisions" not in path.parts),
    *ROOT.glob("evaluator/**/templates/**/*.html"),
]
OUTDATED = {
    r"any (former |earlier )?commit":
        "earlier commits have a file for each cell, which nothing reads: link to "
        "readers/check.md#travel-in-time",
    r"an organiser (approves (it|each|every|the pull request)|must approve|reads it and sets)":
        "a policy may approve: say `approval`, and link to "
        "participants/index.md#what-happens-to-your-pull-request",
    r"(below|fewer than|less than|at least) six (tasks|repeats|samples)":
        "pairs of task and repeat, and samples, have verdicts, too: link to the table of "
        "readers/statistics.md",
    r"containers have (none|no network)\.":
        "a benchmark may name a network",
    r"intervals (do not )?overlap,? (may be|are|so|and so|thus)":
        "the difference of two rows may be significant although their rank intervals overlap",
}  # fmt: skip
ALLOWED = {"site/organisers/policy.md"}
"""What an organiser does without a policy."""


@pytest.mark.parametrize("pattern", OUTDATED)
def test_no_page_says_what_a_feature_made_false(pattern: str) -> None:
    assert len(PAGES) > 80
    said = [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in PAGES
        if path.relative_to(ROOT).as_posix() not in ALLOWED
        for found in re.finditer(pattern, " ".join(path.read_text().split()), re.IGNORECASE)
    ]
    assert said == [], OUTDATED[pattern]
