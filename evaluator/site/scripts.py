"""Which modules a page's script imports, so that the page can ask for all of them at once."""

import re
from functools import cache
from pathlib import Path

_ASSETS = Path(__file__).parent / "assets"
_IMPORT = re.compile(r'^(?:import|export) .*? from "\./([\w-]+\.js)";$', re.MULTILINE | re.DOTALL)


@cache
def modules(script: str) -> tuple[str, ...]:
    """Return names of files in ``assets``: the script's own first, then what it needs."""
    scripts = [script]
    for name in scripts:  # which grows
        text = (_ASSETS / name).read_text(encoding="utf-8")
        scripts += [other for other in _IMPORT.findall(text) if other not in scripts]
    return tuple(scripts)
