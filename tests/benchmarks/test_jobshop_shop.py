"""The shop of autorl-jobshop: its instances, what an action does, breakdowns, and Gymnasium."""

import gzip
import itertools
import json
import random
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from gymnasium.utils.env_checker import check_env
from ortools.sat.python import cp_model

from evaluator.core.planning.snapshot import load_snapshot
from evaluator.importing.pinned import content_digest
from tests.benchmarks.jobshop import BUNDLE, INSTANCES, ROOT, SUBMISSIONS, programs
from tests.benchmarks.ogb import modules

SHOP, BREAKDOWNS = programs()
OPTIMA = {
    "ft06": 55, "ft10": 930, "la01": 666, "la02": 655, "la03": 597, "la04": 590, "la05": 593,
}  # fmt: skip
SIZES = {"ft06": (6, 6), "ft10": (10, 10)}


def test_the_instances_have_the_sizes_and_optima_of_the_literature() -> None:
    assert {name: known["optimum"] for name, known in INSTANCES.items()} == OPTIMA
    for name, known in INSTANCES.items():
        jobs, machines = SIZES.get(name, (10, 5))
        assert len(known["jobs"]) == jobs
        for job in known["jobs"]:
            assert sorted(machine for machine, _ in job) == list(range(machines))


@pytest.mark.parametrize("name", OPTIMA)
def test_the_optimum_can_be_reached_in_the_environment(name: str) -> None:
    """So waiting makes every schedule possible in which nothing could be done earlier."""
    known = INSTANCES[name]
    shop = SHOP.Shop(jobs=known["jobs"])
    reward = 0
    while not shop.done:
        due = [
            job
            for job, allowed in enumerate(shop.mask()[:-1])
            if allowed and known["starts"][job][shop.next[job]] <= shop.time
        ]
        reward -= shop.act(due[0] if due else shop.wait)
    assert shop.time == -reward == OPTIMA[name]


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if name == "ft10" else ()) for name in OPTIMA],
)
def test_no_schedule_is_shorter_than_the_optimum(name: str) -> None:
    """A solver proves it. With the schedule above, no number of the instance is wrong."""
    jobs = INSTANCES[name]["jobs"]
    model = cp_model.CpModel()
    horizon = OPTIMA[name] - 1
    by_machine: dict[int, list[Any]] = {}
    for job in jobs:
        ready: Any = 0
        for machine, duration in job:
            start = model.new_int_var(0, horizon - duration, "")
            model.add(start >= ready)
            ready = start + duration
            by_machine.setdefault(machine, []).append(
                model.new_fixed_size_interval_var(start, duration, "")
            )
    for work in by_machine.values():
        model.add_no_overlap(work)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = 240  # ft10 takes ten or more
    solver.parameters.num_workers = 4
    assert solver.solve(model) == cp_model.INFEASIBLE


def play_at_random(jobs: Any, seed: str | None, source: random.Random) -> Any:
    outages = () if seed is None else BREAKDOWNS.outages(jobs, seed)
    shop = SHOP.Shop(jobs=jobs, outages=outages)
    while not shop.done:
        # To wait now and then, too.
        shop.act(source.choice([a for a, allowed in enumerate(shop.mask()) if allowed]))
    return shop


@pytest.mark.parametrize("name", ["ft06", "la01"])
@pytest.mark.parametrize("seed", [None, "1", "2", "3", "4", "5"])
def test_what_is_done_is_a_schedule(name: str, seed: str | None) -> None:
    jobs = INSTANCES[name]["jobs"]
    shop = play_at_random(jobs, seed, random.Random(seed))  # noqa: S311
    assert shop.time == max(end for *_, end in shop.segments) >= OPTIMA[name]
    busy: dict[int, list[tuple[int, int]]] = {}
    for job, operations in enumerate(jobs):
        own = sorted((start, end, machine) for j, machine, start, end in shop.segments if j == job)
        assert all(before[1] <= after[0] for before, after in itertools.pairwise(own))
        order = [machine for machine, _ in itertools.groupby(own, key=lambda part: part[2])]
        assert order == [machine for machine, _ in operations]
        for machine, duration in operations:
            assert sum(end - start for start, end, at in own if at == machine) == duration
        for start, end, machine in own:
            busy.setdefault(machine, []).append((start, end))
    for machine, start, end in shop.downs:
        busy[machine].append((start, end))
    for places in busy.values():
        assert all(a[1] <= b[0] for a, b in itertools.pairwise(sorted(places)))
    assert bool(shop.downs) == (seed is not None)
    assert bool([s for s in shop.segments if s[2] == s[3]]) is False


def test_an_operation_goes_on_after_the_repair() -> None:
    shop = SHOP.Shop(jobs=[[(0, 10)], [(0, 1)]], outages=[iter([(4, 7), (20, 21)])])
    assert shop.act(0) == 13
    assert shop.time == 13
    assert shop.segments == [(0, 0, 0, 4), (0, 0, 7, 13)]
    assert shop.act(1) == 1
    assert shop.done
    assert shop.downs == [(0, 4, 7)]


def test_who_waits_is_told_of_a_breakdown_and_not_before() -> None:
    shop = SHOP.Shop(jobs=[[(0, 10)], [(1, 9)]], outages=[iter([(4, 7)]), iter(())])
    assert shop.act(0) == 0
    assert shop.observe()["repair"] == [0, 0]
    assert shop.act(shop.wait) == 4
    assert shop.observe()["repair"] == [3, 0]
    assert shop.observe()["left"] == [6, 0]
    assert shop.observe()["machine_job"] == [0, -1]


@pytest.mark.parametrize("action", [-1, 3, 4, 99])
def test_what_the_mask_forbids_changes_nothing(action: int) -> None:
    shop = SHOP.Shop(jobs=[[(0, 10)], [(1, 9)], [(0, 3)]])
    shop.act(0)
    shop.act(1)  # job 2 still waits for machine 0, and only then may there be a decision
    assert (shop.time, shop.mask()) == (10, [False, False, True, False])
    before = shop.observe()
    with pytest.raises(SHOP.InvalidActionError):
        shop.act(action)
    assert shop.observe() == before


def test_breakdowns_follow_from_the_seed_alone() -> None:
    jobs = INSTANCES["ft06"]["jobs"]
    first = [list(itertools.islice(one, 3)) for one in BREAKDOWNS.outages(jobs, "a")]
    again = [list(itertools.islice(one, 3)) for one in BREAKDOWNS.outages(jobs, "a")]
    other = [list(itertools.islice(one, 3)) for one in BREAKDOWNS.outages(jobs, "b")]
    assert first == again != other
    # As drawn when the board was made: on another Python, too.
    assert first[0] == FROZEN


FROZEN = [(24, 35), (83, 97), (157, 169)]


# Data


def test_practice_and_ranking_come_out_again(tmp_path: Path) -> None:
    make = runpy.run_path(str(BUNDLE / "make_data/__main__.py"))
    make["main"](["ranking", str(tmp_path)])
    benchmark = load_snapshot(ROOT, only="autorl-jobshop").benchmarks["autorl-jobshop"]
    practice, ranking = benchmark.phases
    assert not any(task.private for task in practice.tasks)
    private = [item for task in ranking.tasks for item in task.private]
    assert len(private) == len(OPTIMA)
    for item in private:
        assert content_digest(tmp_path / str(item.path)) == item.sha256
    for folder in (BUNDLE / "starting_kit/practice").iterdir():
        task = json.loads((folder / "task.json").read_text())
        assert task["seeds"] == make["seeds"](folder.name, "practice")
        assert task["jobs"] == INSTANCES[folder.name]["jobs"]
        assert task["sealed"] is False


def test_no_sealed_seed_is_in_the_repository(tmp_path: Path) -> None:
    make = runpy.run_path(str(BUNDLE / "make_data/__main__.py"))
    sealed = {s for name in OPTIMA for s in make["seeds"](name, make["DEMONSTRATION_SECRET"]) if s}
    assert len(sealed) == 21
    files = [path for folder in (BUNDLE, SUBMISSIONS) for path in folder.rglob("*.*")]
    texts = [
        gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text()
        for path in files if path.suffix not in {".png", ".pyc"}
    ]  # fmt: skip
    assert not [seed for text in texts for seed in sealed if seed in text]


# Gymnasium


@pytest.mark.parametrize("name", ["ft06", "la03"])
@pytest.mark.filterwarnings("ignore:.*:UserWarning")  # it advises on bounds, which are right
def test_the_environment_is_one_of_gymnasium(name: str) -> None:
    with modules(BUNDLE / "starting_kit", "practice") as (practice,):
        env = practice.make_env(name)
    check_env(env, skip_render_check=True)


def test_the_same_seed_is_the_same_episode_and_rewards_are_the_makespan() -> None:
    with modules(BUNDLE / "starting_kit", "practice") as (practice,):
        env = practice.make_env("ft06")
    ends = []
    for seed in (1, 1, 2):
        observation, info = env.reset(seed=seed)
        assert info["breakdowns"]
        total, over = 0.0, False
        while not over:
            assert observation in env.observation_space
            action = int(observation["action_mask"].argmax())
            observation, reward, over, truncated, _ = env.step(action)
            total += reward
            assert not truncated
        assert total == -observation["time"][0]
        ends.append(total)
    assert ends[0] == ends[1] != ends[2]


def test_what_is_not_allowed_costs_the_worst_makespan_at_home() -> None:
    with modules(BUNDLE / "starting_kit", "practice") as (practice,):
        env = practice.make_env("ft06")
    env.reset(seed=1)
    _, reward, over, _, _ = env.step(6)  # nothing works yet, so there is nothing to wait for
    assert (reward, over) == (-197.0, True)


@pytest.mark.parametrize("sample", ["sample_submission", "gymnasium_submission"])
def test_the_starting_kit_plays_at_home(sample: str) -> None:
    done = subprocess.run(
        [sys.executable, "-B", "starting_kit/practice.py", f"starting_kit/{sample}", "ft06"],
        cwd=BUNDLE, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    gap = {"sample_submission": "60.00", "gymnasium_submission": "10.91"}[sample]
    assert f"{gap} % without" in done.stdout


def test_the_learned_weights_are_better_than_those_that_training_began_with() -> None:
    """On shops that neither training nor its check has drawn."""
    folder = SUBMISSIONS / "dave/evolved-priorities"
    found = json.loads((folder / "weights.json").read_text())
    curve = found["makespan over lower bound, each 10 generations"]
    assert min(curve) < curve[0]
    source = random.Random("test")  # noqa: S311
    shops = [
        [
            [(machine, source.randint(5, 99)) for machine in source.sample(range(5), 5)]
            for _ in range(10)
        ]
        for _ in range(40)
    ]
    with modules(folder, "agent") as (agent,):
        totals = []
        for weights in (found["weights"], [0.0, 1.0] + [0.0] * 7):
            total = 0
            for number, jobs in enumerate(shops):
                shop = SHOP.Shop(jobs=jobs, outages=BREAKDOWNS.outages(jobs, str(number)))
                player = agent.Agent(weights)
                names = ("machines", "durations")
                info = {
                    name: [[operation[at] for operation in job] for job in jobs]
                    for at, name in enumerate(names)
                }
                player.reset(shop.observe(), info)
                while not shop.done:
                    shop.act(player.act(shop.observe()))
                total += shop.time
            totals.append(total)
    assert totals[0] < totals[1]
