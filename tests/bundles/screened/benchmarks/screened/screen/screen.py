"""Says whether an entry may run. It reads the files as data, and never imports or runs them."""

import ast
import json
import sys
from pathlib import Path

FORBIDDEN = {"ctypes", "socket", "subprocess"}
MAX_BYTES = 10_000


def judge(entry: Path) -> dict[str, str]:
    main = entry / "main.py"
    if not main.is_file():
        return {"verdict": "refuse", "reason": "There is no main.py."}
    if main.stat().st_size > MAX_BYTES:
        return {"verdict": "ask", "reason": f"main.py has more than {MAX_BYTES} bytes."}
    try:
        tree = ast.parse(main.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {"verdict": "ask", "reason": "main.py cannot be read as Python."}
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        for name in names:
            if name.partition(".")[0] in FORBIDDEN:
                return {"verdict": "refuse", "reason": f"main.py imports {name}."}
    return {"verdict": "ok"}


entry, output = map(Path, sys.argv[1:])
(output / "verdict.json").write_text(json.dumps(judge(entry)))
