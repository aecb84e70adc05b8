"""A record that data cannot write down."""


def attack(forge, cell):
    return {cell.id.scores_path: b"[" + b"9" * 1_000_000 + b"]"}
