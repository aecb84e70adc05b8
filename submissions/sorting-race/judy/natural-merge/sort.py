"""Natural merge sort: what is in order already, up or down, is one run, and is only copied."""


def runs_of(values: list[int]) -> list[list[int]]:
    runs, start = [], 0
    while start < len(values):
        end = start + 1
        if end < len(values) and values[end] < values[start]:
            while end < len(values) and values[end] < values[end - 1]:
                end += 1
            runs.append(values[start:end][::-1])
        else:
            while end < len(values) and values[end] >= values[end - 1]:
                end += 1
            runs.append(values[start:end])
        start = end
    return runs


def merge(left: list[int], right: list[int]) -> list[int]:
    merged = []
    left.reverse()
    right.reverse()
    while left and right:
        merged.append(left.pop() if left[-1] <= right[-1] else right.pop())
    return merged + (left or right)[::-1]


def sort(values: list[int]) -> list[int]:
    runs = runs_of(values)
    while len(runs) > 1:
        merged = [merge(a, b) for a, b in zip(runs[::2], runs[1::2], strict=False)]
        runs = merged + runs[len(merged) * 2 :]
    return runs[0]
