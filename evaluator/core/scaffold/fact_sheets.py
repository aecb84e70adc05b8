"""``pullbench fact-sheet``: questions to begin with, as text to paste into competition.yaml."""

import textwrap
from pathlib import Path

FACT_SHEETS = Path(__file__).parent / "templates" / "fact_sheets"
PLACES = {"fact_sheet": ("fact_sheet",), "sheet": ("pullbench", "datasets", "sheet")}
"""Key that questions stand under -> with the keys above it."""
_USUAL = {"algorithm": "fact_sheet", "data": "sheet"}


def names() -> list[str]:
    return sorted(path.stem for path in FACT_SHEETS.glob("*.yaml"))


def fact_sheet(name: str, under: str | None = None) -> str:
    """Return a template as YAML under a key of ``PLACES``, by default the usual one."""
    text = (FACT_SHEETS / f"{name}.yaml").read_text(encoding="utf-8")
    keys = PLACES[under or _USUAL[name]]
    above = "".join(f"{'  ' * depth}{key}:\n" for depth, key in enumerate(keys))
    return above + textwrap.indent(text, "  " * len(keys))
