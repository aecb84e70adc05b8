"""Scripts and styles as pages ask for them: each with all that it needs, in one file.

A page of many small modules asks for each of them, and a phone waits for each answer.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from evaluator.site.pages.accent import accent_rules

_ASSETS = Path(__file__).parent / "assets"
_EMBEDDED = Path(__file__).parent / "templates/embed.css"
_STYLES = "pullbench.css"
_FIRST = ("tokens.css", _STYLES)
"""The general styles come first: those of parts of pages have the last word."""
_TOKENS = re.compile(r'(?m)^(:root|\[data-md-color-scheme="slate"\]) ?{([^}]*)}')
_IMPORT = re.compile(
    r'^import (?:\* as (\w+)|(\{[^}]*\})|)(?: from )?"\./(\w+)\.js";\n', re.MULTILINE
)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*? |class |const )(\w+))", re.MULTILINE)
_UNREAD = re.compile(r"^[ \t]*(?:(?://.*|/\*\*(?:(?!\*/)[\s\S])*\*/)\n)?", re.MULTILINE)
"""Comments and indentation: no script has text of several lines."""
_STYLE_COMMENT = re.compile(r"/\*.*?\*/\n?", re.DOTALL)


def asset_files(accent: str = "") -> Iterator[tuple[str, str]]:
    """Yield paths and texts; ``accent`` is the site's colour in place of the one in the tokens."""
    names = sorted({file.name for file in _ASSETS.glob("*.css")} - set(_FIRST))
    styles = (_ASSETS / name for name in (*_FIRST, *names))
    text = "".join(_STYLE_COMMENT.sub("", file.read_text(encoding="utf-8")) for file in styles)
    text += accent_rules(accent, text)
    yield f"assets/{_STYLES}", text
    # No scheme is chosen in a frame: the system's is the reader's.
    dark = "@media (prefers-color-scheme: dark) {{ :root {{{}}} }}\n"
    tokens = [
        f"{scheme} {{{rule}}}\n" if scheme == ":root" else dark.format(rule)
        for scheme, rule in _TOKENS.findall(text)
    ]
    rest = [file.read_text(encoding="utf-8") for file in (_ASSETS / "bars.css", _EMBEDDED)]
    yield "assets/embed.css", "".join([*tokens, *rest])
    scripts = {file.stem for file in _ASSETS.glob("*.js")}
    imported = {name for script in scripts for name in _imports(script)}
    for script in sorted(scripts - imported):
        yield f"assets/{script}.js", _bundle(script)


@cache
def _text(script: str) -> str:
    text = (_ASSETS / f"{script}.js").read_text(encoding="utf-8")
    return _UNREAD.sub("", text)


def _imports(script: str) -> list[str]:
    return [name for _, _, name in _IMPORT.findall(_text(script))]


def _bundle(script: str) -> str:
    order: list[str] = []

    def visit(name: str) -> None:
        for other in _imports(name):
            if other not in order:
                visit(other)
        if name not in order:
            order.append(name)

    visit(script)
    return "".join(_module(name) for name in order[:-1]) + _linked(script)


def _module(name: str) -> str:
    text = _linked(name)
    exports = ", ".join(_EXPORT.findall(text))
    return f"const ${name} = (() => {{\n{_EXPORT.sub('', text)}return {{ {exports} }};\n}})();\n"


def _linked(name: str) -> str:
    return _IMPORT.sub(_from_module, _text(name))


def _from_module(found: re.Match[str]) -> str:
    whole, names, module = found.groups()
    target = whole or (names or "").replace(" as ", ": ")
    return f"const {target} = ${module};\n" if target else ""
