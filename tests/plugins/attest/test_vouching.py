"""Pages of boards say who vouches for their numbers, and when somebody checked them last."""

import datetime as dt
import json
import shutil
from pathlib import Path

from evaluator.core.clock import utc_now
from evaluator.site.build import build
from evaluator.site.build.data_files import site_makers
from evaluator.site.content.content import Vouched
from tests.plugins.attest.conftest import LEDGER, ONE, TWO, Deployment
from tests.repository import Repository
from tests.site.conftest import site_of

ROOT = Path(__file__).parents[3]
BOB = "adding/bob/wrong/main/one"


def vouched(repo: Repository, name: str = "adding", days: int = 0) -> Vouched:
    contents, _ = site_of(repo.path, utc_now() + dt.timedelta(days=days))
    (content,) = (one for one in contents if one.benchmark.name == name)
    return content.vouched["main"]


def test_counts_and_the_last_check(signed: Deployment) -> None:
    said = vouched(signed.repo)
    assert said.note == "4 numbers: all attested. Nobody has checked this board again."
    assert said.chips == ("4 of 4 attested",)
    assert said.marks == dict.fromkeys(
        ["adding/alice/right", "adding/bob/wrong"], ("attested", "CI signed 2 numbers.")
    )
    signed.attest(signed.secret, **{ONE: "identical", TWO: "timed", BOB: "differs"})
    today = f"{utc_now():%Y-%m-%d}"
    said = vouched(signed.repo)
    assert said.note == (
        f"4 numbers: 2 re-derived, 2 attested. Somebody checked a part of them again on {today}."
    )
    assert said.marks["adding/alice/right"] == (
        "re-derived", "Somebody evaluated 2 numbers again, and signed that it agrees.",
    )  # fmt: skip
    assert said.marks["adding/bob/wrong"][0] == "attested"
    assert said.chips == ("4 of 4 attested", f"checked {today}")
    assert vouched(signed.repo, days=40).note.endswith(
        f"Nobody has checked this board for a month, since {today}."
    )
    assert vouched(signed.repo, "echo").note == (
        "1 number: all attested. Nobody has checked this board again."
    )


def test_what_was_changed_by_hand_is_marked_on_the_page(signed: Deployment) -> None:
    shutil.copytree(ROOT / "site", signed.repo.path / "site")
    shutil.copy(ROOT / "mkdocs.yml", signed.repo.path / "mkdocs.yml")
    signed.forge('"task":"one","scores":{"distance":0.5', '"task":"one","scores":{"distance":0.9')
    note = "4 numbers: 3 attested, 1 altered. Nobody has checked this board again."
    altered = ["altered", "CI signed something else than 1 of 2 numbers."]
    built = build.build_site(signed.repo.path).folder / "benchmarks/adding"
    board = (built / "index.html").read_text()
    assert f'<p class="note" id="vouched">{note}</p>' in board
    assert '<a class="chip more" href="#vouched">3 of 4 attested</a>' in board
    assert f'<span class="reported" title="{altered[1]}">altered</span>' in board
    marks = json.loads((built / "view.json").read_text())["marks"]
    assert altered in [mark for of_row in marks.values() for mark in of_row]
    rows = json.loads((built.parents[1] / "api/v1/adding/main.json").read_text())["rows"]
    assert {row["submission"]: row["proof"] for row in rows} == {
        "right": "altered", "wrong": "attested",
    }  # fmt: skip


def test_without_the_ledger_or_a_key_no_row_is_marked(
    signed: Deployment, small: Repository
) -> None:
    signed.repo.git("branch", "-D", LEDGER)
    assert vouched(signed.repo) == Vouched()
    signed.repo.write("pyproject.toml", "[tool.pullbench]\n")
    signed.repo.commit("No keys")
    gone = signed.repo.git("rev-parse", "--short=12", "HEAD")
    said = f"Nobody signs these numbers since {gone}, which took the keys away."
    assert vouched(small).note.strip() == said


def test_a_board_says_who_took_the_keys_away(signed: Deployment) -> None:
    signed.repo.write("pyproject.toml", "[tool.pullbench]\n")
    gone = signed.repo.commit("No keys")
    assert vouched(signed.repo).note == (
        f"Nobody signs these numbers since {gone[:12]}, which took the keys away. "
        "4 numbers: all attested. Nobody has checked this board again."
    )


def test_a_repository_that_never_listed_a_key_says_so(small: Repository) -> None:
    assert vouched(small) == Vouched("Not signed.")


def test_the_site_has_the_last_statement(signed: Deployment) -> None:
    contents, site = site_of(signed.repo.path)
    (maker,) = (make for path, make in site_makers(contents, site) if path == "api/v1/ledger.json")
    ((_, content),) = maker()
    assert isinstance(content, bytes)
    said = json.loads(content)
    assert said["commit"] == signed.repo.git("rev-parse", "HEAD")
    assert signed.repo.pullbench("verify", "--tip", said["tip"]).returncode == 0
