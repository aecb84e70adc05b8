"""Radix sort by digits of 10, 10, 12 bits; climb.py chose these."""


def sort(values: list[int]) -> list[int]:
    for shift, width in ((0, 10), (10, 10), (20, 12)):
        buckets: list[list[int]] = [[] for _ in range(1 << width)]
        mask = (1 << width) - 1
        for value in values:
            buckets[value >> shift & mask].append(value)
        values = [value for bucket in buckets for value in bucket]
    return values
