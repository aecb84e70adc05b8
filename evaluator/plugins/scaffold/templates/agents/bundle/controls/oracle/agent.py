import re


def solve(puzzle: str, _ask: object) -> str:
    """Know how all puzzles are made."""
    numbers = [int(one) for one in re.findall(r"\d+", puzzle)]
    if "*" in puzzle:
        return str(numbers[0] * numbers[1] - numbers[2])
    return str(2 * numbers[-1] - numbers[-2])
