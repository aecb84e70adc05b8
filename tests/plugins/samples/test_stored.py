"""What a scoring program writes of samples goes with its record, and is not taken on trust."""

import gzip
import json
import tracemalloc
from pathlib import Path

import pytest

from evaluator.ci.scores.collecting import Collected, collect
from evaluator.ci.scores.encryption import close
from evaluator.ci.scores.hand_in import hand_in_folder
from evaluator.ci.scores.revocation import withdraw
from evaluator.core.clock import utc_now
from evaluator.core.errors import Actor
from evaluator.core.formats.record import Attachment, Reason
from evaluator.core.formats.settings import SEAL_IDENTITY
from evaluator.importing.private_parts import make_keys
from evaluator.plugins.samples.format import (
    MAX_FILE,
    MAX_LINE,
    MAX_SAMPLES,
    pack_curves,
    pack_samples,
    read_curves,
    read_samples,
    unpack,
)
from evaluator.plugins.samples.plugin import PLUGIN
from evaluator.plugins.samples.stored import SampleFile
from tests.plugging import leave_out
from tests.repository import BRANCH, Repository

COMPETITION = "benchmarks/protocol/competition.yaml"
CELL = "protocol/alice/results/main/task"
SCORES = "submissions/protocol/alice/results/scores"
SAMPLES, CURVES = f"{SCORES}/main/task.samples.jsonl.gz", f"{SCORES}/main/task.curves.json.gz"
SCORING = """import pathlib, shutil, sys
source, output = map(pathlib.Path, sys.argv[1:3])
(output / "scores.json").write_text('{"value": %s}' % (source / "value.txt").read_text())
for name in ("samples.jsonl", "curves.json"):
    if (source / name).exists():
        shutil.copyfile(source / name, output / name)
"""
WRITTEN = (
    b'{"id": "b", "scores": {"value": 1}, "texts": {"prediction": "<b>cat</b>"}}\n'
    b'{"scores": {"value": 0}, "id": "a", "group": "x"}\n'
)
KEPT = (
    b'{"id":"a","scores":{"value":0.0},"group":"x"}\n'
    b'{"id":"b","scores":{"value":1.0},"texts":{"prediction":"<b>cat</b>"}}\n'
)
CURVE = {"series": {"loss": {"x": [1, 2], "y": [0.5, 0.25]}}, "x": "seconds", "y": "loss"}


@pytest.fixture
def telling(repo: Repository) -> Repository:
    """A scoring program that passes on the files of samples and curves that it is given."""
    repo.copy_bundle("protocol")
    repo.write("benchmarks/protocol/scoring_program/scoring.py", SCORING)
    repo.replace(COMPETITION, "pullbench:\n", "pullbench:\n  samples: true\n  curves: true\n")
    enter(repo, "results", WRITTEN, json.dumps(CURVE).encode())
    repo.commit("Begin")
    return repo


def enter(repo: Repository, name: str, samples: bytes, curves: bytes = b"") -> None:
    folder = f"submissions/protocol/alice/{name}"
    repo.write(f"{folder}/submission.yaml", "kind: results\n")
    repo.write(f"{folder}/value.txt", "4\n")
    repo.write(f"{folder}/samples.jsonl", samples)
    if curves:
        repo.write(f"{folder}/curves.json", curves)


def files(repo: Repository, folder: str = SCORES) -> list[str]:
    names = repo.git("ls-tree", "-r", "--name-only", BRANCH, folder).splitlines()
    return [name.removeprefix(f"{folder}/") for name in names]


@pytest.mark.docker
def test_they_lie_beside_the_record_which_names_their_digests(
    telling: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = telling.run(CELL)[CELL]
    kept = (telling.path / SAMPLES).read_bytes()
    assert gzip.decompress(kept) == KEPT
    assert record.attachments["samples.jsonl.gz"] == Attachment.of(kept)
    assert record.attachments.keys() == {"samples.jsonl.gz", "curves.json.gz"}
    assert telling.problems() == []
    done = telling.pullbench("commit")
    assert done.returncode == 0, done.stderr
    assert (telling.status, CELL in telling.reasons()) == ("", False)
    assert telling.pullbench("log", CELL, "--files", str(tmp_path / "files")).returncode == 0
    assert (tmp_path / "files/task.samples.jsonl.gz").read_bytes() == kept
    # Without the key they are not kept; without the plugin the key is refused.
    telling.replace(COMPETITION, "  samples: true\n", "  samples: false\n")
    assert telling.run(CELL, fresh=True)[CELL].attachments.keys() == {"curves.json.gz"}
    assert not (telling.path / SAMPLES).exists()
    leave_out(monkeypatch, PLUGIN)
    problem = next(one for one in telling.problems() if one.key == "pullbench.samples")
    assert "needs the plugin 'samples', which is not installed" in problem.message


@pytest.mark.docker
def test_those_of_a_hidden_board_are_sealed_until_it_is_shown(
    telling: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    public, secret = make_keys()
    telling.write("pyproject.toml", f'[tool.pullbench]\nseal = "{public}"\n')
    telling.replace(COMPETITION, "key: results\n", "key: results\n    hidden: true\n")
    telling.commit("Hide the board")
    collect(telling.path, utc_now(), branch=BRANCH)
    telling.pullbench("run", CELL, "--output", str(tmp_path / "records"))
    collect(telling.path, utc_now(), branch=BRANCH, source=tmp_path / "records")
    names = [f"main/task.{suffix}.sealed" for suffix in ("curves.json.gz", "samples.jsonl.gz")]
    assert files(telling) == ["main.json", *names]
    everywhere = telling.git("log", "--all", "--name-only", "--format=").splitlines()
    assert not [path for path in everywhere if path.endswith(".gz")], "nor in the ledger"
    telling.git("checkout", "--quiet", "--force", BRANCH)
    telling.replace(COMPETITION, "    hidden: true\n", "")
    telling.write(f"{CURVES}.sealed", close(pack_curves(json.dumps(CURVE).encode()) + b" ", public))
    telling.commit("Show the board, with curves of somebody else")
    monkeypatch.setenv(SEAL_IDENTITY, secret)
    collect(telling.path, utc_now(), branch=BRANCH)
    assert files(telling) == ["main.json", "main/task.samples.jsonl.gz"]
    telling.git("checkout", "--quiet", "--force", BRANCH)
    assert gzip.decompress((telling.path / SAMPLES).read_bytes()) == KEPT


@pytest.mark.docker
def test_they_are_handed_in_and_withdrawn_with_their_record(
    telling: Repository, tmp_path: Path
) -> None:
    enter(telling, "forged", WRITTEN)
    telling.commit("Another")
    origin = tmp_path / "origin.git"
    telling.git("clone", "--quiet", "--bare", str(telling.path), str(origin))
    telling.git("remote", "add", "origin", str(origin))

    def collected() -> Collected:
        done = collect(telling.path, utc_now(), branch=BRANCH, remote="origin", inbox=True)
        telling.git("fetch", "--quiet", "origin", BRANCH)
        telling.git("reset", "--quiet", "--hard", f"origin/{BRANCH}")
        return done

    collected()
    forged = CELL.replace("results", "forged")
    records = tmp_path / "records"
    telling.pullbench("run", CELL, forged, "--output", str(records))
    (records / SAMPLES.replace("results", "forged")).write_bytes(gzip.compress(KEPT, mtime=1))
    hand_in_folder(telling.path, records, "origin")
    done = collected()
    names = ["main.json", "main/task.curves.json.gz", "main/task.samples.jsonl.gz"]
    assert [name for name in files(telling) if "logs" not in name] == names
    assert not [name for name in files(telling, SCORES.replace("results", "forged")) if "/" in name]
    (reason,) = [line for line in done.left_out if "samples" in line]
    assert reason == (
        f"{SAMPLES.replace('results', 'forged')}: is not what the record of {forged} names"
    )
    withdraw(
        telling.path, [CELL], "wrong", "olga", utc_now(), branch=BRANCH, remote="origin"
    )  # fmt: skip
    collected()
    assert files(telling) == []


@pytest.mark.docker
def test_what_is_wrong_is_the_organisers_to_correct_and_names_file_and_line(
    telling: Repository,
) -> None:
    line = '{"id": "%s", "scores": {"value": 1}%s}\n'
    bad = {
        "html": (
            line % ("a", ', "html": "<b>"'),
            "line 1: has another form: Object contains unknown field `html`",
        ),
        "long": (
            line % ("a", "") + line % ("b", ', "texts": {"p": "%s"}' % ("x" * 501)),
            "line 2: has another form: Expected `str` of length <= 500 - at `$.texts[...]`",
        ),
        "signs": (line % ("a\\u0000", ""), "line 1: 'a\\x00' holds a control or format character"),
        "twice": (line % ("a", "") * 2, "line 2: the id 'a' is there twice"),
        "column": ('{"id": "a", "scores": {"v": 1}}', "line 1: 'v' is no column of the board"),
        "none": ("", "has no sample"),
    }
    for name, (content, _) in bad.items():
        enter(telling, name, content.encode())
    telling.commit("Bad ones")
    records = telling.run(*(CELL.replace("results", name) for name in bad))
    for name, (_, message) in bad.items():
        record = records[CELL.replace("results", name)]
        assert record.error is not None
        assert (record.error.actor, record.error.reason) == (Actor.ORGANISER, Reason.BAD_SCORES)
        assert record.error.message == f"samples.jsonl: {message}"
        assert record.attachments == {}


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "samples.jsonl").open("wb") as file:
        file.truncate(MAX_FILE + 1)
    with pytest.raises(ValueError, match="is larger than 134,217,728 bytes"):
        SampleFile().read(tmp_path, ["value"])
    (tmp_path / "samples.jsonl").unlink()
    assert SampleFile().read(tmp_path, ["value"]) is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (gzip.compress(bytes(MAX_FILE + 1), 1), "or holds more than 134,217,728 bytes"),
        (gzip.compress(KEPT) + b"x", "is damaged"),
        (gzip.compress(KEPT)[:-1], "is damaged"),
        (KEPT, "is no gzip file"),
        (gzip.compress(b"\n" * (MAX_SAMPLES + 1)), "has more than 1,000,000 lines"),
        (gzip.compress(b"[" * 10**4), "line 1: has another form: Expected `object`, got `array`"),
        (gzip.compress(b'{"id": "a", "scores": {"value": 1e999}}'), "Number out of range"),
        (gzip.compress(KEPT + b"{"), "Input data was truncated"),
        # The last line may end without a line end.
        (gzip.compress(b"\n" * MAX_SAMPLES + b"{}"), "has more than 1,000,000 lines"),
        (gzip.compress(b'{"other": %b}' % (b"[" * 30_000)), "line 1: "),
        (
            gzip.compress(b"{}" + b" " * MAX_LINE),
            "line 1: is 65,538 bytes; at most 65,536 are read",
        ),
    ],
    ids=range(11),
)
def test_kept_samples_are_strangers(content: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        list(read_samples(unpack(content), ["value"]))


def test_many_texts_in_a_row_take_no_memory() -> None:
    """Rows are objects one by one; a row of 20 MB would be one of a gigabyte."""
    texts = ",".join(f'"{number:x}":""' for number in range(6000))
    rows = [f'{{"id":"{row}","scores":{{}},"texts":{{{texts}}}}}' for row in range(100)]
    tracemalloc.start()
    pack_samples("\n".join(rows).encode(), [])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5 * len("".join(rows))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"series": {"a": {"x": [1], "y": []}}}, "'a' has 1 x for 0 y"),
        ({"series": {"a": {"x": [0] * 2001, "y": [0] * 2001}}}, "of length <= 2000"),
        ({"series": {str(n): {"x": [], "y": []} for n in range(21)}}, "of length <= 20"),
        ({"x": "a\u202eb"}, "holds a control or format character"),
        ({"z": 1}, "unknown field `z`"),
    ],
)
def test_curves_are_bounded(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pack_curves(json.dumps(CURVE | changes).encode())


def test_the_order_of_samples_changes_nothing() -> None:
    backwards = b"\n".join(reversed(WRITTEN.splitlines()))
    packed = pack_samples(WRITTEN, ["value"])
    assert pack_samples(backwards, ["value", "more"]) == packed
    assert [sample.id for sample in read_samples(unpack(packed), ["value"])] == ["a", "b"]
    assert read_curves(unpack(pack_curves(json.dumps(CURVE).encode()))).series["loss"].y == [
        0.5, 0.25,
    ]  # fmt: skip
