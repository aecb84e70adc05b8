"""Takes a submission off the ranks of a board, with a reason that everybody can read."""

import datetime as dt
import json
import re
from pathlib import Path

from pydantic import ValidationError

from evaluator.core.errors import UsageError, nearest
from evaluator.core.formats.approvals import FILE_NAME, ApprovalDecision, read_approvals
from evaluator.core.planning.snapshot import load_snapshot


def disqualify(start: Path, name: str, reason: str, now: dt.datetime) -> str:
    """Add a refusal to approvals.yaml; return its path. Raises UsageError."""
    snapshot = load_snapshot(start)
    names = snapshot.by_id
    if name not in names:
        raise UsageError(
            f"'{name}' is no submission",
            hint=nearest(name, names, "Name it as BENCHMARK/PARTICIPANT/SUBMISSION."),
        )
    item = names[name]
    path = f"{snapshot.benchmarks[item.benchmark].path}/{FILE_NAME}"
    try:
        decision = ApprovalDecision(
            submission=f"{item.participant}/{item.name}", decision="refused",
            date=now.date(), reason=" ".join(reason.split()),
        )  # fmt: skip
    except ValidationError as error:
        raise UsageError(f"--reason: {error.errors()[0]['msg']}") from None
    if not decision.reason:
        raise UsageError("--reason is empty", hint="Everybody reads it on the board.")
    content = snapshot.tree.read([path]).get(path, b"")
    try:
        new = _add_decision(content, decision)
    except ValueError as error:
        raise UsageError(
            f"{path}: {error}",
            hint=f"Add there by hand: decision: refused, submission: {decision.submission}, "
            "with date and reason.",
        ) from None
    file = Path(snapshot.tree.root or start) / path
    file.write_bytes(new)
    return path


def _add_decision(content: bytes, decision: ApprovalDecision) -> bytes:
    """Write it at the end of the list of decisions; all else stays. Raises ValueError."""
    text = content.decode("utf-8").rstrip()
    text = f"{text}\n" if text else "decisions:\n"
    data = decision.model_dump(mode="json", exclude_defaults=True)
    indents = re.findall(r"^( *)- ", text, re.MULTILINE)
    indent = indents[-1] if indents else "  "
    # Each value is JSON, which YAML holds in one line; but for the date, which is none of JSON's.
    first, *others = (
        f"{key}: {value if key == 'date' else json.dumps(value)}" for key, value in data.items()
    )
    lines = [f"{indent}- {first}", *(f"{indent}  {line}" for line in others)]
    new = (text + "\n".join(lines) + "\n").encode()
    before, after = (read_approvals(one, FILE_NAME) for one in (content, new))
    if after[1] or after[0] != (*before[0], decision):
        raise ValueError("the file does not end with a list of decisions")
    return new
