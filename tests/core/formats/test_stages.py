"""What a bundle may declare as stages, and what a submission to one may hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.core.formats.cell import CellId, cell_keys, cell_of_part
from evaluator.core.formats.stages import MAX_STAGES, variant_slug, variants
from tests.core.formats.test_cell import PREDICTION, SCORE
from tests.records import PARTS
from tests.repository import Repository

BUNDLE = "benchmarks/staged/competition.yaml"
HELD = st.lists(st.sampled_from("abcdefgh"), unique=True).map(tuple)


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        ("", []),
        ("a", []),  # alone is together; without it nothing of the participant's is left
        ("ab", ["a", "b"]),  # alone is without the other
        ("abc", ["a", "b", "c", "bc", "ac", "ab"]),
        ("abcd", ["a", "b", "c", "d", "bcd", "acd", "abd", "abc"]),
    ],
)
def test_variants(held: str, expected: list[str]) -> None:
    assert list(variants(tuple(held))) == [tuple(item) for item in expected]


@given(HELD)
def test_no_two_variants_are_one_cell(held: tuple[str, ...]) -> None:
    found = [variant_slug("task", stages) for stages in variants(held)]
    assert len(set(found)) == len(found)
    assert all(set(stages) < set(held) for stages in variants(held))


def test_a_variant_has_a_record_of_its_own() -> None:
    cell = CellId(
        benchmark="b", participant="p", submission="s", phase="main",
        task=variant_slug("t", ("clean", "model")), repeat=2,
    )  # fmt: skip
    assert cell.file_stem == "t+clean+model.2"
    assert cell_of_part(cell.part_path) == cell


# Frozen, as those of tests/core/formats/test_cell.py.
@pytest.mark.parametrize(
    ("stages", "prediction"),
    [
        ("", "dec8793e79c3ec7a46da70b3ce81942fee77a7e8f444822c9077138ae1097ed0"),
        ("clean", "9863523e98df7eeea8534426ed2d646841d65d19e0fdbb3d5c7875b070b6dbfb"),
        ("clean,model", "fdb9555b9484ca2eaa311543e68f5f9594d5aaec22d0144704ec52496c6916d3"),
    ],
)
def test_literal_keys(stages: str, prediction: str) -> None:
    keys = cell_keys({**PARTS, "stages": stages})
    assert keys.prediction == prediction
    assert keys.prediction != PREDICTION
    assert keys.score != SCORE


@pytest.mark.parametrize(
    ("old", "new", "key", "message"),
    [
        ("{key: scale}", "{key: shift}", "pullbench.stages[1].key", "as that of stages[0]"),
        ("{key: scale}", "{key: Scale}", "pullbench.stages[1].key", ""),
        ("{key: scale}", "{key: ../up}", "pullbench.stages[1].key", ""),
        ("{key: scale}", "{key: scores}", "pullbench.stages[1].key", "is the folder of records"),
        ("{key: scale}", "{kye: scale}", "pullbench.stages[1]", "key"),
        (
            "    ingestion_program: ingestion_program\n", "",
            "tasks[0].ingestion_program", "is missing",
        ),
    ],
)  # fmt: skip
def test_what_a_bundle_must_not_declare(
    repo: Repository, old: str, new: str, key: str, message: str
) -> None:
    repo.with_bundle("staged")
    repo.replace(BUNDLE, old, new)
    found = [item for item in repo.problems() if item.file == BUNDLE]
    assert any(item.key.startswith(key) and message in item.message for item in found), found


def test_there_is_an_end_to_stages(repo: Repository) -> None:
    repo.with_bundle("staged")
    more = "\n".join(f"    - {{key: more{number}}}" for number in range(MAX_STAGES))
    repo.replace(BUNDLE, "    - {key: cut}", f"    - {{key: cut}}\n{more}")
    assert [item.key for item in repo.problems() if item.file == BUNDLE] == ["pullbench.stages"]


def test_a_folder_that_is_no_stage_is_refused(repo: Repository) -> None:
    repo.with_bundle("staged")
    for name in ("shfit", "lib"):
        repo.write(f"submissions/staged/alice/two/{name}/number.txt", "1\n")
    # Predictions may have folders of any name.
    repo.write("submissions/staged/dora/answer/more/value.txt", "1\n")
    assert [(item.file, item.message, item.hint) for item in repo.problems()] == [
        (
            "submissions/staged/alice/two/submission.yaml",
            f"lies beside the folder '{name}', which is no stage of this benchmark.",
            hint,
        )
        for name, hint in (
            ("lib", "Stages are: shift, scale, cut. What stages share goes into each of them."),
            ("shfit", "Did you mean 'shift'?"),
        )
    ]


def test_who_holds_what(repo: Repository) -> None:
    found = {item.name: item for item in repo.with_bundle("staged").snapshot().submissions}
    assert {name: (item.kind.name, item.stages) for name, item in found.items()} == {
        "none": ("code", ()),
        "two": ("code", ("shift", "scale")),  # found by their folders, in the declared order
        "one": ("code", ("shift",)),
        "three": ("code", ("shift", "scale", "cut")),
        "answer": ("results", ()),
    }
