"""Which cells a workflow in stages has, what they depend on, and what containers see of it."""

import json

import pytest

from evaluator.core.planning.export import Exporter
from tests.records import cells_of, write_records
from tests.repository import Repository

CAROL = "submissions/staged/carol/three"
BUNDLE = "benchmarks/staged/competition.yaml"
ALL_OF_CAROL = {
    "twenty", "twenty+shift", "twenty+scale", "twenty+cut", "twenty+scale+cut", "twenty+shift+cut",
    "twenty+shift+scale",
}  # fmt: skip


@pytest.fixture
def staged(repo: Repository) -> Repository:
    repo.with_bundle("staged")
    write_records(repo)
    repo.commit("Records")
    return repo


def missing(repo: Repository) -> set[str]:
    return set(repo.reasons())


def parts(repo: Repository, name: str) -> dict[str, str]:
    return dict(cells_of(repo)[f"staged/{name}"].keys.parts)


def test_a_changed_stage_makes_stale_what_it_takes_part_in(staged: Repository) -> None:
    assert not missing(staged)
    staged.write(f"{CAROL}/cut/number.txt", "3\n")
    assert missing(staged) == {
        f"staged/carol/three/main/{slug}"
        for slug in ALL_OF_CAROL
        if slug == "twenty" or "cut" in slug
    }


def test_what_stands_beside_the_folders_is_for_readers_alone(staged: Repository) -> None:
    staged.write(f"{CAROL}/README.md", "More for readers.\n")
    assert not missing(staged)


def test_fewer_stages_have_fewer_cells(staged: Repository) -> None:
    staged.git("rm", "-rq", f"{CAROL}/cut")
    reasons = staged.reasons()
    # The two others with the organiser's cut were evaluated alone and together before.
    assert reasons == {
        "staged/carol/three/main/twenty":
            "submission changed, not committed; stages changed, not committed",
    }  # fmt: skip
    names = {str(item) for item in cells_of(staged) if "/carol/" in str(item)}
    assert {name.rpartition("/")[2] for name in names} == {
        "twenty", "twenty+shift", "twenty+scale",
    }  # fmt: skip


def test_stages_are_a_part_of_the_key_where_there_are_any(staged: Repository) -> None:
    whole, alone = (
        parts(staged, "carol/three/main/twenty"),
        parts(staged, "carol/three/main/twenty+scale"),
    )
    assert (whole["stages"], alone["stages"]) == ("shift,scale,cut", "scale")
    assert parts(staged, "organiser/none/main/twenty")["stages"] == ""
    assert "stages" not in parts(staged, "dora/answer/main/twenty")
    differing = {name for name in whole if whole[name] != alone[name]}
    assert differing == {"submission", "stages"}
    # The same stages by two participants are one prediction.
    staged.write("submissions/staged/erin/same/submission.yaml", "")
    staged.write("submissions/staged/erin/same/shift/number.txt", "1\n")
    cells = cells_of(staged)
    same = cells["staged/erin/same/main/twenty"].keys.prediction
    assert same == cells["staged/carol/three/main/twenty+shift"].keys.prediction


def test_a_benchmark_that_gets_stages_is_evaluated_again(staged: Repository) -> None:
    keys = {name: cell.keys for name, cell in cells_of(staged).items()}
    text = (staged.path / BUNDLE).read_text()
    staged.write(BUNDLE, text[: text.index("  stages:")])
    plain = cells_of(staged)
    assert {name.rpartition("/")[2] for name in plain} == {"twenty"}
    assert all("stages" not in cell.keys.parts for cell in plain.values())
    assert all(
        (keys[name].score == cell.keys.score) == (name == "staged/dora/answer/main/twenty")
        for name, cell in plain.items()
    )


def test_titles_are_no_reason_to_evaluate_again(staged: Repository) -> None:
    staged.replace(BUNDLE, "title: Shifting, description: Adds.", "title: Moving")
    assert not missing(staged)


def test_an_export_holds_the_chosen_stages_alone(staged: Repository) -> None:
    taken = staged.snapshot()
    carol = next(item for item in taken.submissions if item.name == "three")
    exporter = Exporter(taken.tree, staged.path / "build" / "cache")

    def files(stages: tuple[str, ...]) -> set[str]:
        folder = exporter.folder(exporter.submission(carol, stages))
        return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}

    assert files(("shift", "cut")) == {"shift/number.txt", "cut/number.txt"}
    assert files(()) == set()
    assert "README.md" not in files(("shift", "scale", "cut"))


@pytest.mark.slow
@pytest.mark.docker
def test_a_stage_that_is_left_out_is_not_in_the_container(repo: Repository) -> None:
    repo.with_bundle("staged")
    records = repo.run("staged/carol", "staged/organiser", lanes=4)
    said = {}
    for name, record in records.items():
        step = record.step("ingestion")
        assert step is not None
        said[name.rpartition("/")[2] if "/carol/" in name else "reference"] = json.loads(step.log)
    assert said == {
        "twenty": {
            "told": "shift,scale,cut",
            "seen": ["cut/number.txt", "scale/number.txt", "shift/number.txt"],
        },
        "twenty+shift": {"told": "shift", "seen": ["shift/number.txt"]},
        "twenty+scale": {"told": "scale", "seen": ["scale/number.txt"]},
        "twenty+cut": {"told": "cut", "seen": ["cut/number.txt"]},
        "twenty+shift+scale": {
            "told": "shift,scale", "seen": ["scale/number.txt", "shift/number.txt"],
        },
        "twenty+shift+cut": {"told": "shift,cut", "seen": ["cut/number.txt", "shift/number.txt"]},
        "twenty+scale+cut": {"told": "scale,cut", "seen": ["cut/number.txt", "scale/number.txt"]},
        "reference": {"told": "", "seen": []},
    }  # fmt: skip
    values = {
        name.rpartition("/")[2]: record.scores["value"]
        for name, record in records.items()
        if "/carol/" in name
    }
    assert values == {
        "twenty": 19, "twenty+shift": 4, "twenty+scale": 15, "twenty+cut": 2,
        "twenty+shift+scale": 20, "twenty+shift+cut": 3, "twenty+scale+cut": 14,
    }  # fmt: skip
