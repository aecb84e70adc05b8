r"""LaTeX in pages -> MathML, which browsers show without a script.

Of what the converter makes, known elements and attributes are written, and every text is escaped:
it writes ``\text{<b>}`` as an element, and knows links and styles.
"""

import html
import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from latex2mathml.converter import convert_to_element

CLASS = "arithmatex"
"""Of elements that hold a formula and nothing else."""
MAX_FORMULA = 5000
MAX_FORMULAS = 2000
"""Of a page; the rest stays as it is written."""
TAG = re.compile(r'<(/?)([a-zA-Z][a-zA-Z0-9]*)((?:[^>"]|"[^"]*")*)>')
"""As the cleaner writes them: quotes within a value are escaped, ``>`` is not."""
_OPEN = re.compile(r"\$\$|\$|\\\[|\\\(")
_CLOSE = {"$$": "$$", "$": "$", "\\[": "\\]", "\\(": "\\)"}
_VERBATIM = frozenset({"code", "pre", "kbd", "samp", "tt"})
_DEFINES = re.compile(r"\\(?:(?:re|provide)?newcommand|[gex]?def|let|DeclareMathOperator)(?![a-z])")
"""Macros may double one another until no memory is left."""
_ELEMENTS = frozenset(
    {
        "math", "menclose", "mfrac", "mi", "mmultiscripts", "mn", "mo", "mover", "mpadded",
        "mphantom", "mprescripts", "mroot", "mrow", "mspace", "msqrt", "mstyle", "msub", "msubsup",
        "msup", "mtable", "mtd", "mtext", "mtr", "munder", "munderover", "none",
    }
)  # fmt: skip
_ATTRIBUTES = frozenset(
    {
        "accent", "accentunder", "columnalign", "columnlines", "columnspacing", "depth", "display",
        "displaystyle", "fence", "form", "height", "largeop", "linethickness", "lspace",
        "mathbackground", "mathcolor", "mathsize", "mathvariant", "maxsize", "minsize",
        "movablelimits", "notation", "rowlines", "rowspacing", "rspace", "scriptlevel",
        "separator", "stretchy", "symmetric", "width",
    }
)  # fmt: skip
_WORD = (
    r"(?:[a-zA-Z-]{1,20}|#[0-9a-fA-F]{3,8}|\+?\d{0,2}(?:\.\d{1,4})?[a-z%]{0,2}|-\.?\d[a-z]{0,2})"
)
_VALUE = re.compile(rf"{_WORD}(?: {_WORD}){{0,40}}")
"""No length that would cover the rest of a page."""


def with_formulas(page: str, *, everywhere: bool) -> str:
    """HTML with MathML for marked formulas, or ``everywhere`` but in code."""
    return "".join(_pieces(page, everywhere=everywhere))


def _pieces(page: str, *, everywhere: bool) -> Iterator[str]:
    done = 0
    verbatim: list[str] = []
    marked = False
    left = MAX_FORMULAS
    for tag in TAG.finditer(page):
        text = page[done : tag.start()]
        if left and text and (marked or (everywhere and not verbatim)):
            parts = list(_converted(text, left))
            left -= len(parts) // 2
            yield "".join(parts)
        else:
            yield text
        yield tag[0]
        done = tag.end()
        closes, name, attributes = tag[1], tag[2].lower(), tag[3]
        marked = not closes and attributes == f' class="{CLASS}"'
        if name in _VERBATIM and not closes:
            verbatim.append(name)
        elif name in verbatim:
            verbatim.remove(name)
    rest = page[done:]
    yield "".join(_converted(rest, left)) if everywhere and not verbatim else rest


def _converted(text: str, most: int) -> Iterator[str]:
    done = count = 0
    for opening in _OPEN.finditer(text):
        start, mark = opening.end(), opening[0]
        if opening.start() < done or count == most:
            continue
        end = text.find(_CLOSE[mark], start, start + MAX_FORMULA)
        if end < 0 or not _is_formula(text, opening.start(), start, end, mark):
            continue
        yield text[done : opening.start()]
        yield mathml(html.unescape(text[start:end]), block=mark in ("$$", "\\["))
        done = end + len(_CLOSE[mark])
        count += 1
    yield text[done:]


def _is_formula(text: str, opening: int, start: int, end: int, mark: str) -> bool:
    """Tell a formula from prices: one in single signs has no blank within them, or digit after."""
    body = text[start:end]
    if not body.strip() or text[max(opening - 1, 0) : opening] == "\\":
        return False
    if mark != "$":
        return True
    follows = text[end + 1 : end + 2]
    return not (
        body[0].isspace() or body[-1].isspace() or body[-1] == "\\" or "\n\n" in body
        or follows.isdigit() or text[max(opening - 1, 0) : opening].isalnum()
    )  # fmt: skip


def mathml(latex: str, *, block: bool) -> str:
    latex = latex.strip()
    try:
        if not _DEFINES.search(latex) and len(latex) <= MAX_FORMULA:
            formula = convert_to_element(latex, display="block" if block else "inline")
            return "".join(_written(formula, latex))
    except Exception:  # noqa: S110 strangers' text, and a library with errors of every kind
        pass
    return f"<code>{html.escape(latex)}</code>"


def _written(element: Element, alternative: str = "") -> Iterator[str]:
    known = element.tag in _ELEMENTS
    if known:
        attributes = "".join(
            f' {name}="{value}"'
            for name, value in element.attrib.items()
            if name in _ATTRIBUTES and _VALUE.fullmatch(value)
        )
        if alternative:
            attributes += f' alttext="{html.escape(alternative)}"'
        yield f"<{element.tag}{attributes}>"
    # The converter writes signs as references.
    yield html.escape(html.unescape(element.text or ""))
    for child in element:
        yield from _written(child)
        yield html.escape(html.unescape(child.tail or ""))
    if known:
        yield f"</{element.tag}>"
