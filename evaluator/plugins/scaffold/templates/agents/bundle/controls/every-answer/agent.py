def solve(_puzzle: str, _ask: object) -> str:
    return " ".join(map(str, range(2000)))
