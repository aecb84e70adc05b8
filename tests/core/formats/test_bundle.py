from datetime import UTC, datetime
from typing import Any

import pytest

from evaluator.core.errors import Problem
from evaluator.core.formats.bundle import Benchmark, parse_bundle
from tests.repository import BUNDLES

FOLDER = BUNDLES / "small" / "benchmarks" / "adding"
FILES = frozenset(
    path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file()
)
TEXT = (FOLDER / "competition.yaml").read_text()
PHASES = "  - {index: 0, name: Main, start: 2020-01-01, tasks: [0, 1], execution_time_limit: 3}\n"
COLUMNS = "      - {title: Distance, key: distance, index: 1, sorting: asc}\n"


def read(old: str = "", new: str = "") -> tuple[Benchmark | None, list[Problem]]:
    assert old in TEXT
    return parse_bundle("adding", TEXT.replace(old, new, 1).encode(), FILES)


def benchmark(old: str = "", new: str = "") -> Benchmark:
    found, problems = read(old, new)
    assert found is not None, problems
    return found


def problems(old: str, new: str) -> dict[str, str]:
    """Message by key; the benchmark must be refused."""
    found, reported = read(old, new)
    assert found is None
    assert all(problem.line for problem in reported)
    return {problem.key: problem.message for problem in reported}


def test_a_whole_bundle() -> None:
    found = benchmark()
    assert [task.slug for task in found.tasks] == ["one", "two"]
    assert found.tasks[1].reference_data == "reference_data/two"
    assert found.leaderboard.primary.key == "right"
    assert found.leaderboard.score_keys == ("right", "distance")
    assert found.limits.memory == 128 * 2**20
    assert not found.has_dockerfile


def test_codabench_defaults() -> None:
    (phase,) = benchmark(", execution_time_limit: 3", "").phases
    assert phase.execution_time_limit == 600
    assert (phase.max_submissions_per_day, phase.max_submissions) == (5, 100)
    assert not phase.hide_output


def test_columns_with_more_decimals_than_any_phase_shows_are_named() -> None:
    column, few = (
        "leaderboards[0].columns[1].precision",
        "pullbench:\n  phases: {0: {feedback_digits: %s}}\n",
    )
    warned = [
        {one.key: one.severity for one in read("pullbench:\n", few % digits)[1]}
        for digits in (1, 2)
    ]
    assert warned[0][column] == "warning"
    assert column not in warned[1]
    later = PHASES.replace("3}", "3, end: 2020-02-01}") + PHASES.replace("0,", "1,", 1).replace(
        "Main, start: 2020-01-01", "Late, start: 2020-03-01"
    )
    text = TEXT.replace(PHASES, later).replace("pullbench:\n", few % 1).encode()
    found, reported = parse_bundle("adding", text, FILES)
    assert found is not None and len(found.phases) == 2
    assert column not in {one.key for one in reported}  # the later phase shows all


def test_phases_are_ordered_by_index_and_renumbered() -> None:
    later = "  - {index: 9, name: Late, start: 2021-01-01, tasks: [1]}\n"
    early = "  - {index: 5, name: Early, start: 2020-01-01, end: 2020-12-31, tasks: [0]}\n"
    found = benchmark(PHASES, later + early)
    assert [(phase.index, phase.slug) for phase in found.phases] == [(0, "early"), (1, "late")]
    assert found.phases[0].end == datetime(2020, 12, 31, tzinfo=UTC)
    assert found.phase("1") is found.phase("late") is found.phase("Late") is found.phases[1]
    assert found.phase("nothing") is None


def test_is_open_from_start_until_end() -> None:
    text = "  - {index: 0, name: Main, start: 2020-01-01, end: 2020-02-01, tasks: [0]}\n"
    (phase,) = benchmark(PHASES, text).phases
    moments = [datetime(2019, 12, 31, tzinfo=UTC), phase.start, phase.end]
    assert [phase.is_open(moment) for moment in moments if moment] == [False, True, False]
    assert [phase.has_started(moment) for moment in moments if moment] == [False, True, True]


@pytest.mark.parametrize(
    ("entries", "key", "message"),
    [
        (["start: 2020-01-01, end: 2020-03-01", "start: 2020-02-01"], "phases[1].start", "before"),
        (["start: 2020-01-01", "start: 2020-02-01"], "phases[0].end", "is missing"),
        (["start: 2020-01-01, end: 2019-01-01"], "phases[0].end", "not after"),
        (
            ["start: 2020-01-01, auto_migrate_to_this_phase: true"],
            "phases[0].auto_migrate_to_this_phase",
            "first",
        ),
        (["end: 2020-01-01"], "phases[0].start", "is missing"),
    ],
)
def test_phases_in_time(entries: list[str], key: str, message: str) -> None:
    text = "".join(
        f"  - {{index: {index}, name: P{index}, tasks: [0], {entry}}}\n"
        for index, entry in enumerate(entries)
    )
    assert message in problems(PHASES, text)[key]


def test_computed_columns() -> None:
    mean = "title: Mean, key: mean, index: 2, computation: avg, computation_indexes: [0, 1]"
    found = benchmark(COLUMNS, f"{COLUMNS}      - {{{mean}}}\n")
    assert found.leaderboard.columns[2].operands == ("right", "distance")
    assert found.leaderboard.score_keys == ("right", "distance")


@pytest.mark.parametrize(
    ("column", "key", "message"),
    [
        (
            "index: 2, computation: avg, computation_indexes: [7]",
            "computation_indexes[0]",
            "not there",
        ),
        (
            "index: 2, computation: avg, computation_indexes: [2]",
            "computation_indexes[0]",
            "computed",
        ),
        ("index: 2, computation: avg", "", "belong together"),
        ("index: 2, computation: median, computation_indexes: [0]", "computation", "input should"),
        ("index: 0", "index", "as that of columns[0]"),
        ("index: 2, precision: -1", "precision", "greater"),
    ],
)
def test_columns_that_contradict(column: str, key: str, message: str) -> None:
    found = problems(COLUMNS, COLUMNS + f"      - {{title: Third, key: third, {column}}}\n")
    place = "leaderboards[0].columns[2]" + (f".{key}" if key else "")
    assert message in found[place]


@pytest.mark.parametrize(
    ("old", "new", "key", "message"),
    [
        (
            "    name: One\n",
            "    name: One\n    key: 0123-uuid\n",
            "tasks[0].key",
            "Codabench server",
        ),
        ("    scoring_program: scoring_program\n", "", "tasks[0].scoring_program", "is missing"),
        ("image: logo.svg", "image: ../../logo.svg", "image", "climbs"),
        ("image: logo.svg", "image: /etc/passwd", "image", "absolute"),
        ("version: 2", "version: 1", "version", "pullbench import"),
        ("title: Adding\n", "", "title", "is missing"),
        (
            "    key: results\n",
            "    key: results\n    primary_index: 5\n",
            "leaderboards[0].primary_index",
            "no column",
        ),
        ("tasks: [0, 1]", "tasks: []", "phases[0].tasks", "at least 1"),
        ("cpus: 1", "cpus: 0", "pullbench.limits.cpus", "greater than 0"),
        ("pids: 32", "pids: many", "pullbench.limits.pids", "integer"),
    ],
)
def test_refused(old: str, new: str, key: str, message: str) -> None:
    assert message in problems(old, new)[key]


def test_nothing_is_said_of_what_stands_in_for_a_mistake() -> None:
    """A refused value is replaced so that other checks can run; those must not judge it."""
    assert list(problems("tasks: [0, 1]", "tasks: []")) == ["phases[0].tasks"]
    assert list(problems("start: 2020-01-01", "start: soon")) == ["phases[0].start"]
    assert list(problems("sorting: asc", "sorting: up")) == ["leaderboards[0].columns[1].sorting"]
    found = problems("tasks:\n", "tasks:\n  - just a word\n")
    assert list(found) == ["tasks[0]"]


@pytest.mark.parametrize(
    ("old", "new"),
    [("version: 2", "version: '2'"), ("    key: results", "    key: results\n    index: 3")],
)
def test_accepted(old: str, new: str) -> None:
    assert benchmark(old, new)


def test_unknown_keys_are_warned_of_and_ignored() -> None:
    found, reported = read("version: 2", "version: 2\nnovel_switch: true\npublished: true")
    assert found is not None
    assert [(problem.key, problem.severity) for problem in reported] == [
        ("novel_switch", "warning")
    ]


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"\xff", b"version: 2\n", b"version: 2\ntasks: 7\n"]
)
def test_hardly_a_bundle(content: bytes) -> None:
    found, reported = parse_bundle("x", content, frozenset())
    assert found is None
    assert reported


@pytest.mark.parametrize(
    ("private", "key"),
    [
        ({"task": 7, "path": "a"}, "task"),
        ({"task": 0, "path": "../a"}, "path"),
        ({"task": 0, "path": "a", "sha256": "short"}, "sha256"),
        ({"task": 0, "encrypted": "../a"}, "encrypted"),
        ({"task": 0, "encrypted": "nowhere.age"}, "encrypted"),
        ({"task": 0, "encrypted": "scoring_program"}, "encrypted"),
        ({"task": 0, "url": "ftp://example.org/a"}, "url"),
        ({"task": 0, "url": "https://"}, "url"),
        ({"task": 0, "url": "https://me:secret@example.org/a"}, "url"),
        ({"task": 0, "url": "file://elsewhere/a"}, "url"),
    ],
)
def test_private_data(private: dict[str, Any], key: str) -> None:
    entry = {"file": "reference_data", "sha256": "a" * 64, **private}
    found = problems("pullbench:\n", f"pullbench:\n  private: [{entry}]\n")
    assert list(found) == [f"pullbench.private[0].{key}"]


@pytest.mark.parametrize("sources", ["", "path: a, url: 'https://example.org/a', "])
def test_private_data_have_one_source(sources: str) -> None:
    entry = f"{{task: 0, file: reference_data, {sources}sha256: {'a' * 64}}}"
    found = problems("pullbench:\n", f"pullbench:\n  private: [{entry}]\n")
    assert list(found) == ["pullbench.private[0]"]
    assert "needs one of 'path', 'encrypted' and 'url'" in str(found)


RIGHT = "      - {title: Right, key: right, index: 0}\n"


def test_columns_that_look_the_same_are_named() -> None:
    same = COLUMNS.replace("Distance", "Right")
    found, reported = read(COLUMNS, same)
    assert found is not None
    (problem,) = reported
    assert (problem.key, problem.severity) == ("leaderboards[0].columns[1].title", "warning")
    assert problem.message.startswith("is 'Right', as that of 'right'")
    grouped = "\npullbench:\n  columns: {distance: {group: Far}}\n"
    text = TEXT.replace(COLUMNS, same).replace("\npullbench:\n", grouped)
    assert parse_bundle("adding", text.encode(), FILES)[1] == []


def test_a_hidden_primary_column_is_refused() -> None:
    hidden = RIGHT.replace("index", "hidden: true, index")
    (reported,) = problems(RIGHT, hidden).items()
    assert reported[0] == "leaderboards[0].columns[0].hidden"
    assert "ranks would show its order" in reported[1]
    # A hidden board shows no rank either.
    board = "    key: results\n    hidden: true\n"
    found, _ = parse_bundle(
        "adding",
        TEXT.replace(RIGHT, hidden).replace("    key: results\n", board).encode(),
        FILES,
    )
    assert found is not None


def test_a_column_that_tells_a_hidden_one_exactly_is_reported() -> None:
    mean = "title: Both, key: both, index: 2, computation: %s, computation_indexes: [0, 1]"
    for computation, warned in (("avg", True), ("sum", True), ("max", False)):
        lines = f"{COLUMNS[:-2]}, hidden: true}}\n      - {{{mean % computation}}}\n"
        found, reported = read(COLUMNS, lines)
        assert found is not None
        said = [problem for problem in reported if "knows it" in problem.message]
        assert bool(said) == warned
        assert all(problem.severity == "warning" for problem in said)


_TWO_PHASES = (
    "  - {index: 0, name: One, start: 2020-01-01, end: 2020-02-01, tasks: [0]}\n"
    "  - {index: 7, name: Two, start: 2020-02-01, tasks: [1]}\n"
)


def test_a_phase_has_columns_of_its_own_and_ranks_by_one() -> None:
    of_two = "  phases: {7: {columns: [distance], primary: distance}}\n"
    text = TEXT.replace(PHASES, _TWO_PHASES).replace("pullbench:\n", f"pullbench:\n{of_two}", 1)
    found, reported = parse_bundle("adding", text.encode(), FILES)
    assert found is not None, reported
    one, two = found.boards["one"], found.boards["two"]
    assert (one.score_keys, one.primary.key) == (("right", "distance"), "right")
    assert (two.score_keys, two.primary.key) == (("distance",), "distance")
    assert [column.key for column in two.sorting_columns] == ["distance"]
    assert one is found.leaderboard


def test_a_phase_lists_by_a_rule_of_its_own() -> None:
    text = TEXT.replace(PHASES, _TWO_PHASES)
    second = "  phases: {7: {submission_rule: Force_Best}}\n"
    found, reported = parse_bundle(
        "adding", text.replace("pullbench:\n", f"pullbench:\n{second}", 1).encode(), FILES
    )
    assert found is not None, reported
    rules = {slug: board.submission_rule for slug, board in found.boards.items()}
    assert rules == {"one": found.leaderboard.submission_rule, "two": "Force_Best"}
    assert found.boards["two"].columns == found.leaderboard.columns
    wrong = second.replace("Force_Best", "Best")
    _, reported = parse_bundle(
        "adding", text.replace("pullbench:\n", f"pullbench:\n{wrong}", 1).encode(), FILES
    )
    (problem,) = [one for one in reported if one.severity == "error"]
    assert problem.key == "pullbench.phases[7].submission_rule"
    assert "Force_Best" in problem.message


@pytest.mark.parametrize(
    ("phase", "key", "message"),
    [
        ("{columns: [right, distanse]}", "columns[1]", "no column"),
        ("{columns: [distance]}", "columns", "lacks 'right'"),
        ("{columns: [distance], primary: right}", "primary", "no column of the phase"),
        ("{columns: [mean], primary: mean}", "columns[0]", "made of 'distance', 'right'"),
    ],
)
def test_columns_of_a_phase_that_contradict_themselves(phase: str, key: str, message: str) -> None:
    mean = "{title: Mean, key: mean, index: 2, computation: avg, computation_indexes: [0, 1]}"
    text = TEXT.replace(COLUMNS, f"{COLUMNS}      - {mean}\n", 1)
    text = text.replace("pullbench:\n", f"pullbench:\n  phases: {{0: {phase}}}\n", 1)
    found, reported = parse_bundle("adding", text.encode(), FILES)
    messages = {problem.key: problem.message for problem in reported}
    assert found is None
    assert message in messages[f"pullbench.phases[0].{key}"]


def test_a_phase_of_results_that_are_played_can_never_produce_a_ranked_row() -> None:
    played = TEXT.replace(
        "scoring_program: scoring_program",
        "ingestion_only_during_scoring: true\n    scoring_program: scoring_program",
        1,
    ).replace("execution_time_limit: 3", "accepts_only_result_submissions: true", 1)
    found, reported = parse_bundle("adding", played.encode(), FILES)
    assert found is None
    assert (
        "never produce a ranked row"
        in {p.key: p.message for p in reported}["phases[0].accepts_only_result_submissions"]
    )
