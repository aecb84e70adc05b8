"""Fingerprints of files, which find copies with other names, comments and layout.

Code is compared by runs of words in which all names are alike, as MOSS does it (Schleimer,
Wilkerson, Aiken: Local Algorithms for Document Fingerprinting, 2003). So they
also find parts that were moved, wrapped or padded, in any language. No parser reads a stranger's
source: the time depends on the length alone.
"""

import hashlib
import itertools
import keyword
import re
from collections.abc import Collection, Iterable, Iterator

_RUN = 16
"""Words in a run."""
_DISTINCT = 4
"""Least number of different words in a run; prose and lists of calls have fewer."""
_LONG = 200
"""Characters from which a string may hold code."""
_SMALL = 32
"""Bytes below which a file is too small to be a copy."""
_MAX_CODE = 2 * 2**20
"""Bytes of an entry that are compared by runs, small files first; others are compared whole."""
_MAX_MARKS = 1000
_WHOLE = "w"
"""First letter of a mark of a whole file; other marks have only hexadecimal digits."""
_WORD = re.compile(
    r"(?P<comment>#[^\n]*)"
    r"|(?P<string>\"{3}.*?(?:\"{3}|\Z)|'{3}.*?(?:'{3}|\Z)"
    r"|\"[^\"\\\n]*(?:\\.[^\"\\\n]*)*\"?|'[^'\\\n]*(?:\\.[^'\\\n]*)*'?)"
    r"|(?P<name>[^\W\d]\w*)|(?P<number>\d[\w.]*)|(?P<other>[^\w\s()\[\]{},;:\\])",
    re.DOTALL,
)
_KEYWORDS = frozenset(keyword.kwlist)


def marks_of(
    benchmark: str, files: Iterable[bytes], shipped: Iterable[bytes] = (), *, code: bool
) -> frozenset[str]:
    """Fingerprints of files, without those that a bundle ships; the least of a large entry.

    Without ``code``, each fingerprint is of a whole file.
    """
    left_out = {*_marks(benchmark, shipped, code=code)}
    marks = sorted({*_marks(benchmark, files, code=code)} - left_out)
    whole = [mark for mark in marks if mark[0] == _WHOLE][: _MAX_MARKS // 2]
    runs = [mark for mark in marks if mark[0] != _WHOLE]
    return frozenset([*whole, *runs[: _MAX_MARKS - len(whole)]])


def _marks(benchmark: str, files: Iterable[bytes], *, code: bool) -> Iterator[str]:
    left = _MAX_CODE if code else 0
    for content in sorted(files, key=len):
        if len(content) <= left and b"\0" not in content:
            left -= len(content)
            text = content.decode("utf-8", "replace")
            yield from (_digest(benchmark, run) for run in _runs(text))
        elif len(packed := b"".join(content.split())) >= _SMALL:
            yield _WHOLE + _digest(benchmark, packed)


ENOUGH = _RUN
"""Least weight of an entry that is compared."""


def weight(marks: Iterable[str]) -> int:
    """The number of runs; a whole file counts as some lines of code."""
    return sum(_RUN if mark[0] == _WHOLE else 1 for mark in marks)


def shared_part(one: Collection[str], other: Collection[str], among: Collection[str]) -> float:
    """The part of the smaller entry that is also in the other and ``among`` some marks."""
    # Of two samples of the least marks, what lies above the end of either is not comparable.
    ends = (max(mark for mark in marks if mark < _WHOLE)
            for marks in (one, other) if len(marks) >= _MAX_MARKS)  # fmt: skip
    end = min(ends, default=_WHOLE)
    first, second = ({mark for mark in marks if mark <= end or mark > _WHOLE}
                     for marks in (one, other))  # fmt: skip
    smaller = min(weight(first), weight(second))
    return min(1.0, weight(first & second & {*among}) / smaller) if smaller else 0.0


def _digest(benchmark: str, content: bytes) -> str:
    key = benchmark.encode()[:64]
    return hashlib.blake2b(content, digest_size=6, key=key).hexdigest()


def _runs(text: str) -> Iterator[bytes]:
    """Yield the runs of words of a text, and of the long strings in it."""
    inner: list[str] = []
    for part in itertools.chain([text], inner):  # which the first part fills
        words: list[str] = []
        for match in _WORD.finditer(part):
            word, kind = match[0], match.lastgroup
            if kind == "string" and len(word) > _LONG and part is text:
                quotes = 3 if word.startswith(('"""', "'''")) else 1
                inner.append(word[quotes:-quotes])
            elif kind == "name":
                words.append(word if word in _KEYWORDS else "v")
            elif kind in ("number", "other"):
                words.append(word)
        for start in range(len(words) - _RUN + 1):
            run = words[start : start + _RUN]
            if len({*run}) >= _DISTINCT:
                yield " ".join(run).encode()
