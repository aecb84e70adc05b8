"""Logs and detailed results that are hidden: readable for who holds the organisers' key alone."""

import shutil
from pathlib import Path

import pytest

from evaluator.ci.scores.collecting import collect
from evaluator.ci.scores.commit import commit
from evaluator.core.clock import utc_now
from evaluator.core.errors import UsageError
from evaluator.core.formats.settings import SEAL_IDENTITY
from evaluator.core.scores.redaction import withheld
from evaluator.core.scores.sealing import encrypt_hidden
from evaluator.importing.private_parts import make_keys
from tests.records import cells_of, record_of
from tests.repository import BRANCH, Repository

RECIPIENT, IDENTITY = make_keys()
SETTINGS = f'[tool.pullbench]\nseal = "{RECIPIENT}"\n'
KEY = {SEAL_IDENTITY: IDENTITY}
COMPETITION = "benchmarks/protocol/competition.yaml"
CELL = "protocol/alice/results/main/task"
SCORES = "submissions/protocol/alice/results/scores"
PAGE = b"<script>alert(4)</script>"


@pytest.fixture
def talking(repo: Repository, environments: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """Programs that print, in phases that hide what the one, the other or both of them print."""
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2020-01-02T00:00:00+00:00")
    return repo.with_bundle("hidden-output").share_environments(environments)


@pytest.fixture
def protocol(repo: Repository, environments: Path) -> Repository:
    """A scoring program that writes detailed results, and a key."""
    repo.copy_bundle("protocol")
    repo.write("pyproject.toml", SETTINGS)
    repo.commit("Begin")
    return repo.share_environments(environments)


def run(repo: Repository, cell: str) -> None:
    done = repo.pullbench("run", cell, "--engine", "subprocess")
    assert "1 finished, 0 failed" in done.stdout, done.stdout + done.stderr


def in_git(repo: Repository) -> list[str]:
    return repo.git("ls-tree", "-r", "--name-only", BRANCH, SCORES).splitlines()


@pytest.mark.slow
def test_hide_output_seals_the_log_for_the_organisers_who_read_it_with_pullbench_log(
    talking: Repository,
) -> None:
    talking.write("pyproject.toml", SETTINGS)
    talking.commit("A key")
    hidden = {
        "all": ("from the ingestion", "from the scorer"),
        "ingestion": ("from the ingestion",),
        "scoring": ("from the scorer",),
    }
    for phase, texts in hidden.items():
        cell = f"hidden/alice/{phase}/{phase}/talk"
        run(talking, cell)
        scores = talking.path / f"submissions/hidden/alice/{phase}/scores"
        record = "".join(file.read_text() for file in sorted(scores.iterdir()))
        public, private = (
            talking.pullbench("log", cell, environment=key).stdout for key in ({}, KEY)
        )
        for text in texts:
            assert text not in record + public
            assert f"    | {text}" in private
        assert '"scores":{"score":' in record, "scores are public all the same"
        assert "PULLBENCH_IDENTITY, their secret key, opens it" in public
        assert "not for the public" in private
        assert talking.pullbench("log", cell, environment={
            SEAL_IDENTITY: make_keys()[1]}).returncode == 3  # fmt: skip
    run(talking, "hidden/alice/open/open/talk")
    assert talking.records()["hidden/alice/open/open/talk"].sealed is None


def test_validation_says_what_is_lost_where_there_is_no_key(talking: Repository) -> None:
    notes = [p for p in talking.problems() if "nobody keeps" in p.message]
    assert [(p.key, p.severity) for p in notes] == [(f"phases[{i}]", "note") for i in (1, 2, 3)]
    said = talking.pullbench("validate").stdout
    assert "note: benchmarks/hidden/competition.yaml: phases[1]: hides logs that nobody" in said
    assert "0 errors, 0 warnings, 3 notes" in said
    run(talking, "hidden/alice/all/all/talk")
    record = talking.records()["hidden/alice/all/all/talk"]
    assert record.sealed is None
    assert [step.log for step in record.steps] == ["", ""]
    talking.write("pyproject.toml", SETTINGS)
    assert not talking.problems()


def test_validation_notes_that_uploads_before_finish_are_clear_where_there_is_no_key(
    protocol: Repository,
) -> None:
    """Where they tell what nobody can find out at home, and in no other benchmark."""

    def notes() -> list[str]:
        return [p.key for p in protocol.problems() if "jobs upload" in p.message]

    forge = 'forge = "https://forge.example/acme/bench"\n'
    protocol.write("pyproject.toml", f"[tool.pullbench]\n{forge}")
    protocol.replace(COMPETITION, "max_submissions: 0", "max_submissions: 5")
    assert notes() == [], "everybody can score at home"
    protocol.replace(COMPETITION, "key: results\n", "key: results\n    hidden: true\n")
    assert notes() == ["phases[0]"]
    protocol.write("pyproject.toml", "[tool.pullbench]\n")
    assert notes() == [], "without a forge nothing is uploaded"
    protocol.write("pyproject.toml", f"{SETTINGS}{forge}")
    assert notes() == []


def show_board(repo: Repository) -> None:
    repo.git("checkout", "--quiet", "--force", BRANCH)
    repo.replace(COMPETITION, "    hidden: true\n", "")
    repo.commit("Show the board")


@pytest.fixture
def hidden(protocol: Repository) -> Repository:
    """The detailed results of a hidden board, evaluated and kept in the ledger."""
    protocol.replace(COMPETITION, "key: results\n", "key: results\n    hidden: true\n")
    protocol.commit("Hide the board")
    return protocol


@pytest.fixture
def collected(hidden: Repository, tmp_path: Path) -> Repository:
    collect(hidden.path, utc_now(), branch=BRANCH)
    folder = tmp_path / "records"
    done = hidden.pullbench("run", CELL, "--output", str(folder))
    assert "1 finished, 0 failed" in done.stdout, done.stdout + done.stderr
    collect(hidden.path, utc_now(), branch=BRANCH, source=folder)
    return hidden


@pytest.mark.docker
def test_detailed_results_of_a_sealed_record_are_sealed_and_come_back_when_it_is_opened(
    collected: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert in_git(collected) == [f"{SCORES}/main.json", f"{SCORES}/main/task.html.sealed"]
    everywhere = collected.git("log", "--all", "--name-only", "--format=").splitlines()
    assert sum(path.endswith(".html.sealed") for path in everywhere) == 2, "the ledger has it, too"
    assert not [path for path in everywhere if path.endswith(".html")]
    collected.git("checkout", "--quiet", "--force", BRANCH)
    target = tmp_path / "files"
    told = collected.pullbench("log", CELL, "--files", str(target))
    assert (told.returncode, target.exists()) == (2, False)
    told = collected.pullbench("log", CELL, "--files", str(target), environment=KEY)
    assert (target / "task.html").read_bytes() == PAGE, told.stderr
    # The same content under another name has the same record, page included.
    shutil.copytree(
        collected.path / "submissions/protocol/alice/results",
        collected.path / "submissions/protocol/ann/twin",
        ignore=shutil.ignore_patterns("scores"),
    )
    collected.commit("The same")
    collect(collected.path, utc_now(), branch=BRANCH)
    twin = SCORES.replace("alice/results", "ann/twin")
    show_board(collected)
    assert (collected.path / f"{twin}/main/task.html.sealed").exists()
    for name, value in KEY.items():
        monkeypatch.setenv(name, value)
    collect(collected.path, utc_now(), branch=BRANCH)
    for place in (SCORES, twin):
        names = collected.git("ls-tree", "-r", "--name-only", BRANCH, place).splitlines()
        assert [name.removeprefix(f"{place}/") for name in names] == [
            "main.json", "main/task.html",
        ]  # fmt: skip
        assert collected.git("show", f"{BRANCH}:{place}/main/task.html") == PAGE.decode()
    collected.git("reset", "--quiet", "--hard")
    assert not [p for p in collected.problems() if p.severity == "error"]


@pytest.mark.docker
def test_a_sealed_page_that_is_not_the_records_is_not_published(
    collected: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    from evaluator.ci.scores.encryption import close

    collected.git("checkout", "--quiet", "--force", BRANCH)
    collected.write(f"{SCORES}/main/task.html.sealed", close(b"<p>forged</p>", RECIPIENT))
    collected.commit("Another page")
    show_board(collected)
    for name, value in KEY.items():
        monkeypatch.setenv(name, value)
    collect(collected.path, utc_now(), branch=BRANCH)
    assert in_git(collected) == [f"{SCORES}/main.json"]


@pytest.mark.slow
def test_without_a_key_hidden_detailed_results_are_kept_for_nobody(hidden: Repository) -> None:
    def names() -> set[str]:
        return {path.name for path in (hidden.path / SCORES).rglob("*") if path.is_file()}

    hidden.write("pyproject.toml", "[tool.pullbench]\n")
    run(hidden, CELL)
    assert names() == {"main.json"}
    # With one they lie beside the record, and replace each other.
    hidden.write("pyproject.toml", SETTINGS)
    hidden.pullbench("run", CELL, "--fresh", "--engine", "subprocess")
    assert names() == {"main.json", "task.html.sealed"}
    show_board(hidden)
    hidden.pullbench("run", CELL, "--fresh", "--engine", "subprocess")
    assert names() == {"main.json", "task.html"}


def test_a_sealed_record_has_its_visible_scores_all_the_same(talking: Repository) -> None:
    """What is inside is looked at later; what stands outside is not taken on trust till then."""
    talking.write("pyproject.toml", SETTINGS)
    talking.commit("A key")
    cell = cells_of(talking)["hidden/alice/scoring/scoring/talk"]
    steps = record_of(cell).steps
    telling = record_of(cell, steps=[steps[0].replace(log="from the scorer")])
    made = encrypt_hidden(telling, cell.benchmark, RECIPIENT)
    assert made.sealed is not None
    talking.put(made.replace(scores={}))
    with pytest.raises(UsageError, match="has the columns"):
        commit(talking.path, utc_now())
    talking.put(made)
    assert commit(talking.path, utc_now()).paths


def test_records_that_show_a_status_alone_stay_when_somebody_with_the_key_collects(
    talking: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (talking.path / "benchmarks/hidden/competition.yaml").read_text()
    talking.write(
        "benchmarks/hidden/competition.yaml", f"{text}  phases:\n    3: {{shows: status}}\n"
    )
    talking.write("pyproject.toml", SETTINGS)
    talking.commit("Status")
    cell = cells_of(talking)["hidden/alice/scoring/scoring/talk"]
    record = record_of(cell, scores={"score": 0.8125})
    made = withheld(encrypt_hidden(record, cell.benchmark, RECIPIENT))
    talking.put(made)
    commit(talking.path, utc_now())
    for name, value in KEY.items():
        monkeypatch.setenv(name, value)
    done = collect(talking.path, utc_now(), branch=BRANCH)
    assert done.left_out == ()
    talking.git("cat-file", "-e", f"{BRANCH}:{cell.id.scores_path}")
