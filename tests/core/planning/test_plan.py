import pytest

from evaluator.core.clock import utc_now
from evaluator.core.errors import Actor
from evaluator.core.formats.record import MAX_TRIES, Reason
from evaluator.core.planning.plan import accept_all, cells_by_name, make_plan
from tests.records import cells_of, failed, record_of, write_records
from tests.repository import Repository

ADDING = {
    f"adding/{who}/main/{task}" for who in ("alice/right", "bob/wrong") for task in ("one", "two")
}
ECHO = {"echo/alice/same/main/echo"}
SCORER = "benchmarks/adding/scoring_program/scoring.py"
COMPETITION = "benchmarks/adding/competition.yaml"


@pytest.fixture
def done(small: Repository) -> Repository:
    """All records are there, committed."""
    write_records(small)
    small.commit("Record")
    return small


def test_a_new_repository(small: Repository) -> None:
    assert small.reasons() == dict.fromkeys(ADDING | ECHO, "no record yet")
    made = small.plan()
    assert [item.state for item in made.missing] == ["new"] * 5
    assert [str(item.cell.id) for item in made.missing] == sorted(ADDING | ECHO)
    assert (made.total, made.waiting) == (5, 0)


def test_an_empty_repository(repo: Repository) -> None:
    assert repo.plan().total == 0


def test_nothing_is_missing_where_records_are(done: Repository) -> None:
    assert done.reasons() == done.reasons("HEAD") == {}
    assert done.plan().total == 5


def test_working_tree_and_commit_plan_the_same_keys(small: Repository) -> None:
    here = {str(item.cell.id): item.cell.keys for item in small.plan().missing}
    there = {str(item.cell.id): item.cell.keys for item in small.plan("HEAD").missing}
    assert here == there


def test_one_byte_of_a_scorer_makes_its_benchmark_stale(done: Repository) -> None:
    done.replace(SCORER, "right one", "right 0ne")
    assert done.reasons() == dict.fromkeys(ADDING, "scoring program changed, not committed")
    commit = done.commit("Correct the scorer")
    short = done.git("rev-parse", "--short", commit)
    assert done.reasons() == dict.fromkeys(ADDING, f"scoring program changed in {short}")
    assert done.reasons("HEAD~1") == {}
    done.write("benchmarks/adding/overview.md", "A later change elsewhere")
    done.commit()
    assert done.reasons() == dict.fromkeys(ADDING, f"scoring program changed in {short}")


def test_a_file_that_is_gone_is_not_committed_either(done: Repository) -> None:
    done.write("benchmarks/adding/scoring_program/unused.py", "")
    done.commit()
    (done.path / "benchmarks/adding/scoring_program/unused.py").unlink()
    (done.path / SCORER).unlink()
    assert done.reasons() == dict.fromkeys(ADDING, "scoring program changed, not committed")


def test_its_executable_bit_counts_too(done: Repository) -> None:
    (done.path / SCORER).chmod(0o755)
    assert set(done.reasons()) == ADDING


def test_a_description_makes_nothing_stale(done: Repository) -> None:
    done.write(
        "submissions/adding/alice/right/submission.yaml", "kind: code\nname: A\ndescription: B\n"
    )
    done.replace(COMPETITION, "title: Adding", "title: Sums")
    done.replace(COMPETITION, "title: Distance", "title: How far")
    done.write("benchmarks/adding/overview.md", "# New words")
    assert done.reasons() == {}


def test_code_makes_its_own_cells_stale(done: Repository) -> None:
    done.write("submissions/adding/alice/right/helper.py", "")
    cells = [f"adding/alice/right/main/{task}" for task in ("one", "two")]
    assert done.reasons() == dict.fromkeys(cells, "submission changed, not committed")
    short = done.git("rev-parse", "--short", done.commit())
    assert done.reasons() == dict.fromkeys(cells, f"submission changed in {short}")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("memory: 128 MiB", "memory: 256 MiB", "limits changed"),
        ("execution_time_limit: 3", "execution_time_limit: 4", "limits changed"),
        ("python:3.11-slim", "python:3.12-slim", "image changed"),
        ("key: distance", "key: error", "columns changed"),
        (
            "reference_data: reference_data/one",
            "reference_data: reference_data/two",
            "reference data changed",
        ),
    ],
)
def test_other_causes(done: Repository, old: str, new: str, reason: str) -> None:
    done.replace(COMPETITION, old, new)
    reasons = done.reasons()
    assert set(reasons) <= ADDING
    assert reasons
    assert all(found.startswith(reason) for found in reasons.values())


def test_several_causes_are_all_named(done: Repository) -> None:
    done.write("benchmarks/adding/input_data/one/numbers.txt", "4 5")
    done.write("benchmarks/adding/reference_data/one/sum.txt", "9")
    assert done.reasons() == {
        f"adding/{who}/main/one": "input data changed, not committed; "
        "reference data changed, not committed"
        for who in ("alice/right", "bob/wrong")
    }


def test_only_what_a_build_sees_changes_the_image(done: Repository) -> None:
    done.write("benchmarks/echo/Dockerfile", "FROM python:3.11-slim\n")
    assert done.reasons() == dict.fromkeys(ECHO, "image changed, not committed")
    write_records(done)
    done.commit()
    done.write("benchmarks/echo/overview.md", "other")
    assert done.reasons() == {}
    for path in ("requirements.txt", "docker/setup.sh"):
        done.write(f"benchmarks/echo/{path}", "x")
        assert done.reasons() == dict.fromkeys(ECHO, "image changed, not committed")
        (done.path / "benchmarks/echo" / path).unlink()


def test_a_phase_that_has_not_started_waits(small: Repository) -> None:
    small.replace(COMPETITION, "start: 2020-01-01", "start: 2999-01-01")
    made = small.plan()
    assert {str(item.cell.id) for item in made.missing} == ECHO
    assert (made.total, made.waiting) == (1, 4)


def test_a_platform_fault_is_tried_again_but_no_other_failure(done: Repository) -> None:
    cells = cells_of(done)
    one, other = sorted(ADDING)[:2]
    done.put(failed(record_of(cells[one]), Actor.PLATFORM))
    done.put(failed(record_of(cells[other]), Actor.PARTICIPANT, Reason.EXITED))
    (item,) = done.plan().missing
    assert (str(item.cell.id), item.state) == (one, "retry")
    # What broke may be hidden; the plan is printed and stands in comments.
    assert item.reason == "platform fault"


@pytest.mark.parametrize(("tries", "planned"), [(2, 1), (MAX_TRIES, 0)])
def test_a_content_that_breaks_machine_after_machine_is_not_tried_for_ever(
    done: Repository, tries: int, planned: int
) -> None:
    cells = cells_of(done)
    one = sorted(ADDING)[0]
    record = failed(record_of(cells[one]), Actor.PLATFORM).replace(tries=tries)
    done.put(record)
    assert len(done.plan().missing) == planned
    done.write("submissions/adding/alice/right/helper.py", "")
    assert one in done.reasons(), "another content begins anew"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b'"text"',
        b'{"keys": 1}',
        b'{"keys": {"parts": []}}',
        b"\xff",
        b"[" * 10**5,
    ],
)
def test_an_unreadable_record_is_made_again(done: Repository, content: bytes) -> None:
    done.write(cells_of(done)[next(iter(ECHO))].id.scores_path, content)
    assert done.reasons() == dict.fromkeys(ECHO, "its record cannot be read")


def test_ask_again(done: Repository) -> None:
    taken, now = done.snapshot(), utc_now()
    made = make_plan(taken, now, accept_all)
    chosen, unknown = cells_by_name(
        made, taken, ["adding/alice", "echo/alice/same/main/echo", "no"], now
    )
    assert [str(item.cell.id) for item in chosen] == [
        "adding/alice/right/main/one", "adding/alice/right/main/two", "echo/alice/same/main/echo",
    ]  # fmt: skip
    assert {item.state for item in chosen} == {"asked"}
    assert unknown == ["no"]
    assert cells_by_name(made, taken, ["adding/al"], now)[1] == ["adding/al"]
