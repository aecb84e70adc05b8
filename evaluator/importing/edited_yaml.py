"""Bundles with another value of a key, for the rest as a person wrote them."""

import copy
import re
import textwrap
from typing import Any

from evaluator.core.errors import Actor
from evaluator.core.formats.bundle import FILE_NAME
from evaluator.core.formats.schema import dump_yaml, read_yaml


def with_value(content: bytes, value: Any, *keys: str | int) -> bytes:
    """A bundle with a value at the path of some keys; comments stay where they can.

    So they do if each key above it begins a line of its own, two blanks further right than its
    parent's.
    """
    wanted = copy.deepcopy(read_yaml(content, FILE_NAME, Actor.ORGANISER).data)
    parent = wanted
    for key in keys[:-1]:
        parent[key] = parent = parent.get(key) or {}
    parent[keys[-1]] = value
    edited = _edited(content.decode("utf-8-sig"), value, keys).encode()
    same = read_yaml(edited, FILE_NAME, Actor.ORGANISER).data == wanted
    return edited if same else dump_yaml(wanted)


def _edited(text: str, value: Any, keys: tuple[str | int, ...]) -> str:
    """The text with the key in place of itself, or below its parent."""
    indent = "  " * (len(keys) - 1)
    block = textwrap.indent(dump_yaml({keys[-1]: value}).decode(), indent)
    start = 0
    for depth, key in enumerate(keys):
        line = re.compile(rf"(?m)^{'  ' * depth}{re.escape(str(key))}[ \t]*:.*(?:\n|\Z)")
        match = line.search(text, start)
        if match is None:
            return text[:start] + block + text[start:]
        before, start = match.start(), match.end()
    below = re.compile(rf"(?:{indent}[ ]+.*(?:\n|\Z))*").match(text, start)
    return text[:before] + block + text[below.end() if below else start :]
