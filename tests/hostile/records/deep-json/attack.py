"""A record that data cannot write down."""


def attack(forge, cell):
    return {cell.id.scores_path: b"[" * 10_000 + b"]" * 10_000}
