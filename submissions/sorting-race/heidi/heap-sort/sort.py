"""Heap sort in plain Python, bottom-up: the hole goes down to a leaf, and the value climbs back."""


def sift(heap: list[int], start: int, end: int) -> None:
    value, hole = heap[start], start
    while (child := 2 * hole + 2) < end:
        if heap[child] < heap[child - 1]:
            child -= 1
        heap[hole] = heap[child]
        hole = child
    if child == end:
        heap[hole] = heap[end - 1]
        hole = end - 1
    while hole > start and heap[parent := (hole - 1) // 2] < value:
        heap[hole] = heap[parent]
        hole = parent
    heap[hole] = value


def sort(values: list[int]) -> list[int]:
    for start in reversed(range(len(values) // 2)):
        sift(values, start, len(values))
    for end in reversed(range(1, len(values))):
        values[0], values[end] = values[end], values[0]
        sift(values, 0, end)
    return values
