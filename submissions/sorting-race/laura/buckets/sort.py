"""256 buckets by the first eight bits; binary insertion puts each value into its place in one."""

from bisect import insort


def sort(values: list[int]) -> list[int]:
    buckets: list[list[int]] = [[] for _ in range(256)]
    for value in values:
        insort(buckets[value >> 24], value)
    return [value for bucket in buckets for value in bucket]
