def solve(_puzzle: str, _ask: object) -> None:
    """Give no answer."""
