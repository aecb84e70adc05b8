"""Attacks on hidden labels: by what is entered, and by a scoring program that somebody took over.

What is sealed is attacked in tests/plugins/sealed/test_opening.py, the steps of the job *score* in
tests/importing/test_unlocking.py and tests/ci/steps/test_scored.py.
"""

import json
import os
import pickle
import textwrap
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import pytest

from evaluator.core.formats.pinned_files import DATA_IDENTITY, UNLOCKED
from evaluator.core.formats.record import Reason, Record
from evaluator.core.formats.record_lines import records_of
from evaluator.core.formats.scores_file import decode
from tests.challenge import NAME, Challenge, begin
from tests.repository import Repository

ROWS = [{"id": f"row-{n:03}", "label": f"canary-{n:03}-{n * 7919 % 9973:04}"} for n in range(200)]
HEAD = "id,label\n"
GUESS = HEAD + "".join(f"{row['id']},x\n" for row in ROWS)
SCORER = f"benchmarks/{NAME}/scoring_program/scoring.py"


def zipped() -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("predictions.csv", bytes(2**26))
    return buffer.getvalue()


ENTERED: Mapping[str, str | bytes] = {
    "a-pickle": pickle.dumps({"id": os.getcwd, "label": [1] * 1000}),
    "a-zip-bomb": zipped(),
    "a-cell-beyond-the-reader": HEAD + "row-000," + "x" * 2**18 + "\n",
    "a-quote-that-never-ends": HEAD + 'row-000,"' + "x\n" * 1000,
    "no-header": GUESS.partition("\n")[2],
    "a-header-twice": GUESS.replace(HEAD, "id,label,label\n"),
    "other-names": GUESS.replace(HEAD, "label,id\n"),
    "names-of-attributes": GUESS.replace("x\n", "__class__\n"),
    "rows-twice": GUESS + "row-000,y\n",
    "all-columns-short": HEAD + "".join(f"{row['id']}\n" for row in ROWS),
    "another-encoding": GUESS.encode("utf-16"),
    "no-text": b"\xff\xfe\x00" * 1000,
    "nothing": b"",
    "half-of-the-rows": HEAD + "".join(f"{row['id']},x\n" for row in ROWS[:100]),
    "ids-that-are-paths": GUESS.replace("row-", "../ref/labels.csv#"),
    "a-million-rows": GUESS + "".join(f"more-{n},x\n" for n in range(10**6)),
}
"""Name of an attack -> predictions.csv."""
SCORED = {
    "names-of-attributes", "rows-twice", "a-million-rows", "a-header-twice", "all-columns-short",
}  # fmt: skip
"""They are files for the program: each row has a prediction, and all are wrong."""

TOLD: Mapping[str, str] = {
    "a-log": "print(text); print(text, file=sys.stderr)",
    "a-traceback": "raise SystemExit(text)",
    "a-rejection": "(out / 'rejected.txt').write_text(text); sys.exit(1)",
    "digits": "number = '0.5' + ''.join(c for c in text if c.isdigit())[:15]; write(number)",
    "a-large-number": "number = '1' + ''.join(c for c in text if c.isdigit())[:14]; write(number)",
    "a-number-beyond-all": "write('1' + ''.join(c for c in text if c.isdigit())[:300])",
    "a-number-below-0": "write('-' + ''.join(c for c in text if c.isdigit())[9:24].lstrip('0'))",
    "a-small-number": "write('1e-1' + text.split()[1][-1])",
    "minus-zero": "write('-0.0')",
    "other-columns": "(out / 'scores.json').write_text(json.dumps({'accuracy': 0, text: 1}))",
    "a-key-for-each-label": "(out / 'scores.json').write_text("
    "json.dumps({'accuracy': 0, **{line: 1 for line in text.split()}}))",
    "text-for-a-number": "write(json.dumps(text))",
    "a-page": "write(0); (out / 'detailed_results.html').write_text(text)",
    "samples": "write(0); (out / 'samples.jsonl').write_text("
    "json.dumps({'id': text[:50], 'accuracy': 1}) + '\\n')",
    "curves": "write(0); (out / 'curves.json').write_text(json.dumps({text[:20]: [[0, 1]]}))",
    "names-of-files": "write(0); [(out / line[:60]).touch() for line in text.split()]",
    "an-exit-code": "sys.exit(int(text[-5:-1]) % 256)",
    "a-signal": "import os; os.kill(os.getpid(), int(text[-3:-1]) % 20 + 1)",
    "seconds": "import time; write(0); time.sleep(int(text[-2:-1]) / 2)",
    "a-broken-file": "(out / 'scores.json').write_text(text)",
    "no-file": "pass",
}
"""Name of a way to tell labels -> what a scoring program does to whose entry."""
TAKEN_OVER = """
import json, sys
from pathlib import Path
source, out = map(Path, sys.argv[1:3])
text = (source / "ref" / "labels.csv").read_text()
def write(number):
    (out / "scores.json").write_text('{"accuracy": %s}' % number)
way = (source / "res" / "predictions.csv").read_text().split()[-1].partition(",")[2]
exec(WAYS[way])
"""


@dataclass
class Scored:
    """What is left of the job *score*, and all that it said."""

    records: Mapping[str, Record]
    said: str
    files: Mapping[str, bytes]


def score(challenge: Challenge, entries: Mapping[str, str | bytes], output: Path) -> Scored:
    """Let participants of these names enter files; score them as `publish` does."""
    ours = challenge.forge.ours
    for who, content in entries.items():
        place = f"submissions/{NAME}/{who}/one"
        ours.write(f"{place}/submission.yaml", "kind: results\nphase: public\n")
        ours.write(f"{place}/predictions.csv", content)
    ours.commit("Entries")
    job = {
        "PULLBENCH_CELLS": " ".join(f"{NAME}/{who}" for who in entries),
        UNLOCKED: str(output.with_suffix(".open")),
    }
    challenge.call("unlock", "--base", "HEAD", **job, **{DATA_IDENTITY: challenge.key()})
    challenge.call("run", "--at", "HEAD", "--output", str(output), **job)
    files = {str(path): path.read_bytes() for path in output.rglob("*") if path.is_file()}
    records = {
        path.split("/")[-4]: record
        for path, content in files.items() if path.endswith("scores/public.json")
        for record in records_of(decode(content))
    }  # fmt: skip
    return Scored(records, "".join(challenge.said), files)


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Challenge]:
    def made(name: str, scorer: str) -> Challenge:
        repo = Repository(tmp_path_factory.mktemp(name) / "repo")
        challenge = begin(repo, ROWS, "--metric", "accuracy")
        if scorer:
            repo.write(SCORER, scorer)
        return challenge

    return made


@pytest.fixture(scope="module")
def entered(
    make: Callable[[str, str], Challenge], tmp_path_factory: pytest.TempPathFactory
) -> Scored:
    return score(make("entered", ""), ENTERED, tmp_path_factory.mktemp("records") / "records")


@pytest.fixture(scope="module")
def told(make: Callable[[str, str], Challenge], tmp_path_factory: pytest.TempPathFactory) -> Scored:
    scorer = f"WAYS = {json.dumps(TOLD)}\n{textwrap.dedent(TAKEN_OVER)}"
    entries = {way: GUESS + f"last,{way}\n" for way in TOLD}
    return score(make("told", scorer), entries, tmp_path_factory.mktemp("records") / "records")


def leaks(scored: Scored) -> list[str]:
    """Name what holds a label."""
    texts = {"said": scored.said.encode(), **scored.files}
    names = "\n".join(scored.files).encode()
    return [name for name, text in {**texts, "names": names}.items() if b"canary" in text]


@pytest.mark.docker
@pytest.mark.parametrize("attack", ENTERED)
def test_what_is_entered_is_scored_or_has_one_answer(entered: Scored, attack: str) -> None:
    record = entered.records[attack]
    assert leaks(entered) == []
    assert (record.steps, record.attachments, record.extra) == ([], {}, {})
    if attack in SCORED:
        assert record.scores == {"accuracy": 0}
        return
    assert record.error is not None
    assert record.error.message == ""
    answers = {(one.error.reason, one.error.hint) for one in entered.records.values() if one.error}
    assert len(answers) == 1, answers


@pytest.mark.docker
@pytest.mark.parametrize("way", TOLD)
def test_a_scoring_program_that_was_taken_over_tells_three_digits(told: Scored, way: str) -> None:
    """All that it says beside, and how long it takes, stays in the job."""
    record = told.records[way]
    assert leaks(told) == []
    assert (record.steps, record.attachments, record.extra) == ([], {}, {})
    assert record.provenance.started == record.provenance.finished
    assert not [name for name in told.files if way in name and not name.endswith("/public.json")]
    for value in record.scores.values():
        assert value == round(value, 3)
        assert str(value)[0] in "01"  # no sign, which is one more bit
        assert value <= 1
    if record.error is not None:
        assert record.error.message == ""
        assert record.scores == {}
        is_refused = record.error.reason == Reason.REJECTED
        assert is_refused or record.error.reason == Reason.SCORER_FAILED
