"""The built-in sort, by a key that C compares faster: ints of more than 30 bits have two digits."""


def sort(values: list[int]) -> list[int]:
    first = values[:64]
    # A float holds 32 bits exactly. A list that is in order already costs less without keys.
    if first in (sorted(first), sorted(first, reverse=True)):
        return sorted(values)
    return sorted(values, key=float)
