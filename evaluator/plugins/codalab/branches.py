"""Keys of scores that a Python program writes in one phase, past the conditions of its source.

It is read, and never run. A condition that names what only some phases have, such as a file of
their reference data, is decided by that. So what a phase ranks by never depends on a submission.
"""

import ast
import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from evaluator.importing.written_keys import MAX_SOURCE, WrittenKeys, written_keys

_MIN_WORD = 3
"""Characters of a word that tells phases apart."""


def keys_in_phase(
    content: bytes, keys: Collection[str], phase: int, words: Sequence[Collection[str]]
) -> WrittenKeys:
    """Keys that a source writes in a phase; ``words`` are each phase's, in lower case."""
    everything = written_keys([content], keys)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(content if len(content) <= MAX_SOURCE else b"")
        reader = _Reader(content.splitlines(), everything.certain, phase, words)
        reader.learn(tree)
        certain = reader.certain(tree.body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return everything  # another version of Python, or another language
    if not reader.reached:
        return everything
    lines = (line for number, line in enumerate(reader.lines, 1) if number in reader.reached)
    reachable = written_keys([b"\n".join(lines)], keys)
    return WrittenKeys(certain=certain, possible=reachable.any - certain)


@dataclass
class _Reader:
    lines: Sequence[bytes]
    keys: frozenset[str]
    """Those that the source has as they are."""
    phase: int
    words: Sequence[Collection[str]]
    reached: set[int] = field(default_factory=set)
    """Lines that the phase may reach."""
    _functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    _texts: dict[str, set[str]] = field(default_factory=dict)
    """Strings from which each variable is made."""
    _called: list[str] = field(default_factory=list)

    def learn(self, tree: ast.Module) -> None:
        used = {name for node in ast.walk(tree) if (name := _name(node))}
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name in used:
                self._functions[node.name] = node
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    self._texts.setdefault(_name(target), set()).update(self._strings(node.value))

    def certain(self, body: Sequence[ast.AST]) -> frozenset[str]:
        """Keys that statements write under no open condition."""
        result: frozenset[str] = frozenset()
        for place, node in enumerate(body):
            if isinstance(node, ast.FunctionDef) and node.name in self._functions:
                continue  # read where it is called
            if isinstance(node, ast.If) and "__name__" not in map(_name, ast.walk(node.test)):
                leaves = isinstance(node.body[-1], ast.Return)
                other = [*node.orelse, *(body[place + 1 :] if leaves else ())]
                result |= self._keys_at(node, node.body) | self._either(node, other)
                if leaves:
                    break
                continue
            parts = list(ast.iter_child_nodes(node))
            inner = [part for part in parts if isinstance(part, ast.stmt)]
            open_parts = [
                inside
                for part in parts
                if isinstance(part, ast.ExceptHandler | ast.match_case)
                for inside in part.body
            ]
            result |= self._keys_at(node, inner or open_parts) | self.certain(inner)
            self.certain(open_parts)  # for the lines that they reach
        return result

    def _either(self, node: ast.If, other: Sequence[ast.AST]) -> frozenset[str]:
        taken = self._decide(node.test)
        if taken is not None:
            return self.certain(node.body if taken else other)
        first, second = self.certain(node.body), self.certain(other)
        # All is within one condition where a program asks first whether its folders are there.
        return first if first == self.keys else first & second

    def _keys_at(self, node: ast.AST, inner: Sequence[ast.AST]) -> frozenset[str]:
        first = getattr(node, "lineno", 1)
        last = getattr(inner[0], "lineno", 1) - 1 if inner else getattr(node, "end_lineno", first)
        own = range(first, max(first, last) + 1)
        self.reached |= set(own)
        result = self._in(b"\n".join(self.lines[number - 1] for number in own))
        outer = [part for part in ast.iter_child_nodes(node) if not isinstance(part, ast.stmt)]
        for part in [piece for one in outer for piece in ast.walk(one)]:
            name = _name(part)
            if isinstance(part, ast.IfExp):
                first_keys, second_keys = (
                    self._in(ast.unparse(branch).encode()) for branch in (part.body, part.orelse)
                )
                result -= first_keys ^ second_keys
            elif name in self._functions and name not in self._called:
                self._called.append(name)
                result |= self.certain(self._functions[name].body)
                self._called.pop()
        return result

    def _in(self, text: bytes) -> frozenset[str]:
        return written_keys([text], self.keys).certain

    def _decide(self, test: ast.expr) -> bool | None:
        """Whether a condition holds in the phase; None where its words tell no phases apart."""
        inverted = False
        while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            inverted, test = not inverted, test.operand
        if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.NotEq | ast.NotIn):
            inverted = not inverted
        # What all phases have tells none apart.
        named = self._strings(test) - frozenset.intersection(*map(frozenset, self.words))
        holds = [not named.isdisjoint(words) for words in self.words]
        return None if len(set(holds)) < 2 else holds[self.phase] != inverted

    def _strings(self, node: ast.AST) -> set[str]:
        """Strings of an expression and of the variables in it, in lower case."""
        result: set[str] = set()
        for part in ast.walk(node):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                result.add(part.value.strip("/").casefold())
            if isinstance(part, ast.Name):
                result |= self._texts.get(part.id, set())
        return {text for text in result if len(text) >= _MIN_WORD}


def _name(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""
