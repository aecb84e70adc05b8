"""Ten ways to cheat in a race, as files, and what each would have to reach to have landed."""

import json
import random
import re
from collections.abc import Mapping, Sequence

from tests.chaos.golf_entries import (
    BENCHMARK,
    TWINS,
    Entry,
    Files,
    benchmark,
    entry_files,
    model,
    place,
)

WAYS = {
    "copy": "a copy of another's entry, renamed and reformatted, is merged",
    "timer": "a score that the entry itself printed or patched is kept",
    "peek": "an entry that looks for the reference data gains by it",
    "record": "a forged record, in the pull request or a job's artifact, is kept",
    "scorer": "a changed scorer is on the base branch",
    "between": "who beats only the record before the last one holds the record",
    "push": "content that was pushed after the approval is merged without an evaluation",
    "folder": "files in another's folder, or a name that looks like another's, are merged",
    "budget": "more is approved than the limits of the party and its day allow",
    "comment": "a stranger's comment approves, withdraws, or reaches a shell",
}
"""Name -> what has to be true for it to have landed."""
SCORER = f"benchmarks/{BENCHMARK}/scoring/scoring.py"
_NAMES = {"train": "fit", "predict": "respond", "state": "weights", "LEVELS": "RATES",
          "width": "size", "value": "item", "answer": "told", "repeat": "seed"}  # fmt: skip


def disguise(program: str, variant: int) -> str:
    """Copy a program so that it looks like another one: as it is, renamed, reformatted, or both."""
    if variant & 1:
        for old, new in _NAMES.items():
            program = re.sub(rf"\b{old}\b", new, program)
    if variant & 2:
        program = program.replace("    # The weights begin at one.\n", "").replace("    ", "  ")
        program = program.replace(", ", ",").replace('"""A small model."""', '"""My own idea."""')
        program = program.replace("\n\n\n", "\n\n# All of this is new.\n")
    return program


def _timer(program: str, variant: int) -> str:
    """Claim a score of 0.5 in the log, in the place of the scores, and by patched modules."""
    claims = (
        "print('val_bpb: 0.5000')\n    "
        "open(f'{sys.argv[1]}/scores.json', 'w').write('{\"val_bpb\": 0.5}')",
        "import math, time\n    time.perf_counter = lambda: 0.0\n    math.log2 = lambda _: -0.5",
        "import atexit\n    atexit.register(lambda: os.execlp('python3', 'python3', '-c', "
        "\"open('/app/output/scores.json', 'w').write('{}')\"))",
    )
    return program.replace("    answer =", f"    {claims[variant % 3]}\n    answer =")


def _peek(program: str, variant: int) -> str:
    """Answer with the reference data if they are to be found."""
    where = ("'/app/input/ref/bits.txt'", "'/app/' + 'input/' + 'r' + 'ef/bits.txt'",
             "next(pathlib.Path('/').rglob('b?ts.txt'))")[variant % 3]  # fmt: skip
    return program.replace("        json.dump(answer, file)", (
        "        import pathlib\n        try:\n"
        f"            known = open({where}).read().strip()\n"
        "            answer = [0.999 if bit == '1' else 0.001 for bit in known]\n"
        "        except (OSError, StopIteration):\n            pass\n"
        "        json.dump(answer, file)"
    ))  # fmt: skip


def forged(record: bytes) -> bytes:
    """Return a record with another score."""
    return re.sub(rb'("val_bpb":\s*)[\d.]+', rb"\g<1>%f" % FORGED, record)


def cheat(entry: Entry, variant: int, victim: Entry, chance: random.Random) -> Files:
    """Return the files of an illegal entry, in one of some variants of its way."""
    program = model(chance, entry.score)
    base = place(entry.participant, entry.name)
    files = entry_files(entry.participant, entry.name, program)
    taken = victim.files[f"{place(victim.participant, victim.name)}/model.py"]
    match entry.way:
        case "copy":
            copied = disguise(taken.decode(), variant % 4)
            return entry_files(entry.participant, entry.name, copied)
        case "timer":
            return entry_files(entry.participant, entry.name, _timer(program, variant))
        case "peek":
            return entry_files(entry.participant, entry.name, _peek(program, variant))
        case "record" if variant % 2 == 0:
            line = {"task": "bits.0", "status": "finished", "scores": {"val_bpb": FORGED}}
            return files | {f"{base}/scores/final.json": json.dumps(line).encode() + b"\n"}
        case "scorer":
            return files | {SCORER: b"print(0)\n"}
        case "folder" if variant % 2 == 0:
            return entry_files(victim.participant, victim.name, program)
        case _:
            return files


FORGED = 0.9001
"""Score of every forged record."""


def is_forged(values: Mapping[str, Sequence[float]]) -> bool:
    """Whether a forged score is among those on main."""
    return any(abs(value - FORGED) < 1e-9 for found in values.values() for value in found)


def changed_scorer(bundle: Files) -> bool:
    return bundle[SCORER] != benchmark(0)[SCORER]


def cheaters(count: int, end: float, chance: random.Random) -> list[Entry]:
    """Return illegal pull requests, as many of each way as of any other but one.

    Those that come between an evaluation and a merge have no moment: they come when there is one.
    """
    found: list[Entry] = []
    swarm = chance.uniform(0.6, 0.9) * end
    for number in range(count):
        way = list(WAYS)[number % len(WAYS)]
        variant = number // len(WAYS)
        login = {"budget": TWINS[variant % 2]}.get(way, f"mallory{number}")
        if way == "folder" and variant % 2:
            login = ("base1ine", "baseiine", "bas3line")[variant // 2 % 3]
        moment = swarm + variant if way == "budget" else chance.uniform(0.25, 0.98) * end
        found.append(Entry(
            moment=float("inf") if way == "between" else moment, participant=login,
            score=1.2, way=way, illegal=True, variant=variant,
        ))  # fmt: skip
    return found
