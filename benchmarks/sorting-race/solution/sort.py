"""Heap sort with the standard library's binary heap."""

from heapq import heapify, heappop


def sort(values: list[int]) -> list[int]:
    heapify(values)
    return [heappop(values) for _ in range(len(values))]
