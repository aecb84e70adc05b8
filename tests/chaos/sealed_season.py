"""Opens 500 sealed entries at their date, killed at counted calls, and again.

``python -m tests.chaos.sealed_season KILLS`` prints how many kills there were, and how many entries
were lost, opened before the date, or opened in part. The board has to stay as it was.
"""

import argparse
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

from evaluator.core.formats.pinned_files import DATA_IDENTITY
from evaluator.core.formats.submission import parse_submission
from evaluator.core.leaderboard import tables
from evaluator.core.leaderboard.snapshot_boards import leaderboard_at
from evaluator.importing.private_parts import make_keys
from evaluator.plugins.sealed.sealing import seal_entry
from tests.chaos.counted import Count, count_calls, recover
from tests.chaos.kills import Scene, call, git, kept, put_back, records_into, small
from tests.ci.steps.conftest import make_forge
from tests.commands import load
from tests.repository import BRANCH, Repository

ENTRIES = 500
BUNDLE = "benchmarks/echo/competition.yaml"
PAST, FUTURE = "2020-01-02T00:00:00Z", "2999-01-01T00:00:00Z"
OPENED = "/scores/opened/predictions/predictions.csv"


def season(world: Path) -> None:
    """Sealed entries that were scored before a date, and the origin of their repository."""
    public, os.environ[DATA_IDENTITY] = make_keys()
    repo = make_forge(world, small(world)).ours
    repo.replace(BUNDLE, "time_limit: 3}", "time_limit: 3, hide_output: true}")
    text = (repo.path / BUNDLE).read_text()
    repo.write(BUNDLE, f"{text}  phases: {{0: {{seal: {{until: '{PAST}', to: {public}}}}}}}\n")
    snapshot = repo.snapshot()
    for number in range(ENTRIES):
        who = f"p{number:03}"
        files = {"submission.yaml": b"kind: results\n",
                 "predictions.csv": f"id,value\n1,0\n2,{number}\n".encode()}  # fmt: skip
        entry, problems = parse_submission(
            ("echo", who, "one"), files["submission.yaml"], [*files], snapshot.benchmarks["echo"]
        )
        assert entry is not None, problems
        for name, content in seal_entry(snapshot, entry, files).items():
            repo.write(f"submissions/echo/{who}/one/{name}", content)
    repo.commit("Sealed entries")
    records_into(repo, repo.path)
    repo.commit("Scores")
    repo.git("push", "--quiet", "origin", BRANCH)


def opened(world: Path) -> dict[str, int]:
    """What entries in the clear on the origin predict, by participant."""
    lines = git(world / "origin.git", "grep", "--all-match", "^2,", BRANCH, "--", "submissions")
    found = (line.split(":") for line in lines.splitlines() if OPENED in line)
    return {path.split("/")[2]: int(text.partition(",")[2]) for _, path, text in found}


def board(world: Path) -> str:
    clone = world / "ours"
    return tables.to_text(leaderboard_at(clone, "echo", phase="main", task=None, at="HEAD"))


def main() -> None:
    """Kill, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kills", type=int)
    kills = parser.parse_args().kills
    count_calls(__spec__.name)
    load()
    scene, found, count = Scene(("unseal",), season), Counter[str](), Count()
    whole = {f"p{number:03}": number for number in range(ENTRIES)}
    with kept(scene, Path(tempfile.mkdtemp(prefix="sealed-"))) as (world, first):
        repo, tree = Repository.__new__(Repository), f"{BRANCH}^{{tree}}"
        repo.path = world / "ours"
        before, shown = git(world / "origin.git", "rev-parse", tree), board(world)
        repo.replace(BUNDLE, PAST, FUTURE)
        repo.commit("It is put off")
        repo.git("push", "--quiet", "origin", BRANCH)
        call(world, scene.arguments)
        found["early"] += bool(git(world / "origin.git", "ls-tree", "-r", BRANCH).count(OPENED))
        put_back(world, first)
        count.arm(2**40)
        call(world, scene.arguments)
        total = count.calls()
        count.arm(0)
        expected = git(world / "origin.git", "rev-parse", tree)
        found["lost"] += len(whole.items() - opened(world).items())
        repo.git("pull", "--quiet", "origin", BRANCH)
        found["moved"] += board(world) != shown
        for number in range(kills):
            put_back(world, first)
            count.arm(1 + (2 * number + 1) * total // (2 * kills))
            try:
                call(world, scene.arguments)
            except AssertionError:  # -9
                found["kills"] += 1
            count.arm(0)
            now = git(world / "origin.git", "rev-parse", tree)
            found["in part"] += now not in (before, expected)
            said = recover(world, scene)
            if git(world / "origin.git", "rev-parse", tree) != expected:
                found["lost"] += len(whole.items() - opened(world).items()) or 1
                print(said, flush=True)
    faults = ("lost", "early", "in part", "moved")
    print(f"{ENTRIES} entries, {total} changing calls, {found['kills']} kills: ", end="")
    print(", ".join(f"{found[key]} {key}" for key in faults))
    sys.exit(any(found[key] for key in faults) or found["kills"] < kills)


if __name__ == "__main__":
    main()
