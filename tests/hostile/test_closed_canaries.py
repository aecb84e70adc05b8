"""A thousand hidden labels are searched for in all that is left of a challenge that ran."""

import datetime as dt
import subprocess
from pathlib import Path

import pytest

from evaluator.ci.scores.collecting import collect
from evaluator.core.clock import utc_now
from evaluator.core.formats.pinned_files import DATA_IDENTITY, UNLOCKED
from tests.challenge import BUNDLE, NAME, Challenge, begin
from tests.repository import BRANCH, Repository

LABELS, PLAIN = 1000, "plain"
CANARIES = [f"canary-{n}-{n * 7919 % 9973:04}" for n in range(LABELS)]
ROWS = [{"id": f"row-{n}", "label": label} for n, label in enumerate([*CANARIES, *[PLAIN] * 40])]
GUESS = "id,label\n" + "".join(f"{row['id']},{PLAIN}\n" for row in ROWS)


def objects(repo: Path) -> bytes:
    """All that git holds, reachable or not."""
    return subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch"],
        cwd=repo, capture_output=True, check=True,
    ).stdout  # fmt: skip


def files(folder: Path) -> bytes:
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return b"\n".join(str(path).encode() + path.read_bytes() for path in paths)


def end_the_season(challenge: Challenge, output: Path) -> None:
    """Let the last phase begin, and `publish` score what it takes over."""
    ours = challenge.forge.ours
    text = (ours.path / BUNDLE).read_text()
    end = text.partition("    end: ")[2].partition("\n")[0].strip('"')
    now = utc_now()
    ours.replace(BUNDLE, f'"{end}T00:01:00"', f'"{(now + dt.timedelta(days=1)).isoformat()}"')
    ours.write(BUNDLE, (ours.path / BUNDLE).read_text().replace(f'"{end}"', f'"{now.isoformat()}"'))
    ours.commit("The end")
    ours.git("push", "-q", "origin", f"HEAD:refs/heads/{BRANCH}")
    job = {"PULLBENCH_CELLS": f"{NAME}/ada", UNLOCKED: str(output.with_suffix(".open"))}
    key = {DATA_IDENTITY: challenge.key("final")}
    challenge.call("unlock", "--base", "HEAD", **job, **key)
    challenge.call("run", "--at", "HEAD", "--output", str(output), **job)
    challenge.call("collect", "--from", str(output))
    ours.git("pull", "-q", "origin", BRANCH)


@pytest.mark.docker
@pytest.mark.slow
def test_a_thousand_labels_are_nowhere_after_a_challenge_ran(
    repo: Repository, tmp_path: Path
) -> None:
    challenge = begin(repo, ROWS, "--metric", "accuracy")
    forge = challenge.forge
    forge.ours.git("rm", "-rq", f"submissions/{NAME}")
    forge.ours.commit("No example")
    forge.ours.git("push", "-q", "origin", f"HEAD:refs/heads/{BRANCH}")
    for number, (who, content) in enumerate(
        {"ada": GUESS, "mallory": GUESS.replace("row-", "other-")}.items(), start=1
    ):
        step, record = challenge.score(number, who, {"predictions.csv": content})
        assert record is not None
        assert bool(record.error) == (who == "mallory")
        if who == "ada":
            assert 0 < record.scores["accuracy"] < 0.1  # so it was compared with the labels
            assert step.pull is not None
            forge.merge(step.pull.ref, utc_now())
            collect(forge.ours.path, utc_now(), branch=BRANCH, remote="origin")
            forge.ours.git("pull", "-q", "origin", BRANCH)
    output = tmp_path / "handed-over"
    end_the_season(challenge, output)
    final = forge.ours.path / f"submissions/{NAME}/ada/entry-1/scores/final.json"
    assert "accuracy" in final.read_text()
    for line in ("plan", "leaderboard", "results", "log", "verify"):
        challenge.call(line, *([] if line in ("plan", "verify") else [NAME]))
    challenge.call("site")
    left = {
        "origin": objects(forge.origin), "clone": objects(forge.ours.path),
        "files of the clone": files(forge.ours.path), "handed over": files(output),
        "of pull requests": files(forge.folder), "said": "\n".join(challenge.said).encode(),
    }  # fmt: skip
    found = [
        (where, one) for where, text in left.items() for one in CANARIES if one.encode() in text
    ]
    assert found == []
    assert PLAIN.encode() in left["origin"]
    private = files(challenge.private)
    assert all(one.encode() in private for one in CANARIES)
