"""The accent of a deployment: its colour, as dark or as light as text in it must be to be read."""

import re
from collections.abc import Callable, Iterable

_CONTRAST = 4.5
"""What WCAG asks of text."""
_STEPS = 64
_BLACK, _WHITE = (0.0, 0.0, 0.0), (255.0, 255.0, 255.0)
_BEHIND_AND_TEXT = re.compile(r"--pb-soft: (#\w+);.* --pb-ink: (#\w+);")
Colour = tuple[float, ...]


def accent_rules(accent: str, tokens: str) -> str:
    """Rules that put an accent in place of the one in the tokens."""
    if not accent:
        return ""
    light, dark = _BEHIND_AND_TEXT.findall(tokens)
    return _rule(":root", _read(accent), light, _BLACK, "#fff") + _rule(
        '[data-md-color-scheme="slate"]', _read(accent), dark, _WHITE, "#000"
    )


def contrast(one: Colour, other: Colour) -> float:
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _rule(selector: str, colour: Colour, scheme: tuple[str, str], to: Colour, on_it: str) -> str:
    behind, ink = (_read(one) for one in scheme)
    text = _first(colour, to, lambda one: contrast(one, _mixed(behind, one, 0.16)) >= _CONTRAST)
    away = _BLACK if to == _WHITE else _WHITE
    heat = _first(text, away, lambda one: contrast(ink, _mixed(behind, one, 0.4)) >= _CONTRAST)
    tokens = {
        "accent": _written(text), "accent-soft": _written(_mixed(behind, text, 0.16)),
        "on-accent": on_it, "bar": _written(_mixed(behind, text, 0.36)),
        "interval": _written(_mixed(behind, text, 0.8)),
        "heat": " ".join(f"{part:.0f}" for part in heat),
    }  # fmt: skip
    return f"{selector}{{{''.join(f'--pb-{name}:{value};' for name, value in tokens.items())}}}\n"


def _first(colour: Colour, to: Colour, is_enough: Callable[[Colour], bool]) -> Colour:
    steps = (_mixed(colour, to, step / _STEPS) for step in range(_STEPS))
    return next((one for one in steps if is_enough(one)), to)


def _read(text: str) -> Colour:
    return tuple(float(part) for part in bytes.fromhex(text[1:]))


def _written(colour: Iterable[float]) -> str:
    return "#" + "".join(f"{round(part):02x}" for part in colour)


def _mixed(one: Colour, other: Colour, share: float) -> Colour:
    return tuple(a + (b - a) * share for a, b in zip(one, other, strict=True))


def _luminance(colour: Colour) -> float:
    parts = [part / 255 for part in colour]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
