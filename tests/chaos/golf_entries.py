"""What people send to a race like Parameter Golf: honest entries, and entries with honest mistakes.

The benchmark hides 1,000 bits, 300 of them ones. An entry says how probable a one is, for each of
three repeats; the score is the cross-entropy in bits, lower is better. So a probability can be
found for each score that somebody is to reach, in a container and without one.
"""

import math
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

BENCHMARK = "golf"
DAYS = 46
REPEATS = 3
MARGIN, P = 0.005, 0.35
"""Of three runs no p is less than 1/8, and a record has to show 0.4 of P."""
ALTERNATE_MARGIN, ALTERNATE_P = 0.005, 0.01
"""By races in turn: a share of the best's score, and the chance of a false claim."""
OPEN_ENTRIES, PER_DAY = 2, 5
MINUTES = {"benchmark": 600, "participant": 24}
"""A day. An entry reserves 6 minutes: three repeats of two steps of at most 60 s."""
LARGEST = 64 * 1024
TWINS = ("twin-east", "twin-west")
_ONES, _BITS = 300, 1000
_BASELINE, _BEST = 1.2244, 0.89
_NOISE = 0.0006
"""Standard deviation between the repeats of an entry."""
_BUILD_ON = 0.3
"""Share of entries that are built on the best one."""
_LEVELS = re.compile(rb"\(\s*(0\.\d+)\s*,\s*(0\.\d+)\s*,\s*(0\.\d+)\s*,?\s*\)")
COMPETITION = f"""\
version: 2
title: Golf
image: logo.png
terms: terms.md
pages: []
docker_image: python:3.11-slim
tasks:
  - index: 0
    name: Bits
    ingestion_program: ingestion
    scoring_program: scoring
    reference_data: reference
phases:
  - index: 0
    name: Final
    start: 2020-01-01
    tasks: [0]
    execution_time_limit: 60
    starting_kit: starting_kit
    max_submissions: 0
    max_submissions_per_day: {PER_DAY}
leaderboards:
  - title: Results
    key: results
    submission_rule: Force_Latest_Multiple
    columns:
      - {{title: Bits per byte, key: val_bpb, index: 0, sorting: asc, precision: 4}}
pullbench:
  repeats: {REPEATS}
  limits: {{memory: 256 MiB, cpus: 1, pids: 32, output_size: 1 MiB, log_size: 16 KiB}}
  accept: {{beats: record, by: {MARGIN}, p: {P}}}
  policy:
    approve: {{code: everyone}}
    merge: true
    screen: screen
    minutes_per_day: {{benchmark: {MINUTES["benchmark"]}, participant: {MINUTES["participant"]}}}
  phases: {{0: {{open_entries: {OPEN_ENTRIES}}}}}
"""
_INGESTION = """\
import runpy
import sys

submission, *sys.argv[1:] = sys.argv[1:]
runpy.run_path(f"{submission}/model.py", run_name="__main__")
"""
_SCORING = """\
import json
import math
import sys
from pathlib import Path

source, output = map(Path, sys.argv[1:])
bits = (source / "ref" / "bits.txt").read_text().strip()
said = json.loads((source / "res" / "probabilities.json").read_text())
assert len(said) == len(bits)
told = [p if bit == "1" else 1 - p for p, bit in zip(said, bits)]
score = sum(-math.log2(max(float(p), 1e-9)) for p in told) / len(bits)
(output / "scores.json").write_text(json.dumps({"val_bpb": score}))
"""
_SCREEN = """\
import json
import sys
from pathlib import Path

source, output = map(Path, sys.argv[1:])
program = (source / "model.py").read_text(errors="replace")
found = [word for word in ("urllib", "socket", "/app/input", "perf_counter =") if word in program]
verdict = {"verdict": "ok"}
if found:
    verdict = {"verdict": "refuse", "reason": f"model.py must not use {found[0]}."}
elif "exec" in program:
    verdict = {"verdict": "ask", "reason": "model.py starts another program."}
(output / "verdict.json").write_text(json.dumps(verdict))
"""
ALTERNATE = (
    f"  accept: {{beats: record, by: {ALTERNATE_MARGIN}, p: {ALTERNATE_P}, rerun: alternate}}\n"
    "  exclusive: true\n"
)
Files = dict[str, bytes]


def benchmark(seed: int, *, alternate: bool = False) -> Files:
    """Return the bundle's files."""
    competition = COMPETITION
    if alternate:
        competition = re.sub("  accept: .*\n", ALTERNATE, COMPETITION)
    bits = ["1"] * _ONES + ["0"] * (_BITS - _ONES)
    random.Random(seed).shuffle(bits)  # noqa: S311 - bits
    base = f"benchmarks/{BENCHMARK}"
    return {
        f"{base}/competition.yaml": competition.encode(),
        f"{base}/logo.png": b"\x89PNG",
        f"{base}/terms.md": b"None.\n",
        f"{base}/ingestion/metadata.yaml": (
            b"command: python3 $program/ingestion.py $submission_program $output\n"
        ),
        f"{base}/ingestion/ingestion.py": _INGESTION.encode(),
        f"{base}/scoring/metadata.yaml": b"command: python3 $program/scoring.py $input $output\n",
        f"{base}/scoring/scoring.py": _SCORING.encode(),
        f"{base}/screen/metadata.yaml": (
            b"command: python3 $program/screen.py $input/submission $output\n"
        ),
        f"{base}/screen/screen.py": _SCREEN.encode(),
        f"{base}/starting_kit/model.py": program("0.9, 0.9, 0.9", ["pass"], 8).encode(),
        f"{base}/reference/bits.txt": "".join(bits).encode(),
    }


def score_of(level: float) -> float:
    """Return the bits that saying one probability everywhere takes."""
    share = _ONES / _BITS
    return -share * math.log2(level) - (1 - share) * math.log2(1 - level)


def level_of(score: float) -> float:
    """Return the probability that gets a score."""
    low, high = _ONES / _BITS, 1 - 1e-9
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if score_of(middle) < score else (low, middle)
    return low


def scores_of(model: bytes) -> list[float]:
    """Return the score of each repeat, read from an entry's program."""
    found = _LEVELS.search(model)
    return [score_of(float(level)) for level in found.groups()] if found else []


def program(levels: str, layers: Sequence[str], width: int) -> str:
    body = "\n".join(f"    {layer}" for layer in layers)
    return f'''"""A small model."""

import json
import os
import sys

LEVELS = ({levels})


def train(width):
    # The weights begin at one.
    state = [1.0] * width
{body}
    return state


def predict(repeat, count):
    train({width})
    return [LEVELS[repeat]] * count


if __name__ == "__main__":
    answer = predict(int(os.environ["PULLBENCH_REPEAT"]), {_BITS})
    with open(f"{{sys.argv[1]}}/probabilities.json", "w") as file:
        json.dump(answer, file)
'''


def model(chance: random.Random, score: float, inherited: Sequence[str] = ()) -> str:
    """Write a program that reaches a score, by layers of its own on top of others."""
    levels = ", ".join(f"{level_of(score + chance.gauss(0, _NOISE)):.9f}" for _ in range(REPEATS))
    own = [
        f"state = [{chance.choice(('min', 'max'))}(value * {chance.uniform(0.1, 3):.5f}, "
        f"{chance.randrange(1, 10**6)}) for value in state]"
        for _ in range(1 if inherited else chance.randrange(3, 9))
    ]
    return program(levels, [*inherited, *own], chance.randrange(8, 4000))


def layers_of(text: bytes) -> list[str]:
    return [line.strip() for line in text.decode().splitlines() if "for value in state" in line]


def place(participant: str, name: str) -> str:
    return f"submissions/{BENCHMARK}/{participant}/{name}"


def entry_files(participant: str, name: str, program: str) -> Files:
    base = place(participant, name)
    return {
        f"{base}/submission.yaml": f"kind: code\nname: {name}\ndescription: A model.\n".encode(),
        f"{base}/model.py": program.encode(),
    }


@dataclass(kw_only=True)
class Entry:
    """One pull request of the season."""

    number: int = 0
    """By its moment; 1 is the baseline."""
    moment: float
    """Seconds since the season began."""
    participant: str
    score: float
    way: str = ""
    """Its honest mistake, or the way of an attack; empty if it is fine."""
    builds_on: bool = False
    """Whether it adds a little to the best that is merged, and says so."""
    illegal: bool = False
    variant: int = 0
    files: Files = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"entry{self.number}"


Mistake = Callable[[Entry, Files], Files]


def _declared(text: str) -> Mistake:
    def change(entry: Entry, files: Files) -> Files:
        return files | {f"{place(entry.participant, entry.name)}/submission.yaml": text.encode()}

    return change


def _moved(to: str) -> Mistake:
    def change(entry: Entry, files: Files) -> Files:
        base = place(entry.participant, entry.name)
        target = to.format(entry.participant, entry.name)
        return {path.replace(base, target): content for path, content in files.items()}

    return change


def _beside(name: str, content: bytes) -> Mistake:
    def change(entry: Entry, files: Files) -> Files:
        return files | {name.format(place(entry.participant, entry.name)): content}

    return change


def _without(name: str) -> Mistake:
    def change(entry: Entry, files: Files) -> Files:
        return {path: content for path, content in files.items() if not path.endswith(name)}

    return change


def _crash(entry: Entry, files: Files) -> Files:
    path = f"{place(entry.participant, entry.name)}/model.py"
    return files | {path: b"raise SystemExit('CUDA out of memory')\n"}


def _needs_network(entry: Entry, files: Files) -> Files:
    path = f"{place(entry.participant, entry.name)}/model.py"
    return files | {path: b"import urllib.request\n" + files[path]}


_CODE = "kind: code\nname: A\ndescription: A model.\n"
MISTAKES: dict[str, Mistake] = {
    "files at the root": _moved("records/{0}-{1}"),
    "files in no entry's folder": _moved(f"submissions/{BENCHMARK}/{{0}}"),
    "no such benchmark": _moved("submissions/parameter-golf/{0}/{1}"),
    "a folder of another": _moved(f"submissions/{BENCHMARK}/baseline/{{1}}"),
    "no submission.yaml": _without("submission.yaml"),
    "no such kind": _declared("kind: transformer\nname: A\ndescription: A model.\n"),
    "a list for a kind": _declared("kind: [code]\ndescription: A model.\n"),
    "a list for a name": _declared("kind: code\nname: [A, B]\ndescription: A model.\n"),
    "broken YAML": _declared("kind: code\n  name: {A\n"),
    "no such phase": _declared(f"{_CODE}phase: finals\n"),
    "too large": _beside("{0}/weights.bin", bytes(LARGEST + 1)),
    "a change of the README": _beside("site/index.md", b"# Home\n\nSee my entry.\n"),
    "a workflow of one's own": _beside(".github/workflows/mine.yml", b"on: push\n"),
    "needs the network": _needs_network,
    "crashes": _crash,
    "over quota": lambda _, files: files,
}  # fmt: skip
"""What is wrong -> the change of good files. Who is over quota sends too many good ones a day."""
LATER = ("needs the network", "crashes", "over quota")
"""Mistakes that no look at the files' names and declarations shows."""


def write(entry: Entry, chance: random.Random, best: Entry) -> Files:
    """Return the files of an entry, with its mistake; some add to the best that is merged."""
    good = entry_files(entry.participant, entry.name, model(chance, entry.score))
    if entry.builds_on and best is not entry:
        base = place(entry.participant, entry.name)
        inherited = layers_of(best.files[f"{place(best.participant, best.name)}/model.py"])
        good[f"{base}/model.py"] = model(chance, entry.score, inherited).encode()
        good[f"{base}/submission.yaml"] += f"based_on: {best.participant}/{best.name}\n".encode()
    return MISTAKES[entry.way](entry, good) if entry.way in MISTAKES else good


def season(count: int, chance: random.Random) -> list[Entry]:
    """Return honest pull requests, half of them with mistakes, in the order of their moments.

    Records fall now and then, many enter in the hours after that, and most towards the end.
    """
    end = DAYS * 24 * 3600.0
    falls = sorted(chance.betavariate(2.5, 1) * 0.98 * end for _ in range(_falls(count)))
    step = (_BASELINE - _BEST) / (len(falls) + 1)
    people = [f"racer{number}" for number in range(count // 4 + 8)]
    entries = [Entry(moment=60, participant="baseline", score=_BASELINE)]
    for number, moment in enumerate(falls, start=1):
        score = _BASELINE - number * step
        entries.append(Entry(moment=moment, participant=chance.choice(people), score=score))
    entries += _eager(count, end, chance)
    mistakes = [way for way in MISTAKES if way != "over quota"]
    wrong = max(0, count // 2 - sum(bool(entry.way) for entry in entries))
    for number in range(count - len(entries)):
        after_a_fall = falls and chance.random() < 0.5
        moment = (
            chance.choice(falls) + chance.expovariate(1 / (6 * 3600))
            if after_a_fall
            else chance.betavariate(4, 1) * end
        )
        moment = min(max(moment, 3600), end)
        fallen = sum(fall < moment for fall in falls)
        close = chance.uniform(-0.002, 0.004) if chance.random() < 0.3 else chance.expovariate(40)
        person = people[int(len(people) * chance.random() ** 1.5)]
        entries.append(Entry(
            moment=moment, participant=person, score=_BASELINE - fallen * step + close,
            way=mistakes[number % len(mistakes)] if number < wrong else "",
            builds_on=chance.random() < _BUILD_ON,
        ))  # fmt: skip
    return sorted(entries, key=lambda entry: entry.moment)


def _falls(count: int) -> int:
    return min(30, max(3, count // 40))


def _eager(count: int, end: float, chance: random.Random) -> Iterator[Entry]:
    """Let some people send one entry more than a day allows, slowly enough for all else."""
    for number in range(max(1, count // 400)):
        first = chance.uniform(0.3, 0.9) * end
        for sent in range(PER_DAY + 1):
            yield Entry(
                moment=first + 3000 * sent, participant=f"eager{number}", score=_BASELINE + 0.01,
                way="over quota" if sent == PER_DAY else "",
            )  # fmt: skip
