"""The only reader of YAML: bytes -> data, or every problem at once with its line."""

from collections.abc import Hashable
from typing import Any

import yaml

from evaluator.core.errors import Actor, Problem, errors_in
from evaluator.core.formats.paths import shown

MAX_BYTES = 2**20
MAX_NODES = 50_000
"""Nodes of a document after aliases are expanded: nine lines of anchors can make a billion."""
MAX_DEPTH = 50

# What Python programs write beside plain YAML, and what it stands for: text above all, which old
# dumps of CodaLab carry on every line.
_TAG = "tag:yaml.org,2002:"
_OF_PYTHON = {
    "unicode": "str", "str": "str", "bool": "bool", "int": "int", "long": "int", "float": "float",
    "none": "null", "list": "seq", "tuple": "seq", "dict": "map",
}  # fmt: skip

Key = tuple[str | int, ...]


class Document:
    """Data read from one file, with the line of each key."""

    def __init__(self, file: str, actor: Actor) -> None:
        self.file = file
        self.actor = actor
        self.data: Any = None
        self.lines: dict[Key, int] = {}
        self.problems: list[Problem] = []
        self.refused: set[Key] = set()
        """Keys whose values are replaced by stand-ins, about which a message helps nobody."""

    def report(self, key: Key, message: str, hint: str = "", *, severity: str = "error") -> None:
        """Add a problem at a key; its line is that of the nearest known parent."""
        if any(key[:length] in self.refused for length in range(1, len(key) + 1)):
            return
        at = key
        while at and at not in self.lines:
            at = at[:-1]
        self.problems.append(
            Problem(
                file=self.file, key=dotted(key), line=self.lines.get(at), message=message,
                hint=hint, actor=self.actor, severity=severity,
            )
        )  # fmt: skip


def dotted(key: Key) -> str:
    text = ""
    for part in key:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}" if text else part
    return shown(text)


def read_yaml(
    content: bytes, file: str, actor: Actor, *, lenient: bool = False, lists: bool = False
) -> Document:
    """Read one YAML 1.1 document of plain scalars, lists and mappings.

    Refused, each by name: non-UTF-8, over MAX_BYTES, doubled keys, tags, alias bombs, more than
    one document, anything but a mapping at the top. ``lenient`` is for files of other platforms,
    which an import rewrites: it takes UTF-16 and Windows-1252, doubled keys (the last wins, as
    PyYAML has it) with a warning each, merge keys, and tags of Python's plain types.
    ``lists`` takes a list at the top, too.
    """
    document = Document(file, actor)
    if len(content) > MAX_BYTES:
        document.report((), f"is {len(content):,} bytes; at most {MAX_BYTES:,} are read")
        return document
    try:
        text = _decode(content, document) if lenient else content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        document.report(
            (), f"is not UTF-8: byte {error.start} cannot be decoded", "Save it as UTF-8."
        )
        return document
    try:
        _check_depth(text)
        loader = _Loader(text)
        try:
            root = loader.get_single_node()
            if root is not None:
                document.data = _Builder(document, loader, lenient=lenient).build(root)
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        said = ", ".join(filter(None, (error.context, error.problem)))
        if line and "\t" in "".join(text.splitlines()[line - 1 : line]):
            said += ", a tab character"
        reason, hint = next((text for words, text in _IN_WORDS if words in said), (said, ""))
        if line:
            document.lines[()] = line
        document.report((), f"is not valid YAML: {reason}", hint)
        return document
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        reason = "is nested too deeply" if isinstance(error, RecursionError) else str(error)
        document.report((), f"is not valid YAML: {reason.splitlines()[0]}")
        return document
    expected = (dict, list) if lists else dict
    if not errors_in(document.problems) and not isinstance(document.data, expected):
        document.report((), "must hold keys and values at its top level")
    return document


class Nested(str):
    """What stands under a key in place of a scalar, in words."""

    __slots__ = ()


def read_scalars(text: str) -> dict[str, str | None] | None:
    """Read scalars at the top as text, null as None, all else as ``Nested``; None if no mapping."""
    values: dict[str, str | None] = {}
    depth, key = 0, ""
    is_key = True
    try:
        for event in yaml.parse(text, Loader=_BaseLoader):
            if isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
                continue
            if not isinstance(event, yaml.NodeEvent):
                continue
            if depth == 0 and not isinstance(event, yaml.MappingStartEvent):
                return None
            if depth == 1 and is_key:
                key = event.value if isinstance(event, yaml.ScalarEvent) else ""
                is_key = False
            elif depth == 1:
                values[key] = Nested("there twice") if key in values else _scalar(event)
                is_key = True
            depth += isinstance(event, yaml.CollectionStartEvent)
    except (yaml.YAMLError, ValueError):
        return None
    values.pop("", None)
    return values


def _scalar(event: Any) -> str | None:
    if isinstance(event, yaml.ScalarEvent):
        is_null = event.implicit[0] and event.value in ("", "~", "null", "Null", "NULL")
        return None if is_null else str(event.value)
    names = {yaml.SequenceStartEvent: "a list", yaml.MappingStartEvent: "a mapping"}
    return Nested(names.get(type(event), "an alias"))


def _decode(content: bytes, document: Document) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        document.report((), "is UTF-16; it is read as that", severity="warning")
        return content.decode("utf-16")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        document.report(
            (), f"is not UTF-8 (line {line}); it is read as Windows-1252", severity="warning"
        )
        return content.decode("cp1252", "replace")


class _Dumper(yaml.SafeDumper):
    """Block style with indented lists, no anchors."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002
        super().increase_indent(flow, False)


def dump_yaml(data: Any) -> bytes:
    text = yaml.dump(
        data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, default_flow_style=False,
        width=100,
    )  # fmt: skip
    return str(text).encode()


def _check_depth(text: str) -> None:
    # libyaml's composer recurses in C, and 100,000 brackets crash the interpreter; its event
    # parser does not. Each level needs one of these characters, so that ordinary files skip this.
    if sum(map(text.count, "[{-?")) < 1000:
        return
    depth = 0
    for event in yaml.parse(text, Loader=_BaseLoader):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise ValueError(f"is nested more than {MAX_DEPTH} levels deep")


_COLUMN = "Keys of one level begin in the same column, those below them further right."
_IN_WORDS = (
    (
        "tab character",
        ("the line is indented with a tab", "The line holds a tab; YAML indents with spaces."),
    ),
    (
        "mapping values are not allowed",
        ("a key is indented too far, or a value holds ': '",
         f"{_COLUMN} A value that holds ': ' needs quotes."),
    ),
    ("expected key", ("the line is indented otherwise than those above it", _COLUMN)),
    ("<document start>", ("the line is indented otherwise than those above it", _COLUMN)),
    (
        "expected '-'",
        ("the line is in a list and does not begin with '-'",
         "Items of a list begin with '-', all in the same column."),
    ),
    (
        "expected ':'",
        ("a line before this one is neither a key with ':' nor a part of a value", _COLUMN),
    ),
    ("while parsing a flow", ("a '[' or '{' is not closed", "Close it, or put it into quotes.")),
    ("quoted scalar", ("a quote is not closed", "Close it.")),
    ("cannot start any token", ("a value begins with a sign of YAML's", "Put it into quotes.")),
)  # fmt: skip
"""What libyaml says, in part, and what a person says and does."""

# The C parser where PyYAML was built with libyaml: four times faster, the same events.
_BaseLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_BaseLoader):  # type: ignore[misc]
    """SafeLoader's resolver and scalar constructors; the collections are built by _Builder."""


class _Builder:
    """Node graph -> data, counting, and with the line of each key."""

    def __init__(self, document: Document, loader: Any, *, lenient: bool = False) -> None:
        self._document = document
        self._loader = loader
        self._lenient = lenient
        self._count = 0

    def build(self, node: yaml.Node, at: Key = ()) -> Any:
        self._count += 1
        if self._count > MAX_NODES:
            raise ValueError(f"expands to more than {MAX_NODES:,} values through its anchors")
        if len(at) > MAX_DEPTH:
            raise ValueError(f"is nested more than {MAX_DEPTH} levels deep")
        self._document.lines[at] = node.start_mark.line + 1
        self._plain_tag(node)
        if isinstance(node, yaml.MappingNode) and node.tag == f"{_TAG}map":
            return self._mapping(node, at)
        if isinstance(node, yaml.SequenceNode) and node.tag == f"{_TAG}seq":
            return [self.build(child, (*at, index)) for index, child in enumerate(node.value)]
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, at)
        self._tagged(node, at)
        return None

    def _tagged(self, node: yaml.Node, at: Key) -> None:
        self._document.report(
            at, f"carries the tag '{shown(node.tag)}'; only plain YAML is read", "Remove the tag."
        )

    def _plain_tag(self, node: yaml.Node) -> None:
        if self._lenient and node.tag.startswith(f"{_TAG}python/"):
            name = node.tag.rpartition("/")[2]
            node.tag = f"{_TAG}{_OF_PYTHON[name]}" if name in _OF_PYTHON else node.tag

    def _mapping(self, node: yaml.MappingNode, at: Key) -> dict[Any, Any]:
        result: dict[Any, Any] = {}
        merged: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self._document.report(at, "has a key that is not a plain value")
                continue
            if key_node.tag == f"{_TAG}merge":
                if self._lenient:
                    merged |= self._merged(value_node, at)
                    continue
                self._document.report(
                    at,
                    "uses the merge key '<<', which Codabench's readers differ on",
                    "Write the keys out.",
                )
                continue
            self._plain_tag(key_node)
            key = self._scalar(key_node, at)
            place = (*at, key if isinstance(key, (str, int)) else str(key))
            if not isinstance(key, Hashable) or key in result:
                self._document.lines[place] = key_node.start_mark.line + 1
                if not self._lenient or not isinstance(key, Hashable):
                    self._document.report(place, "is there twice.", "Keep one of them.")
                    continue
                self._document.report(
                    place, "is there twice; the last one counts.", severity="warning"
                )
            result[key] = self.build(value_node, place)
            self._document.lines[place] = key_node.start_mark.line + 1
        return {**merged, **result}

    def _merged(self, node: yaml.Node, at: Key) -> dict[Any, Any]:
        value = self.build(node, at)
        result: dict[Any, Any] = {}
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, dict):
                result = {**part, **result}  # of several, the first wins
            else:
                self._document.report(at, "merges something that has no keys")
        return result

    def _scalar(self, node: yaml.ScalarNode, at: Key) -> Any:
        if node.tag == f"{_TAG}str":
            return node.value
        if not node.tag.startswith(_TAG):
            self._tagged(node, at)
            return None
        try:
            return self._loader.construct_object(node)
        except (yaml.YAMLError, ValueError, OverflowError) as error:
            self._document.report(at, f"cannot be read: {str(error).splitlines()[0]}")
            return None
