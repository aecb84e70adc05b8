"""Results from elsewhere: what is accepted, and that nothing of them is evaluated."""

import pytest

from evaluator.core.clock import utc_now
from evaluator.core.leaderboard.snapshot_boards import leaderboard
from tests.repository import Repository

FILE = "submissions/adding/paper/table-6/submission.yaml"


@pytest.fixture
def open_board(small: Repository) -> Repository:
    """The benchmark ``adding``, which takes results from elsewhere."""
    competition = "benchmarks/adding/competition.yaml"
    text = (small.path / competition).read_text()
    assert "\npullbench:" in text
    small.replace(competition, "\npullbench:\n", "\npullbench:\n  reported: true\n")
    return small


def problems(repo: Repository) -> list[str]:
    return [f"{p.key}: {p.message}" for p in repo.problems() if p.file == FILE]


def test_they_stand_on_the_board_and_are_never_planned(open_board: Repository) -> None:
    slugs = [task.slug for task in open_board.snapshot().benchmarks["adding"].tasks]
    values = ", ".join(f"{slug}: {{right: 9.5}}" for slug in slugs)
    open_board.write(FILE, f"kind: reported\nsource: A paper\nscores: {{{values}}}\n")
    assert problems(open_board) == []
    assert not [name for name in open_board.reasons() if "/paper/" in name]
    taken = open_board.snapshot()
    board = leaderboard(taken, "adding", phase=None, task=None, now=utc_now())
    row = next(row for row in board.rows if row.submission.participant == "paper")
    assert (row.rank, row.state, row.overall["right"]) == (1, "finished", 9.5)
    assert all(result.records == () for result in row.tasks.values())


def test_only_where_the_benchmark_takes_them(small: Repository) -> None:
    small.write(FILE, "kind: reported\nsource: A paper\nscores: {one: {right: 1}}\n")
    (found,) = problems(small)
    assert "takes no results from elsewhere" in found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kind: reported\nscores: {one: {right: 1}}\n", "source: is missing."),
        ("kind: reported\nsource: A paper\n", "scores: is missing."),
        ("kind: reported\nsource: A\nscores: {three: {right: 1}}\n", "is no task of phase"),
        ("kind: reported\nsource: A\nscores: {one: {bonus: 1}}\n", "is no column"),
        ("kind: reported\nsource: A\nscores: {one: {right: .nan}}\n", "finite number"),
        ("kind: reported\nsource: A\nscores: {one: {right: '1'}}\n", "number"),
        ("kind: reported\nsource: A\nscores: {one: {right: true}}\n", "number"),
        ("kind: reported\nsource: A\nsource_url: 'javascript:x'\nscores: {one: {right: 1}}\n",
         "source_url: is not an address."),
        ("kind: code\nsource: A\nscores: {one: {right: 1}}\n", "belongs to submissions of kind"),
        ("kind: reported\nsource: A\nrank: 0\nscores: {one: {right: 1}}\n", "rank: "),
        ("kind: code\nrank: 1\n", "belongs to submissions of kind"),
    ],
)  # fmt: skip
def test_mistakes(open_board: Repository, text: str, message: str) -> None:
    open_board.write(FILE, text)
    open_board.write(FILE.replace("submission.yaml", "main.py"), "print()\n")
    found = problems(open_board)
    assert any(message in one for one in found), found


def test_a_board_of_published_results_is_never_open_and_takes_nothing_else(
    open_board: Repository,
) -> None:
    """``reported: only``, and the rank that the source states."""
    open_board.replace("benchmarks/adding/competition.yaml", "reported: true", "reported: only")
    main = FILE.replace("submission.yaml", "main.py")
    open_board.write(FILE, "kind: code\n")
    open_board.write(main, "print()\n")
    (found,) = problems(open_board)
    assert found == "kind: is 'code', and this benchmark takes published results alone."
    open_board.write(FILE, "source: A\nrank: 7\nscores: {one: {right: 1}, two: {right: 1}}\n")
    assert problems(open_board) == []
    snapshot = open_board.snapshot()
    assert not any(phase.is_open(utc_now()) for phase in snapshot.benchmarks["adding"].phases)
    board = leaderboard(snapshot, "adding", phase=None, task=None, now=utc_now())
    (row,) = (row for row in board.rows if row.submission.participant == "paper")
    assert row.submission.kind_name == "reported"
    assert row.submission.reported is not None
    assert (row.submission.reported.rank, row.rank) == (7, 1)
