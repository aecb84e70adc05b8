"""Boards for Every Eval Ever and in-toto: by the rules of their formats, and of what is public."""

import json
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from evaluator.core.formats.kinds.kind import Reported
from evaluator.core.leaderboard.published import publish
from evaluator.plugins.openformats.eee import to_eee
from evaluator.plugins.openformats.in_toto import PREDICATE, to_in_toto
from tests.core.leaderboard.boards import FAILED, Entries, make_benchmark
from tests.repository import Repository

COLUMNS = """\
      - {title: A, key: a, index: 0, sorting: desc, precision: 3}
      - {title: B, key: b, index: 1, sorting: asc, precision: 3}
      - {title: C, key: c, index: 2, sorting: desc, precision: 3, hidden: true}
"""
TEXT = {"type": "string", "minLength": 1}
DIGEST = {
    "type": "object", "required": ["sha256"],
    "properties": {"sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"}},
}  # fmt: skip


def of(*optional: str, **fields: Any) -> dict[str, Any]:
    """A schema of an object without other keys."""
    return {
        "type": "object", "properties": fields, "additionalProperties": False,
        "required": [name for name in fields if name not in optional],
    }  # fmt: skip


EEE = of(
    schema_version={"const": "0.3.0"}, evaluation_id=TEXT,
    evaluation_timestamp={"type": "string", "pattern": "^[0-9]+$"},
    retrieved_timestamp={"type": "string", "pattern": "^[0-9]+$"},
    source_metadata=of(
        source_type={"const": "evaluation_run"}, source_name=TEXT, source_organization_name=TEXT,
        evaluator_relationship={"const": "third_party"},
    ),
    eval_library=of(name={"const": "pullbench"}, version=TEXT),
    model_info=of(
        name=TEXT, id=TEXT, developer=TEXT,
        additional_details={
            "required": ["deployment_type", "model_availability"], "additionalProperties": TEXT,
        },
    ),
    evaluation_results={"type": "array", "minItems": 1, "items": of(
        evaluation_name=TEXT,
        source_data=of(dataset_name=TEXT, source_type={"const": "other"}),
        metric_config=of(
            metric_id=TEXT, metric_name=TEXT, lower_is_better={"type": "boolean"},
            score_type={"const": "continuous"}, min_score={"const": "-Infinity"},
            max_score={"const": "Infinity"},
        ),
        score_details=of(
            "uncertainty", score={"type": "number"},
            uncertainty=of(
                "standard_deviation", "confidence_interval", standard_deviation={"type": "number"},
                confidence_interval=of(
                    lower={"type": "number"}, upper={"type": "number"},
                    confidence_level={"const": 0.95},
                ),
            ),
        ),
    )},
)  # fmt: skip
"""Of the fields of schema 0.3.0 those that are written, with what it asks of them."""
STATEMENT = of(
    _type={"const": "https://in-toto.io/Statement/v1"},
    subject={"type": "array", "minItems": 1, "items": of(name=TEXT, digest=DIGEST)},
    predicateType={"const": PREDICATE},
    predicate=of(
        evaluator=of(id={"type": "string", "pattern": "^[a-z]+:."}),
        evaluatedAt={"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:\d\d$"},
        suite=of(name=TEXT, version=TEXT), sampleSize={"type": "integer", "minimum": 0},
        subjectProfile={"enum": ["receipt", "public-model", "release-gate"]},
        model=of(name=TEXT, digest=DIGEST), dataset=of(name=TEXT, digest=DIGEST),
        claims={"type": "array", "minItems": 1, "items": of(
            metric=TEXT, comparator={"enum": ["<=", ">="]}, passed={"type": "boolean"},
            threshold={"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]+)?$"},
        )},
    ),
)  # fmt: skip
FORMS = [(to_eee, EEE), (to_in_toto, STATEMENT)]


def lines(text: str, schema: dict[str, Any]) -> list[dict[str, Any]]:
    read = [json.loads(line) for line in text.splitlines()]
    for line in read:
        jsonschema.validate(line, schema)
    return read


@pytest.fixture(name="entries")
def _entries() -> Entries:
    entries = Entries(
        make_benchmark(COLUMNS, tasks="0, 1", extra="pullbench: {tasks: {0: {repeats: 2}}}\n")
    )
    small = {"a": 0.5, "b": 1e-7, "c": 41}
    entries.enter("ann", "one", [small, {"a": 0.7, "b": 3e-7, "c": 42}], small)
    large = {"a": 0.1, "b": 1e21, "c": 43}
    entries.enter("bob", "two", [large, large], {"a": 0.3, "b": 0, "c": 44})
    return entries.enter("zed", "fails", [small, small], FAILED)


def test_a_record_of_every_eval_ever(entries: Entries) -> None:
    ann, bob = lines(to_eee(entries.board()), EEE)
    assert (ann["model_info"]["id"], bob["model_info"]["id"]) == ("ann/one", "bob/two")
    results = {
        (one["evaluation_name"], one["metric_config"]["metric_id"]): one["score_details"]["score"]
        for one in bob["evaluation_results"]
    }
    assert results == {
        ("Main", "bench.a"): 0.2, ("Main", "bench.b"): 5e20,
        ("Main: One", "bench.a"): 0.1, ("Main: One", "bench.b"): 1e21,
        ("Main: Two", "bench.a"): 0.3, ("Main: Two", "bench.b"): 0,
    }  # fmt: skip
    (spread,) = [
        one["score_details"]["uncertainty"]["standard_deviation"]
        for one in ann["evaluation_results"]
        if one["evaluation_name"] == "Main: One" and not one["metric_config"]["lower_is_better"]
    ]
    assert spread == pytest.approx(0.1414, abs=1e-4)


def test_a_statement_of_in_toto(entries: Entries) -> None:
    ann, bob = (one["predicate"] for one in lines(to_in_toto(entries.board()), STATEMENT))
    assert ann["sampleSize"] == 3
    assert [one["threshold"] for one in ann["claims"]] == ["0.55", "0.00000015"]
    assert bob["claims"] == [
        {"metric": "a", "comparator": ">=", "threshold": "0.2", "passed": True},
        {"metric": "b", "comparator": "<=", "threshold": f"{5 * 10**20}", "passed": True},
    ]
    assert "thresholds are scores" in ann["suite"]["name"]


@pytest.mark.parametrize(("write", "schema"), FORMS)
def test_nothing_hidden_is_written(entries: Entries, write: Any, schema: Any) -> None:
    text = write(entries.board())
    lines(text, schema)
    assert "bench.c" not in text
    assert '"c"' not in text
    assert "zed" not in text
    hidden = replace(entries.benchmark.leaderboard, hidden=True)
    board = entries.private_board()
    assert (
        write(publish(replace(board, benchmark=replace(board.benchmark, leaderboard=hidden)))) == ""
    )


@pytest.mark.parametrize(("write", "schema"), FORMS)
def test_what_others_state_is_theirs(entries: Entries, write: Any, schema: Any) -> None:
    stated = Reported(source="A paper", url="", scores={"one": {"a": 1}, "two": {"a": 1}})
    entries.enter("carl", "paper")
    entries.submissions[-1] = replace(entries.submissions[-1], reported=stated)
    assert "carl" not in write(entries.board())


@pytest.mark.parametrize(("write", "schema"), FORMS)
def test_no_title_breaks_a_line(entries: Entries, write: Any, schema: Any) -> None:
    title = 'x"}\n{"_type": "forged"}\u2028'
    entries.submissions[0] = replace(entries.submissions[0], title=title)
    text = write(entries.board())
    assert text.count("\n") == 2
    assert len([json.loads(line) for line in text.split("\n")[:-1]]) == 2


def test_the_command_prints_both(repo: Repository) -> None:
    repo.with_bundle("small")
    repo.run(engine="subprocess")
    repo.commit("Scores")
    for name, schema in (("eee", EEE), ("in-toto", STATEMENT)):
        done = repo.pullbench("leaderboard", "echo", "--format", name)
        assert done.returncode == 0, done.stderr
        assert lines(done.stdout, schema)
