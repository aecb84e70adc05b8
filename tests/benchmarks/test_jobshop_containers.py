"""autorl-jobshop with real containers: whatever an agent does, it loses its own episode alone."""

import json
import re
import runpy
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from evaluator.core.clock import utc_now
from evaluator.core.formats.record import Record
from evaluator.core.leaderboard.snapshot_boards import leaderboard
from evaluator.core.planning.plan import make_local_plan
from evaluator.core.planning.snapshot import load_snapshot
from evaluator.site.build import build
from tests.benchmarks.jobshop import BUNDLE, INSTANCES, ROOT, SUBMISSIONS, play
from tests.benchmarks.jobshop_agents import REASONS, agent
from tests.records import committed
from tests.repository import Repository

CELL = "autorl-jobshop/eve/{}/practice/practice-ft06"
SHEET = "kind: code\nphase: practice\nfact_sheet: {method_family: other, waits: false}\n"
RANKED = SHEET.replace("practice", "ranking")
WORST = 100 * (197 / 55 - 1)
HONEST = agent("honest", "honest", "honest", "honest")


def shop(repo: Repository, *, seeds: list[str | None], sealed: bool = False) -> None:
    """The benchmark with its practice open, one instance, seeds of ours, and shorter limits."""
    base = "benchmarks/autorl-jobshop"
    shutil.copytree(BUNDLE, repo.path / base, ignore=shutil.ignore_patterns("__pycache__"))
    repo.replace(f"{base}/competition.yaml", '"2026-11-21 15:20"', '"2099-01-01"')
    repo.replace(f"{base}/competition.yaml", "tasks: [0, 1, 2]\n    max", "tasks: [0]\n    max")
    task = {"instance": "ft06", "sealed": sealed, "seeds": seeds, **INSTANCES["ft06"]}
    repo.write(f"{base}/starting_kit/practice/ft06/task.json", json.dumps(task))
    limits = f"{base}/scoring_program/task.py"
    repo.replace(limits, "start: float = 10.0", "start: float = 4.0")
    repo.replace(limits, "decision: float = 2.0", "decision: float = 1.0")
    repo.replace(limits, "episode: float = 20.0", "episode: float = 5.0")


def enter(repo: Repository, name: str, source: str) -> None:
    repo.write(f"submissions/autorl-jobshop/eve/{name}/agent.py", source)
    repo.write(f"submissions/autorl-jobshop/eve/{name}/submission.yaml", SHEET)
    repo.commit()


def page_of(repo: Repository, name: str) -> str:
    (found,) = (repo.path / f"submissions/autorl-jobshop/eve/{name}/scores").rglob("*.html")
    return found.read_text()


def logs(record: Record) -> dict[str, str]:
    return {step.step: step.log for step in record.steps}


@pytest.mark.slow
@pytest.mark.docker
def test_each_fault_costs_its_own_episode(repo: Repository) -> None:
    # Every second shop has breakdowns.
    shop(repo, seeds=[f"{n}" if n % 2 else None for n in range(len(REASONS))])
    enter(repo, "faulty", agent(*REASONS))
    record = repo.run(CELL.format("faulty"))[CELL.format("faulty")]
    assert record.error is None, record.error
    said = re.findall(r"ft06, episode \d+ \([a-z ]+\): (.*)", logs(record)["scoring"])
    assert len(said) == len(REASONS)
    for text, (fault, reason) in zip(said, REASONS.items(), strict=True):
        if fault == "takes_memory":
            assert text in (REASONS["leaves"], REASONS["stalls"])
        else:
            assert text.endswith(reason) if reason else text.startswith("makespan "), (fault, text)
    failed = sum(bool(reason) for reason in REASONS.values())
    assert record.scores["failed_episodes"] == failed == len(REASONS) - 4
    # What they lost is what is stated, and the others count.
    assert WORST * 0.7 < record.scores["static_gap"] < WORST
    page = page_of(repo, "faulty")
    for reason in REASONS.values():
        assert reason.replace("'", "&#x27;") in page
    assert "failed, counts as 197" in page
    # In the practice its own words are in its log, and what it saw is no more than it should.
    assert "No such file or directory: '/app/program/environment.py'" in logs(record)["ingestion"]
    (seen,) = re.findall(r"sees (.*)", logs(record)["ingestion"])
    sees = dict(json.loads(seen))
    assert sees["/app"] == ["ingested_program", "output", "program", "shared"]
    assert sees["/app/shared"] == sees["/tmp"] == []
    assert sees["/proc/1/fd"] == "PermissionError"
    assert sees["/sys/class/net"] == ["lo"]
    # The limits were held: 1 + 5 + 4 s for those that go on, and no time for the others.
    assert record.steps[0].wall_seconds < 30


@pytest.mark.docker
def test_sealed_seeds_are_told_by_nothing(repo: Repository) -> None:
    shop(repo, seeds=[None, "1", "2", "3"], sealed=True)
    enter(repo, "talks", agent("looks_around", "raises", "not_allowed", "raises_its_own"))
    record = repo.run(CELL.format("talks"))[CELL.format("talks")]
    assert record.error is None, record.error
    log, page = "".join(logs(record).values()), page_of(repo, "talks")
    assert "sees" not in log
    assert "what I saw" not in log
    assert "decision 3: raised ValueError in act" in log
    assert "decision 3: raised ValueError in act" in page
    assert "chose an action, which the mask does not allow" in page
    assert 'class="down"' not in page
    assert page.count("<svg") == 2
    assert "<td>sealed</td>" in page


@pytest.mark.docker
@pytest.mark.parametrize("sample", ["sample_submission", "gymnasium_submission"])
def test_the_samples(repo: Repository, sample: str) -> None:
    shop(repo, seeds=[None, "1"])
    enter(repo, "sample", (BUNDLE / "starting_kit" / sample / "agent.py").read_text())
    record = repo.run(CELL.format("sample"))[CELL.format("sample")]
    assert record.error is None, record.error
    assert record.scores["failed_episodes"] == 0
    gap = {"sample_submission": 60.0, "gymnasium_submission": 100 * (61 / 55 - 1)}[sample]
    assert record.scores["static_gap"] == pytest.approx(gap)
    assert record.scores["decisions"] >= 36
    assert 0 < record.extra["mean_decision_milliseconds"] < 1000


# On this machine, without containers


def test_the_same_agent_has_the_same_scores(tmp_path: Path) -> None:
    one, two = (play(tmp_path / name, HONEST, [None, "1", "2"]) for name in ("one", "two"))
    assert one.code == two.code == 0
    time = "mean_decision_milliseconds"
    assert {**one.scores, time: 0} == {**two.scores, time: 0}
    assert one.page == two.page


def test_episodes_are_lost_when_the_agents_side_is_gone(tmp_path: Path) -> None:
    """Here an agent can kill it; in a container it cannot. What was played counts."""
    source = HONEST.replace(
        "'honest', 'honest', 'honest'", "'kills_its_parent', 'honest', 'honest'"
    )
    source += "\ndef kills_its_parent(agent): os.kill(os.getppid(), 9); time.sleep(1)\n"
    source = source.replace("['kills_its_parent'", "['honest', 'kills_its_parent'", 1)
    done = play(tmp_path, source, [None, "1", "2"])
    assert done.code == 0, done.log
    assert done.scores["failed_episodes"] == 2
    assert done.scores["gap"] == pytest.approx(WORST)
    assert done.scores["static_gap"] < WORST
    assert done.log.count("the agent's side has ended") == 2


def test_without_an_agents_side_the_organiser_must_act(tmp_path: Path) -> None:
    done = play(tmp_path, HONEST, [None, "1"], wait=False)
    assert done.code == 1
    assert "the agent's side never came" in done.log
    assert done.scores == {}


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("x = 1\n", "there is no agent.py with a class Agent or a function play"),
        ("import nothing_of_that_name\n", "raised ModuleNotFoundError in import"),
        ("def play(env): env.reset()\n", "ended before the episode did"),
        ("class Agent:\n    pass\n", "raised AttributeError in reset"),
        ("def play(env):\n    env.reset()\n    env.reset()\n", "raised RuntimeError in play"),
    ],
)
def test_agents_that_cannot_play(tmp_path: Path, source: str, reason: str) -> None:
    done = play(tmp_path, source, [None, "1"])
    assert done.code == 0
    assert done.scores["failed_episodes"] == 2
    assert done.scores["gap"] == done.scores["static_gap"] == pytest.approx(WORST)
    assert done.log.count(f"decision 1: {reason}") == 2


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_time_lines_can_be_read(tmp_path: Path, browser: Browser, scheme: str) -> None:
    made = play(tmp_path, agent("honest", "honest", "raises"), [None, "1", "2"]).page
    assert "<script" not in made
    (tmp_path / "page.html").write_text(made)
    context = browser.new_context(
        viewport={"width": 320, "height": 700},
        color_scheme="dark" if scheme == "dark" else "light",
        java_script_enabled=True,
    )
    page = context.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    names = [drawing.get_attribute("aria-labelledby") for drawing in page.get_by_role("img").all()]
    assert names == ["episode-0", "episode-1", "episode-2", "optimum"]
    for name in names:
        title = page.locator(f"#{name}").text_content()
        assert title
        assert page.get_by_role("img", name=title).count() == 1
        # It can be scrolled from the keyboard.
        assert page.get_by_role("region", name=title).get_attribute("tabindex") == "0"
    assert page.locator("svg .names text").first.text_content() in set("012345")
    details = page.locator("details").last
    details.locator("summary").click()
    assert "job 0 " in details.inner_text()
    contrasts = page.evaluate(CONTRASTS)
    assert min(contrasts) >= 4.5
    assert len(contrasts) > 100
    context.close()


CONTRASTS = """() => {
  const numbers = colour => colour.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const light = colour => {
    const [r, g, b] = numbers(colour).map(v => v / 255)
      .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const ground = light(getComputedStyle(document.body).backgroundColor);
  const bars = [...document.querySelectorAll('.job')].map(e => light(getComputedStyle(e).fill));
  const found = [];
  for (const text of document.querySelectorAll('svg text')) {
    const own = light(getComputedStyle(text).fill);
    const behind = text.closest('.names') ? bars : [ground];
    found.push(Math.min(...behind.map(b => ratio(own, b))));
  }
  return found;
}"""


# Sealed seeds


@pytest.mark.docker
def test_a_submission_of_the_practice_is_ranked_with_what_the_runner_holds(
    repo: Repository,
) -> None:
    """And by anybody who makes the data, with the scores that are committed."""
    base = "benchmarks/autorl-jobshop"
    shutil.copytree(BUNDLE, repo.path / base, ignore=shutil.ignore_patterns("__pycache__"))
    entry = repo.path / "submissions/autorl-jobshop/bob/shortest-first"
    entry.mkdir(parents=True)
    for name in ("agent.py", "submission.yaml"):
        shutil.copy(SUBMISSIONS / "bob/shortest-first" / name, entry)
    repo.write("pyproject.toml", '[tool.pullbench]\ndata = "build/data"\n')
    repo.commit()
    cell = "autorl-jobshop/bob/shortest-first/ranking/ft06"
    runpy.run_path(str(BUNDLE / "make_data/__main__.py"))["main"](
        ["ranking", str(repo.path / "build/data")]
    )
    record = repo.run(cell)[cell]
    assert record.error is None, record.error
    before = committed("autorl-jobshop")["bob/shortest-first/ranking/ft06"]
    assert record.scores == before.scores


def test_without_the_data_it_is_the_platforms_fault(repo: Repository) -> None:
    base = "benchmarks/autorl-jobshop"
    shutil.copytree(BUNDLE, repo.path / base, ignore=shutil.ignore_patterns("__pycache__"))
    repo.write("submissions/autorl-jobshop/eve/entry/agent.py", HONEST)
    repo.write("submissions/autorl-jobshop/eve/entry/submission.yaml", RANKED)
    repo.write("pyproject.toml", '[tool.pullbench]\nretries = 0\ndata = "build/data"\n')
    repo.commit()
    cell = "autorl-jobshop/eve/entry/ranking/la05"
    error = repo.run(cell, engine="subprocess")[cell].error
    assert error is not None
    assert error.actor == "platform"
    assert "autorl-jobshop/ranking/la05" in error.message


# Records


def test_the_boards_of_the_repository() -> None:
    taken = load_snapshot(ROOT, only="autorl-jobshop")
    assert not make_local_plan(taken, utc_now()).missing
    for phase, tasks in (("practice", 3), ("ranking", 7)):
        board = leaderboard(taken, "autorl-jobshop", phase=phase, task=None, now=utc_now())
        assert [row.state for row in board.rows] == ["finished"] * 5
        assert len(board.tasks) == tasks
        assert board.rows[-1].submission.id == "autorl-jobshop/alice/random"
        assert {row.overall["failed_episodes"] for row in board.rows} == {0}
    # What was trained is better than the rule that it began with.
    names = [row.submission.name for row in board.rows]
    assert names.index("evolved-priorities") < names.index("most-work-remaining")


def test_no_page_of_the_ranking_tells_a_breakdown() -> None:
    pages = sorted(SUBMISSIONS.glob("*/*/scores/ranking/*.html"))
    assert len(pages) == 5 * 7
    for path in pages:
        text = path.read_text()
        assert 'class="down"' not in text
        assert text.count("<svg") == 2
        assert text.count("<td>sealed</td>") == 3
    practice = sorted(SUBMISSIONS.glob("*/*/scores/practice/*.html"))
    assert len(practice) == 5 * 3
    assert all('class="down"' in path.read_text() for path in practice)


@pytest.mark.slow
def test_the_page_of_a_submission_has_the_time_lines_of_both_phases(repo: Repository) -> None:
    """It was carried from the practice into the ranking; the board of each leads to its own."""
    for path in ("site", "mkdocs.yml", "benchmarks/autorl-jobshop", "submissions/autorl-jobshop"):
        source, target = ROOT / path, repo.path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
    repo.commit()
    base = build.build_site(repo.path).folder / "benchmarks/autorl-jobshop"
    page = (base / "submissions/erin/rollouts/index.html").read_text()
    assert "phase Ranking" in page
    for phase, link in (("ranking", "ft06"), ("practice", "practice-ft06")):
        board = (base / f"phases/{phase}/index.html").read_text()
        assert f"submissions/erin/rollouts/#detailed-results-{link}" in board
        assert page.count(f'id="detailed-results-{link}"') == 1
    assert page.count('<iframe class="detailed" sandbox') == 7 + 3
    files = [file.read_text() for file in (base / "submissions/erin/rollouts/details").glob("*/*")]
    assert len(files) == 7 + 3
    shown = "".join(files)
    assert "A best schedule without breakdowns: makespan 55" in shown
    assert "Episode 0, without breakdowns: makespan 59" in shown
    assert "the best with breakdowns" in shown
