"""Make the data sets of every phase: ``python3 make_data practice`` or ``... hidden FOLDER``.

``practice`` writes ../starting_kit/practice; anybody gets the same bytes. ``hidden`` asks for the
secret on standard input, and writes the feedback data into the bundle and those of check and final
below FOLDER, with the lines that pin them. The secret decides which problem, which rows, which kind
of label and which units a data set has; whoever does not know it cannot tell one from another.
"""

import argparse
import hashlib
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from sources import PRACTICE, PROBLEMS, Problem
from weak import KINDS, write

BUNDLE = Path(__file__).resolve().parents[1]
SHARES = ("practice", "feedback", "check", "final")
"""Where a table has rows enough, no two phases share any."""
LARGE = 4 * 450
COUNT = 18


def generator(*words: str) -> random.Random:
    return random.Random(hashlib.sha256("/".join(words).encode()).digest())


def rows_of(problem: Problem, name: str, share: str, secret: str) -> Sequence[int]:
    rows = list(range(len(problem.answers)))
    if len(rows) < LARGE:
        return rows
    generator(secret, "rows", name).shuffle(rows)
    return rows[SHARES.index(share) :: len(SHARES)]


def practice() -> None:
    for number, (kind, name) in enumerate(PRACTICE.items(), start=1):
        problem = PROBLEMS[name]()
        folder = BUNDLE / "starting_kit" / "practice" / str(number)
        rows = list(range(len(problem.answers)))
        write(problem, kind, rows, generator("practice", name), folder / "input", folder / "truth")


def assigned(secret: str) -> Iterator[tuple[str, int, str, str]]:
    """Phase, number, problem and kind of each hidden data set.

    A problem has another kind in the final than it has in feedback, and check has what is left.
    """
    names = sorted(PROBLEMS)
    generator(secret, "feedback").shuffle(names)
    kinds = [KINDS[place % len(KINDS)] for place in range(len(names))]
    kind_of = dict(zip(names, kinds, strict=True))
    for number, name in enumerate(names[:COUNT], start=1):
        yield "feedback", number, name, kind_of[name]
    for number, name in enumerate(names[-3:], start=1):
        yield "check", number, name, KINDS[(KINDS.index(kind_of[name]) + 2) % 3]
    last = names[-COUNT:]
    generator(secret, "final").shuffle(last)
    for number, name in enumerate(last, start=1):
        yield "final", number, name, KINDS[(KINDS.index(kind_of[name]) + 1) % 3]


def hidden(folder: Path) -> None:
    secret = sys.stdin.read().strip()
    if len(secret) < 16:
        sys.exit("give a secret of 16 characters or more on standard input")
    for phase, number, name, kind in assigned(secret):
        problem = PROBLEMS[name]()
        rows = rows_of(problem, name, phase, secret)
        if phase == "feedback":
            places = (BUNDLE / "input_data" / str(number), BUNDLE / "reference_data" / str(number))
        else:
            base = folder / "autowsl" / phase / str(number)
            places = (base / "input_data", base / "reference_data")
        write(problem, kind, rows, generator(secret, phase, name), *places)
    print("SHA-256 of the secret:", hashlib.sha256(secret.encode()).hexdigest())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("practice")
    verbs.add_parser("hidden").add_argument("folder", type=Path)
    options = parser.parse_args()
    if options.verb == "practice":
        practice()
    else:
        hidden(options.folder)


if __name__ == "__main__":
    main()
