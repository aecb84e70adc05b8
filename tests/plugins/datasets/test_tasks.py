"""Which data sets are accepted, and what they make of their benchmark."""

from hypothesis import given
from hypothesis import strategies as st

from evaluator.core.clock import utc_now
from evaluator.core.errors import Actor
from evaluator.core.formats.datasets import CHECK, dataset_slug
from evaluator.core.formats.record import Reason
from evaluator.core.git.tree import open_repository, read_tree
from evaluator.core.planning.plan import accept_all, cells_of_new_tasks
from evaluator.core.planning.snapshot import read_snapshot
from tests.records import cells_of, failed, record_of, write_records
from tests.repository import Repository

NAMES = st.from_regex(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,12}[A-Za-z0-9_-])?", fullmatch=True)
ONES = "growing/bob/ones/main/dataset-check"


def dataset(participant: str, name: str, numbers: str, more: str = "") -> dict[str, str]:
    """Files of a data set that its check would accept."""
    folder = f"submissions/growing/{participant}/{name}"
    total = sum(int(word) for word in numbers.split())
    return {
        f"{folder}/submission.yaml": f"kind: dataset\nfact_sheet: {{source: dice}}\n{more}",
        f"{folder}/input_data/numbers.txt": numbers,
        f"{folder}/reference_data/sum.txt": f"{total}\n",
    }


def program(participant: str, name: str) -> dict[str, str]:
    folder = f"submissions/growing/{participant}/{name}"
    return {f"{folder}/submission.yaml": "kind: code\n", f"{folder}/main.py": "add = sum\n"}


def add(repo: Repository, *files: dict[str, str]) -> None:
    for part in files:
        for path, content in part.items():
            repo.write(path, content)
    repo.commit("More")


def states(repo: Repository) -> dict[str, str]:
    found = repo.snapshot().datasets
    return {name.removeprefix("growing/"): item.state for name, item in found.items()}


def tasks(repo: Repository) -> list[str]:
    return [task.slug for task in repo.snapshot().benchmarks["growing"].phases[0].tasks]


def recorded(repo: Repository) -> None:
    """Bring all cells up to date, a round for what the first opens."""
    while repo.plan().missing:
        write_records(repo)
        repo.commit("Records")


@given(st.tuples(NAMES, NAMES), st.tuples(NAMES, NAMES))
def test_no_two_data_sets_share_a_slug(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert (dataset_slug(*one) == dataset_slug(*other)) == (one == other)
    assert "." not in dataset_slug(*one)
    assert "/" not in dataset_slug(*one)


def test_a_new_data_set_is_a_column_and_a_new_program_a_row(repo: Repository) -> None:
    repo.with_bundle("growing")
    recorded(repo)
    add(repo, dataset("dora", "more", "4 5"))
    assert list(repo.reasons()) == ["growing/dora/more/main/dataset-check"]
    write_records(repo, "growing/dora/more/main/dataset-check")
    repo.commit("Checked")
    assert list(repo.reasons()) == [
        "growing/alice/right/main/dora~more", "growing/bob/first/main/dora~more",
    ]  # fmt: skip
    recorded(repo)
    add(repo, program("dora", "sum"))
    assert list(repo.reasons()) == [
        "growing/dora/sum/main/bob~ones", "growing/dora/sum/main/carol~words",
        "growing/dora/sum/main/dora~more", "growing/dora/sum/main/first",
    ]  # fmt: skip


def test_records_that_accept_open_cells(repo: Repository) -> None:
    repo.with_bundle("growing")
    taken = repo.snapshot()
    check = cells_of(repo)[ONES]
    later, further = cells_of_new_tasks(taken, {check.id: record_of(check)}, utc_now(), accept_all)
    assert [str(item.cell.id) for item in further] == [
        "growing/alice/right/main/bob~ones", "growing/bob/first/main/bob~ones",
    ]  # fmt: skip
    assert later.datasets["growing/bob/ones"].state == "accepted"
    refused = failed(record_of(check), Actor.PARTICIPANT, Reason.REJECTED)
    assert cells_of_new_tasks(taken, {check.id: refused}, utc_now(), accept_all)[1] == []
    other = cells_of(repo)["growing/alice/right/main/first"]
    assert cells_of_new_tasks(taken, {other.id: record_of(other)}, utc_now(), accept_all)[1] == []


def test_what_a_check_says(repo: Repository) -> None:
    repo.with_bundle("growing")
    assert states(repo) == {"bob/ones": "unchecked", "carol/words": "unchecked"}
    assert tasks(repo) == ["first"]
    cells = cells_of(repo)
    words = cells["growing/carol/words/main/dataset-check"]
    repo.put(record_of(cells[ONES]))
    repo.put(failed(record_of(words), Actor.PARTICIPANT, Reason.REJECTED))
    assert states(repo) == {"bob/ones": "accepted", "carol/words": "refused"}
    assert repo.snapshot().datasets["growing/carol/words"].reason == "it broke"
    assert tasks(repo) == ["first", "bob~ones"]
    # The organiser's own fault refuses nobody.
    spoiled = failed(record_of(words), Actor.ORGANISER, Reason.SCORER_FAILED)
    repo.put(spoiled)
    assert states(repo)["carol/words"] == "unchecked"
    # A better check takes no data set off the board before it has run.
    repo.write("benchmarks/growing/check_program/check.py", "print('better')\n")
    assert states(repo)["bob/ones"] == "accepted"
    assert ONES in repo.reasons()
    # Other data are another matter.
    repo.write("submissions/growing/bob/ones/input_data/numbers.txt", "2 2\n")
    assert states(repo)["bob/ones"] == "unchecked"


def test_retired_and_replaced_data_sets_keep_their_results(repo: Repository) -> None:
    repo.with_bundle("growing")
    recorded(repo)
    add(repo, dataset("bob", "twos", "2 2", "replaces: bob/ones\n"))
    assert states(repo)["bob/ones"] == "accepted"  # until its successor is
    recorded(repo)
    assert states(repo) == {
        "bob/ones": "retired", "bob/twos": "accepted", "carol/words": "accepted",
    }  # fmt: skip
    assert tasks(repo) == ["first", "bob~twos", "carol~words", "bob~ones"]
    origin = repo.snapshot().benchmarks["growing"].tasks[-1].origin
    assert origin is not None
    assert (origin.retired, origin.successor) == ("replaced by bob/twos", "bob/twos")
    add(repo, program("erin", "sum"))
    assert "growing/erin/sum/main/bob~ones" not in repo.reasons()
    repo.write("submissions/growing/carol/words/submission.yaml",
               "kind: dataset\nfact_sheet: {source: dice}\nretired: it was a joke\n")  # fmt: skip
    assert states(repo)["carol/words"] == "retired"
    assert set(repo.reasons()) == {
        "growing/erin/sum/main/first", "growing/erin/sum/main/bob~twos",
    }  # fmt: skip


def test_what_a_data_set_must_not_be(repo: Repository) -> None:
    repo.with_bundle("growing")
    recorded(repo)
    add(
        repo,
        dataset("dora", "mine", "7 8", "replaces: bob/ones\n"),
        dataset("dora", "none", "8 9", "replaces: bob/twos\n"),
        dataset("dora", "self", "9 9", "replaces: dora/self\n"),
    )
    repo.write("submissions/growing/dora/copy/submission.yaml",
               "kind: dataset\nfact_sheet: {source: bob}\n")  # fmt: skip
    for part in ("input_data/numbers.txt", "reference_data/sum.txt"):
        text = (repo.path / "submissions/growing/bob/ones" / part).read_bytes()
        repo.write(f"submissions/growing/dora/copy/{part}", text)
    messages = {problem.file: problem.message for problem in repo.problems()}
    folder = "submissions/growing/dora"
    assert messages == {
        f"{folder}/copy": "holds the same files as the data set bob/ones",
        f"{folder}/mine/submission.yaml": "names a data set of bob.",
        f"{folder}/none/submission.yaml":
            "names 'bob/twos', which is no data set of this benchmark.",
        f"{folder}/self/submission.yaml": "names itself.",
    }  # fmt: skip


def test_a_new_column_is_nobodys_attempt(repo: Repository) -> None:
    repo.with_bundle("growing")
    repo.replace("benchmarks/growing/competition.yaml", "execution_time_limit: 5",
                 "execution_time_limit: 5, max_submissions: 1")  # fmt: skip
    repo.commit("One each")
    recorded(repo)
    add(repo, dataset("dora", "more", "4 5"))
    write_records(repo, "growing/dora/more/main/dataset-check")
    repo.commit("Checked")
    made = repo.plan()
    assert not made.refused
    assert len(made.missing) == 2


def test_judging_one_participant_needs_everybodys_data(repo: Repository) -> None:
    repo.with_bundle("growing")
    recorded(repo)
    tree = read_tree(open_repository(repo.path), "HEAD")
    taken = read_snapshot(tree, participants={"growing/alice"})
    assert {item.id for item in taken.submissions} == {
        "growing/alice/right", "growing/bob/ones", "growing/carol/words",
    }  # fmt: skip
    assert {cell.task for cell in taken.record_files if cell.participant != "alice"} == {CHECK}
    slugs = [task.slug for task in taken.benchmarks["growing"].tasks]
    assert slugs == ["first", "bob~ones", "carol~words"]
