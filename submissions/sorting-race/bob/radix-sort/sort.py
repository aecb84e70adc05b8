"""Radix sort, least significant digit first, four digits of eight bits."""


def sort(values: list[int]) -> list[int]:
    for shift in (0, 8, 16, 24):
        buckets: list[list[int]] = [[] for _ in range(256)]
        for value in values:
            buckets[value >> shift & 255].append(value)
        values = [value for bucket in buckets for value in bucket]
    return values
