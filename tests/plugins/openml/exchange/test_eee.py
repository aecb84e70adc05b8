"""Records of Every Eval Ever as reported rows: our own, others', and such as nobody should send."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.importing.calling import pullbench
from tests.repository import Repository


@pytest.fixture
def taking(small: Repository) -> Repository:
    """The bundle ``small``, whose benchmark ``adding`` takes results from elsewhere."""
    small.replace(
        "benchmarks/adding/competition.yaml", "\npullbench:\n", "\npullbench:\n  reported: true\n"
    )
    small.commit("Take results from elsewhere")
    return small


def record(model: str = "lab/net", **scores: float) -> dict[str, Any]:
    """A record of schema 0.2, with a metric ``right``."""
    return {
        "schema_version": "0.2.2", "evaluation_id": "x", "retrieved_timestamp": "1",
        "model_info": {"name": "Net", "id": model, "additional_details": {}},
        "evaluation_results": [
            {
                "evaluation_name": f"{name} (5-shot)",
                "source_data": {"dataset_name": name, "source_type": "other"},
                "metric_config": {"metric_name": "Right", "lower_is_better": False},
                "score_details": {"score": score},
            }
            for name, score in scores.items()
        ],
    }  # fmt: skip


def bring_in(repo: Repository, content: str, name: str = "a.json") -> tuple[int, str]:
    file = repo.write(f"build/{name}", content)
    return pullbench(repo.path, "import", "eee", str(file), "--benchmark", "adding")


def rows(repo: Repository) -> dict[str, Any]:
    repo.commit("Results")
    assert repo.problems() == []
    done = repo.pullbench("leaderboard", "adding", "--format", "json")
    return {
        f"{row['participant']}/{row['submission']}": row
        for row in json.loads(done.stdout)["rows"]
    }  # fmt: skip


def test_records_of_others_become_reported_rows(taking: Repository) -> None:
    code, said = bring_in(taking, json.dumps(record(one=0.5, two=0.25, three=1), indent=1))
    assert code == 0, said
    assert "left out, since they are no tasks of phase 'Main': three." in said
    row = rows(taking)["eee/lab-net"]
    assert (row["kind"], row["source"]) == ("reported", "a.json of Every Eval Ever")
    assert row["overall"]["right"] == 0.375


def test_a_record_before_metrics_had_names(taking: Repository) -> None:
    old = json.dumps(record(one=0.5, two=0.25)).replace("metric_name", "evaluation_description")
    assert bring_in(taking, old)[0] == 0
    assert rows(taking)["eee/lab-net"]["overall"]["right"] == 0.375


def test_our_own_records_come_back(taking: Repository) -> None:
    taking.run("adding", engine="subprocess")
    before = rows(taking)
    done = taking.pullbench("leaderboard", "adding", "--format", "eee")
    assert done.returncode == 0, done.stderr
    code, said = bring_in(taking, done.stdout, "board.jsonl")
    assert code == 0, said
    after = rows(taking)
    finished = [name for name, row in before.items() if row["overall"]]
    assert finished
    for name in finished:
        assert after[f"eee/{name.replace('/', '-')}"]["overall"] == before[name]["overall"]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("{", "a.json: has another form"),
        ("[]", "a.json: has another form"),
        (json.dumps({"model_info": {"id": "x"}}), "missing required field `evaluation_results`"),
        (json.dumps(record(one=0.5)).replace("0.5", "NaN"), "a.json: has another form"),
        (json.dumps(record(one=0.5)).replace("0.5", "1e999"), "a.json: has another form"),
        (json.dumps(record(one=0.5)).replace("0.5", '"0.5"'), "Expected `float`, got `str`"),
        ("[" * 100_000, "a.json: "),
    ],
)
def test_what_is_no_record_is_refused_by_name(taking: Repository, content: str, text: str) -> None:
    code, said = bring_in(taking, content)
    assert (code, text in said) == (1, True), said
    assert not (taking.path / "submissions/adding/eee").exists()


def test_no_name_of_a_model_leads_elsewhere(taking: Repository) -> None:
    names = ("../../../etc/x", "\n- evil: 1", "", "a" * 300)
    content = "\n".join(json.dumps(record(name, one=1, two=1)) for name in names if name)
    code, said = bring_in(taking, content, "b.jsonl")
    assert code == 0, said
    folder: Path = taking.path / "submissions/adding/eee"
    assert sorted(one.name[:10] for one in folder.iterdir()) == ["a" * 10, "etc-x", "evil-1"]
    code, said = bring_in(taking, f"{content}\n{{", "b.jsonl")
    assert (code, "b.jsonl, line 4: has another form" in said) == (1, True)
