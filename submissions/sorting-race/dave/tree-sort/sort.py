"""Tree sort: put every value into a binary search tree, then walk the tree in order."""

from collections.abc import Iterator


class Node:
    def __init__(self, value: int) -> None:
        self.value = value
        self.left: Node | None = None
        self.right: Node | None = None


def insert(node: Node | None, value: int) -> Node:
    if node is None:
        return Node(value)
    if value < node.value:
        node.left = insert(node.left, value)
    else:
        node.right = insert(node.right, value)
    return node


def walk(node: Node | None) -> Iterator[int]:
    if node is not None:
        yield from walk(node.left)
        yield node.value
        yield from walk(node.right)


def sort(values: list[int]) -> list[int]:
    tree = None
    for value in values:
        tree = insert(tree, value)
    return list(walk(tree))
