"""What a plan costs beyond reading and parsing the same files."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import yaml

from evaluator.core.clock import utc_now
from evaluator.core.formats.record import Record
from evaluator.core.planning.cells import cells
from evaluator.core.planning.plan import Plan, make_local_plan
from evaluator.core.planning.snapshot import load_snapshot
from tests.bench.figures import Value
from tests.bench.records import files_of, plain_record
from tests.bench.repository import add_commit, bundle, shared_repository, submission
from tests.bench.sizes import SUBMISSIONS, medians, size, timed

TASKS = 4
PROGRAMS, DATASETS = size((1000, 200), (90, 10))
ROUNDS = size(5, 1)


def plan_10k() -> Iterator[Value]:
    """Plan 10,000 submissions x 4 tasks, all with records, against git and a parser alone."""
    root = shared_repository("planned", fill)
    ours, bare, tree = [], [], []
    for _ in range(ROUNDS):
        bare.append(timed(lambda: read_and_parse(root)))
        ours.append(timed(lambda: _plan(root, "HEAD")))
        tree.append(timed(lambda: _plan(root, None)))
    seconds, processor = medians(ours)
    bare_seconds, bare_processor = medians(bare)
    yield "plan_10k", seconds / bare_seconds, "ratio"
    yield "plan_10k_processor", processor / bare_processor, "ratio of processors"
    yield "plan_10k_seconds", seconds, "s"
    yield "plan_10k_seconds_processor", processor, "s of processors"
    yield "plan_10k_working_tree_seconds", medians(tree)[0], "s"
    yield "read_and_parse_10k_seconds", bare_seconds, "s"


def fill(root: Path) -> None:
    """Commit 10,000 submissions with a record for each of their cells."""
    files = bundle("large", "sleep 0", TASKS)
    for index in range(SUBMISSIONS):
        files |= submission("large", f"person{index // 10}", f"entry{index % 10}")
    add_commit(root, files)
    add_commit(root, dict(files_of(_records(root))))


def two_way_plan() -> Iterator[Value]:
    """Plan 1,000 programs x 200 data sets of which every hundredth cell is missing."""
    root = shared_repository("growing", _fill_growing)
    plans: list[Plan] = []
    plan, bare = [], []
    for _ in range(3):
        bare.append(timed(lambda: read_and_parse(root)))
        plan.append(
            timed(lambda: plans.append(make_local_plan(load_snapshot(root, "HEAD"), utc_now())))
        )
    made = plans[-1]
    assert made.total == PROGRAMS * (DATASETS + 1) + DATASETS, made.total
    assert 0.009 <= len(made.missing) / made.total < 0.011, len(made.missing)
    name = "two_way_plan_vs_read_and_parse"
    seconds, processor = medians(plan)
    bare_seconds, bare_processor = medians(bare)
    yield "two_way_plan", seconds, "s"
    yield name, seconds / bare_seconds, "ratio"
    yield f"{name}_processor", processor / bare_processor, "ratio of processors"


def _fill_growing(root: Path) -> None:
    add_commit(root, _growing(), checkout=False)
    add_commit(root, dict(files_of(_records(root))), checkout=False)  # checks open the rest
    rest = [item for place, item in enumerate(_records(root)) if place % 100]
    add_commit(root, dict(files_of(rest)), checkout=False)


def _growing() -> dict[str, bytes]:
    files = bundle("large", "sleep 0", 1)
    text = files["benchmarks/large/competition.yaml"].decode()
    files["benchmarks/large/competition.yaml"] = (
        text + "  aggregate: win_rate\n"
        "  datasets: {become: tasks, task: 0, check_program: scoring}\n"
    ).encode()
    for index in range(PROGRAMS):
        files |= submission("large", f"person{index // 10}", f"entry{index % 10}")
    for index in range(DATASETS):
        base = f"submissions/large/person{index}/data"
        files |= {
            f"{base}/submission.yaml": b"kind: dataset\n",
            f"{base}/input_data/numbers.txt": b"%d\n" % index,
            f"{base}/reference_data/sum.txt": b"%d\n" % index,
        }
    return files


def _records(root: Path) -> Iterator[Record]:
    for cell in cells(load_snapshot(root, "HEAD"), utc_now()):
        yield plain_record(cell)


def _plan(root: Path, revision: str | None) -> None:
    made = make_local_plan(load_snapshot(root, revision), utc_now())
    assert made.total == SUBMISSIONS * TASKS and not made.missing, made.missing[:3]


def read_and_parse(root: Path) -> None:
    """Read all YAML and JSON files of HEAD through git, and parse them."""
    listing = subprocess.run(
        ["git", "-C", str(root), "ls-tree", "-r", "-z", "HEAD"], capture_output=True, check=True
    ).stdout
    wanted = []
    for line in listing.decode().split("\0"):
        head, _, path = line.partition("\t")
        if path.endswith((".yaml", ".json")) and "/scoring/" not in path:
            wanted.append((head.split(" ")[2], path))
    out = subprocess.run(
        ["git", "-C", str(root), "cat-file", "--batch"],
        input="\n".join(blob for blob, _ in wanted).encode(), capture_output=True, check=True,
    ).stdout  # fmt: skip
    at = 0
    for _, path in wanted:
        end = out.index(b"\n", at)
        size = int(out[at:end].split(b" ")[2])
        content = out[end + 1 : end + 1 + size]
        at = end + 2 + size
        if path.endswith(".json"):
            json.loads(content)
        else:
            yaml.load(content, Loader=yaml.CSafeLoader)
