"""Ways to a false time in `sorting-race`: each is refused or gains nothing, and why."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from evaluator.core.formats.record import Record
from tests.repository import Repository

BUNDLE = Path(__file__).parents[2] / "benchmarks/sorting-race"
HONEST = "merge-sort"
FAMILIES = (
    "remembers-lists", "sorts-lazily", "stops-the-clock", "sorts-at-import", "last-result",
    "works-when-checked", "sorts-behind", "returns-a-promise", "sorts-for-all", "own-time",
)  # fmt: skip
WITHOUT: dict[str, tuple[tuple[str, ...], tuple[tuple[str, str, str], ...]]] = {
    "new-lists": (
        ("remembers-lists", "last-result", "sorts-for-all"),
        (("ingestion.py", "os.urandom(SIZE)", '__import__("random").Random(1).randbytes(SIZE)'),),
    ),
    "each-result-checked": (
        ("works-when-checked",),
        (("ingestion.py", "and not mistake:", "and (number, order) == (ROUNDS, ORDERS[-1]):"),),
    ),
    "a-clock-outside": (
        ("sorts-lazily", "stops-the-clock", "returns-a-promise"),
        (
            ("run_sort.py", "            results.write(to_bytes(sort(values), count))\n", """
            import time
            before = time.perf_counter()
            result = sort(values)
            spent = time.perf_counter() - before
            os.makedirs("/app/output/spent", exist_ok=True)
            with open("/app/output/spent/seconds", "a") as file:
                file.write(f"{spent}\\n")
            result = result.result() if hasattr(result, "result") else result
            results.write(to_bytes(result, count))
"""),
            ("ingestion.py", "forget(output_dir)", 'forget(output_dir, keep=output_dir / "spent")'),
            ("scoring.py", 'elapsed_seconds(input_dir / "res" / "metadata")',
             'sum(map(float, (input_dir / "res/spent/seconds").read_text().split()))'),
        ),
    ),
}  # fmt: skip
"""A defence, what pays without it, and how it is taken away."""


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Record]:
    """By benchmark and participant; the benchmark of a defence is without it."""
    repo = Repository(tmp_path_factory.mktemp("race") / "repo")
    for name, (entries, changes) in {"all": ((HONEST, *FAMILIES), ()), **WITHOUT}.items():
        target = repo.path / "benchmarks" / name
        shutil.copytree(BUNDLE, target, ignore=shutil.ignore_patterns("__pycache__"))
        repo.replace(f"benchmarks/{name}/competition.yaml", "limit: 20\n", "limit: 100\n")
        repo.replace(f"benchmarks/{name}/competition.yaml", "  accept:", "  # accept:")
        for file, old, new in changes:
            folder = "scoring_program" if file == "scoring.py" else "ingestion_program"
            repo.replace(f"benchmarks/{name}/{folder}/{file}", old, new)
        for entry in entries:
            source = BUNDLE / "controls" / entry
            if entry == HONEST:
                source = BUNDLE.parents[1] / "submissions/sorting-race/carol/merge-sort"
            target = repo.path / "submissions" / name / entry / "one"
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("scores"))
    repo.commit("False times")
    return {"/".join(cell.split("/")[:2]): one for cell, one in repo.run(lanes=1).items()}


def processor_seconds(record: Record) -> float:
    step = next(step for step in record.steps if step.step == "ingestion")
    assert step.cpu_seconds is not None
    return step.cpu_seconds


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_it_is_refused_or_gains_nothing(records: Mapping[str, Record], family: str) -> None:
    record, honest = records[f"all/{family}"], records[f"all/{HONEST}"]
    if record.scores.get("correct") == 1:
        # The load of a machine changes this by a third; what pays takes a third.
        assert processor_seconds(record) > 0.7 * processor_seconds(honest)
    elif record.error:
        assert record.error.actor == "participant"
    else:
        assert record.scores["seconds"] == 40


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.parametrize("defence", WITHOUT)
def test_without_a_defence_it_pays(records: Mapping[str, Record], defence: str) -> None:
    honest = records[f"all/{HONEST}"]
    for family in WITHOUT[defence][0]:
        record = records[f"{defence}/{family}"]
        assert record.scores.get("correct") == 1, (family, record.steps)
        if defence == "a-clock-outside":
            assert record.scores["seconds"] < honest.scores["seconds"] / 10, family
        else:  # the load of a machine changes seconds by a factor of four
            assert processor_seconds(record) < processor_seconds(honest) / 2, family
