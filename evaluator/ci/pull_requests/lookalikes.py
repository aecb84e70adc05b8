"""Names that a reader takes for one another. Names have ASCII letters and digits alone."""

from functools import cache

_ALSO = {"2": "z", "5": "s", "9": "g", "q": "g", "-": "", "_": "", ".": ""}
"""What Unicode does not list: it knows few letters within ASCII that look alike."""
_PAIRS = {"cl": "d", "vv": "w"}
_DIGITS = ({"6": "b"}, {"8": "b"})
"""Each by itself: nobody takes team-6 for team-8."""


def looks_like(name: str, other: str) -> bool:
    """Whether two names look alike, in any of the ways in which letters do."""
    return any(_skeleton(name, way) == _skeleton(other, way) for way in range(len(_DIGITS)))


@cache
def _skeleton(name: str, way: int) -> str:
    """Reduce a name so that what looks alike is one."""
    alike = {**_unicode(), **_ALSO, **_DIGITS[way], **_PAIRS}
    text = "".join(alike.get(letter, letter) for letter in name.casefold())
    for several, letter in alike.items():
        if len(several) > 1:
            text = text.replace(several, letter)
    return text


@cache
def _unicode() -> dict[str, str]:
    """Map what Unicode's confusables say of ASCII, in lower case: text -> what it looks like."""
    # Imported here: it reads a megabyte, and few commands judge names.
    from confusable_homoglyphs.confusables import confusables_data

    return {
        confusable["c"].casefold(): text.casefold()
        for text, alike in confusables_data.items()
        for confusable in alike
        if len(text) == 1 and text.isalpha()
        and not (len(confusable["c"]) == 1 and confusable["c"].islower())
        and confusable["c"].isalnum() and (text + confusable["c"]).isascii()
    }  # fmt: skip
