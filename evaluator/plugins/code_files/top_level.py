"""Print as JSON what names the Python on standard input has at its top level; nothing of it runs.

A program of its own, without a package: what it reads is a stranger's.
"""

import ast
import json
import resource
import sys

GIBIBYTE = 2**30
MAX_NAMES = 10_000


def names_of(body: list[ast.stmt]) -> set[str]:
    """The names that statements bind; ``*`` if these are another module's."""
    names: set[str] = set()
    for node in body:
        match node:
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                names.add(node.name)
            case ast.Import() | ast.ImportFrom():
                names |= {(one.asname or one.name).partition(".")[0] for one in node.names}
            case ast.Assign() | ast.AnnAssign():
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names |= {
                    one.id
                    for target in targets
                    for one in ast.walk(target)
                    if isinstance(one, ast.Name)
                }
            case _:
                for inner in ("body", "orelse", "finalbody"):
                    names |= names_of(getattr(node, inner, []))
                for handler in getattr(node, "handlers", []):
                    names |= names_of(handler.body)
    return names


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (GIBIBYTE, GIBIBYTE))
    result: dict[str, object] = {"names": [], "error": "", "line": None}
    try:
        result["names"] = sorted(names_of(ast.parse(sys.stdin.buffer.read()).body))[:MAX_NAMES]
    except SyntaxError as error:
        result |= {"error": str(error.msg)[:200], "line": error.lineno}
    except ValueError as error:  # bytes of 0
        result["error"] = str(error)[:200]
    print(json.dumps(result))


main()
