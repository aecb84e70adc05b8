"""Scoring programs weakened in usual ways: a set of controls is good if it notices each."""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from evaluator.core.git.commands import Repo
from evaluator.core.git.tree import read_tree
from evaluator.core.planning.snapshot import read_snapshot
from evaluator.plugins.controls.keys import controls_of
from evaluator.plugins.controls.outcomes import ControlOutcome, fault_of

_ENDINGS = ("exit", "refuse", "reject", "abort", "fail")
"""Words in the names of functions that end a program without scores."""
_FIRST = "next(iter(sorted(p for p in ({0}).parent.glob('*') if p.is_file())), {0})"
_ZERO = "(lambda t: 0.0 if str(t).strip().lower() in ('', 'nan') else float(t))({0})"
_TURNED = "{{k: -v if isinstance(v, (int, float)) else v for k, v in ({0}).items()}}"
_WRITTEN = ("scores.", "rejected.", "samples.", "detailed_results.", "curves.")


def _weaker(node: ast.AST, text: str) -> tuple[str, ast.AST, ast.AST, str] | None:
    """How a node can be weaker: in words, the first and last part replaced, by what."""
    match node:
        case ast.If(body=[*_, last], orelse=[]) if _ends(last):
            return "a check is left out", node, node, "pass"
        case ast.ExceptHandler(body=[*_, last]) if _ends(last):
            return "a fault is passed over", node.body[0], last, "pass"
        case ast.Call(func=ast.Name(id="float"), args=[read]):
            return "what is no number is 0", node, node, _ZERO.format(ast.unparse(read))
        case ast.Call(func=ast.Attribute(attr="dump" | "dumps"), args=[what, *_]):
            if re.search("score|METRIC", ast.unparse(what).partition("[")[0]):
                return "the sign is turned", what, what, _TURNED.format(ast.unparse(what))
        case ast.BinOp(op=ast.Div(), right=ast.Constant(value=str(name))):
            if "." in name and "ref" not in text and not name.startswith(_WRITTEN):
                return "the first file is read, whatever its name", node, node, _FIRST.format(text)
    return None


def _ends(node: ast.stmt) -> bool:
    call = node.value if isinstance(node, ast.Expr) else None
    name = ast.unparse(call.func).lower() if isinstance(call, ast.Call) else ""
    return isinstance(node, ast.Raise) or any(word in name for word in _ENDINGS)


def mutants(source: str) -> Iterator[tuple[str, str]]:
    """Yield programs that are weaker in one place, each after words that say where and how."""
    content = source.encode()
    starts = [0]
    for line in content.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in ast.walk(ast.parse(source)):
        weakening = _weaker(node, ast.get_source_segment(source, node) or "")
        if weakening is None:
            continue
        how, first, last, new = weakening
        line, last_line = first.lineno, last.end_lineno  # type: ignore[attr-defined]
        start = starts[line - 1] + first.col_offset  # type: ignore[attr-defined]
        end = starts[last_line - 1] + last.end_col_offset  # type: ignore[attr-defined]
        weaker = (content[:start] + new.encode() + content[end:]).decode()
        try:
            ast.parse(weaker)
        except SyntaxError:  # such as an `elif` that became a `pass`
            continue
        yield f"line {line}: {how}", weaker


def survivors(
    repo: Repo, revision: str | None, name: str,
    run: Callable[..., dict[str, ControlOutcome] | None],
) -> Iterator[str]:  # fmt: skip
    """Yield a line for each weaker scoring program, with the controls that notice it."""
    benchmark = read_snapshot(read_tree(repo, revision), participants=()).benchmark(name)
    controls, unnoticed, count = controls_of(benchmark), 0, 0
    programs = sorted({f"{benchmark.path}/{task.scoring_program}" for task in benchmark.tasks})
    tree = read_tree(repo, revision)
    paths = [path for one in programs for path in tree.under(one) if path.endswith(".py")]
    for path, content in tree.read(paths).items():
        for where, weaker in mutants(content.decode()):
            with TemporaryDirectory() as folder:
                program = Path(folder, "program.py")
                program.write_text(weaker, encoding="utf-8")
                mutant = read_tree(repo, revision)
                mutant.overlay({path: program})
                outcomes = run(mutant, fresh=False) or {}
            noticed = [one for one in outcomes if fault_of(benchmark, controls, one, outcomes)]
            count, unnoticed = count + 1, unnoticed + (not noticed)
            yield f"{path}, {where}: {', '.join(noticed) or 'NO CONTROL NOTICES'}"
    yield f"{name}: {unnoticed} of {count} weaker programs are noticed by no control"
