"""``pullbench init --template course``: exercises whose scores only their authors see.

Labels and scores are encrypted, each to a key of its own. The keys, the labels and a class list go
to a folder outside of git.
"""

import csv
import datetime as dt
import io
import secrets
from pathlib import Path

from evaluator.ci.policy.entrants import digest_of
from evaluator.core.formats.bundle import FILE_NAME
from evaluator.core.formats.pinned_files import DATA_IDENTITY
from evaluator.core.formats.settings import SEAL_IDENTITY, parse_settings
from evaluator.importing.edited_yaml import with_value
from evaluator.importing.files import Files, pack, read_template
from evaluator.importing.pinned import content_digest
from evaluator.importing.private_parts import encrypt, make_keys
from evaluator.plugins.scaffold.benchmark import COURSE, TEMPLATES
from evaluator.plugins.scaffold.private_folder import filled, write_private

_SETTINGS = "pyproject.toml"
_TABLE = "[tool.pullbench]\n"
_DATES = {"@START@": 0, "@MIDDLE@": 14, "@MORE@": 17, "@END@": 28}
"""Days from today."""
_ROSTER, _KEYS, _UNTIL = "roster.csv", "keys.env", "until exercise-1"
_EXERCISES = ("1", "2")


def begin_course(root: Path, title: str, private: Path) -> tuple[Files, Files]:
    """The bundle and a first submission; what is secret goes to a new folder.

    The settings get a key to which scores are sealed, if they have none. Raises UsageError where
    the folder is there.
    """
    today = dt.datetime.now(dt.UTC).date()
    values = {name: f"{today + dt.timedelta(days=days)}" for name, days in _DATES.items()}
    scorer = read_template(TEMPLATES / "results/bundle")
    bundle = {
        **{path: file for path, file in scorer.items()
           if path.startswith("scoring_program/") or path == "logo.png"},
        **read_template(TEMPLATES / COURSE / "files"),
    }  # fmt: skip
    public, secret = make_keys()
    keys = f"{DATA_IDENTITY}={secret}\nDATA_KEY={public}\n"
    secret_files = read_template(TEMPLATES / COURSE / "private")
    roster = secret_files[_ROSTER][0].replace(b"@MORE@", values["@MORE@"].encode())
    secret_files[_ROSTER] = (roster, False)
    for name in _EXERCISES:  # few labels could be guessed by the digest that the bundle pins
        secret_files[f"{name}/salt"] = (secrets.token_bytes(16), False)
    write_private(private, {**secret_files, _KEYS: (keys.encode(), False)})
    _seal(root, private / _KEYS)
    for name in _EXERCISES:
        bundle[f"{name}.age"] = (encrypt(pack(private / name), [public]), False)
        values[f"@LABELS{name}@"] = content_digest(private / name)
    bundle = filled(bundle, values, title)
    salt = secrets.token_hex(8)
    students = csv.DictReader(io.StringIO(roster.decode(), newline=""))
    ends = {digest_of(salt, one["login"]): one[_UNTIL] for one in students}
    content = with_value(
        bundle[FILE_NAME][0], {"salt": salt, "digests": sorted(ends)}, "pullbench", "participants"
    )
    more = {digest: end for digest, end in ends.items() if end}
    content = with_value(content, more, "pullbench", "phases", 0, "until")
    bundle[FILE_NAME] = (content, False)
    first = "controls/constant-1/"
    return bundle, {
        path.removeprefix(first): file for path, file in bundle.items() if path.startswith(first)
    }


def _seal(root: Path, keys: Path) -> None:
    """Let the settings seal scores, if they do not; the secret key is kept first."""
    file = root / _SETTINGS
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    if parse_settings(text.encode()).seal:
        return
    public, secret = make_keys()
    with keys.open("a", encoding="utf-8") as kept:
        kept.write(f"{SEAL_IDENTITY}={secret}\n")
    line = f'seal = "{public}" # scores are encrypted to it\n'
    text = text.replace(_TABLE, _TABLE + line, 1) if _TABLE in text else f"{text}\n{_TABLE}{line}"
    file.write_text(text.lstrip("\n"), encoding="utf-8")
