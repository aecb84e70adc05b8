"""Propose a radix sort: 40 tries at the widths of its digits, each a small change of the best.

Usage: climb.py, which writes sort.py beside itself. It begins with four digits of eight bits.
"""

import random
import time
from pathlib import Path

BITS = 32
TRIES = 40
PROGRAM = '''\
"""Radix sort by digits of {widths} bits; climb.py chose these."""


def sort(values: list[int]) -> list[int]:
    for shift, width in {digits}:
        buckets: list[list[int]] = [[] for _ in range(1 << width)]
        mask = (1 << width) - 1
        for value in values:
            buckets[value >> shift & mask].append(value)
        values = [value for bucket in buckets for value in bucket]
    return values
'''


def program(widths: list[int]) -> str:
    digits = tuple((sum(widths[:place]), width) for place, width in enumerate(widths))
    return PROGRAM.format(widths=", ".join(map(str, widths)), digits=digits)


def seconds(source: str, lists: list[list[int]]) -> float:
    names: dict = {}
    exec(source, names)
    begin = time.process_time()
    for values in lists:
        names["sort"](values)
    return time.process_time() - begin


def change(widths: list[int], chance: random.Random) -> list[int]:
    """Move bits from a digit to another, or do without one."""
    new = widths[:]
    if len(new) > 1 and chance.random() < 0.3:
        bits = new.pop(chance.randrange(len(new)))
    else:
        place = chance.randrange(len(new))
        bits = chance.randint(1, new[place])
        new[place] -= bits
    for _ in range(bits):
        new[chance.randrange(len(new))] += 1
    new = [width for width in new if width]
    return new if max(new) <= 16 else widths


def climb(seed: int) -> str:
    chance = random.Random(seed)
    lists = [[chance.getrandbits(BITS) for _ in range(100_000)] for _ in range(3)]
    best = [8, 8, 8, 8]
    least = seconds(program(best), lists)
    for _ in range(TRIES):
        widths = change(best, chance)
        spent = seconds(program(widths), lists)
        if spent < least:
            best, least = widths, spent
            print(f"{least:.3f} s with {widths}")
    return program(best)


if __name__ == "__main__":
    Path(__file__).with_name("sort.py").write_text(climb(seed=1), encoding="utf-8")
