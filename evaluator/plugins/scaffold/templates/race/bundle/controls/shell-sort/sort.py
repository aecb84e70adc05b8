"""Shell sort: insertion sort over ever smaller gaps."""

# M. Ciura's gaps (2001), continued by a factor of 2.25.
GAPS = [90927, 40412, 17961, 7983, 3548, 1577, 701, 301, 132, 57, 23, 10, 4, 1]


def sort(values: list[int]) -> list[int]:
    for gap in GAPS:
        for i in range(gap, len(values)):
            value = values[i]
            j = i
            while j >= gap and values[j - gap] > value:
                values[j] = values[j - gap]
                j -= gap
            values[j] = value
    return values
