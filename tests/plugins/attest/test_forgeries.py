"""Whoever may push to main and to the ledger, without a key of today, forges a board.

Each forgery changes a copy of one repository: all cells are signed, cell ONE was evaluated again,
and of ``rotated`` the key is another one now. ``verify`` names it and ends with 1.
"""

import base64
import datetime as dt
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from evaluator.ci.scores.ledger_records import sign_records
from evaluator.core.clock import utc_now
from evaluator.core.formats.scores_file import decode
from evaluator.core.git.tree import open_repository
from evaluator.plugins.attest.keys import KeySigner
from evaluator.plugins.attest.signing import KEY_VARIABLE
from evaluator.plugins.attest.statements import (
    ACCEPTED,
    RE_DERIVED,
    Predicate,
    Statement,
    digest_of,
    encode_statement,
    lines_of,
    read_claim,
    subject,
)
from tests.plugins.attest.conftest import FORGE, LEDGER, ONE, SCORES, TWO, Deployment, make_key
from tests.repository import Repository

STATE = "submissions/ledger.json"
LOGS = SCORES.replace("main.json", "main.logs.json")
TRUTH = "benchmarks/adding/reference_data/one/sum.txt"
SETTINGS = "pyproject.toml"
KEYS = {"today": make_key(), "former": make_key(), "auditor": make_key(), "mine": make_key()}
Forge = Callable[["Story"], None]
FORGERIES: dict[str, tuple[Forge, str, str, str]] = {}
"""Name -> what forges, in which story, what ``verify`` says, and the state of cell ONE."""


@dataclass
class Story(Deployment):
    """A repository, and what was where in it."""

    listed: str = ""
    """Commit that listed the first key."""
    first: str = ""
    """Commit that brought the first scores, and the next: those of ONE, evaluated again."""
    second: str = ""
    ledger: tuple[str, ...] = ()
    """Its tip after each statement."""
    tip: str = ""
    """Digest that a reader of ``verify`` has."""
    one: str = ONE
    """The cell that is forged."""

    def copy(self, folder: Path) -> "Story":
        shutil.copytree(self.repo.path, folder, symlinks=True)
        return Story(
            Repository(folder), self.public, self.secret, self.listed, self.first, self.second,
            self.ledger,
        )  # fmt: skip

    def note_tip(self) -> None:
        self.ledger += (self.repo.git("rev-parse", LEDGER),)

    def content(self, number: int) -> str:
        """Return the file of a statement."""
        return self.repo.git("show", f"{LEDGER}:{self.statements()[number]}")

    def digest(self, number: int = -1) -> str:
        return read_claim(self.content(number).encode()).digest

    def merge(self, tree: str, *parents: str, at: str = "") -> None:
        """Make a merge the tip of main, with any tree and date."""
        git = self.repo.git
        lines = [f"tree {git('rev-parse', f'{tree}^{{tree}}')}"]
        lines += [f"parent {git('rev-parse', parent)}" for parent in parents]
        date = int(dt.datetime.fromisoformat(at).timestamp()) if at else int(utc_now().timestamp())
        lines += [f"{who} E <e@example.org> {date} +0000" for who in ("author", "committer")]
        self.repo.write("build/commit", "\n".join([*lines, "", "Merge", ""]))
        commit = git("hash-object", "-t", "commit", "-w", "build/commit")
        git("reset", "--quiet", "--hard", commit)

    def side(self, key: str) -> str:
        """Return a commit beside main that lists a key."""
        self.repo.git("checkout", "--quiet", "--detach")
        commit = self.settings(KEYS[key][0])
        self.repo.git("checkout", "--quiet", "main")
        return commit

    def improve(self, value: str = "0.0625") -> str:
        """Make ONE as good as nobody ever evaluated it; returns the commit."""
        old = '"task":"one","scores":{"distance":0.125'
        return self.forge(old, old.replace("0.125", value))

    def sign(self, key: str, base: str, kind: str = ACCEPTED, **said: Any) -> tuple[str, str]:
        """Sign the scores as they are; returns content and digest."""
        lines = lines_of(decode((self.repo.path / SCORES).read_bytes()))
        about = [subject(SCORES, digest_of(lines, lines))]
        if kind == RE_DERIVED:
            about = [subject(f"{SCORES}#one", lines["one"])]
            said = {"verdicts": {f"{SCORES}#one": "identical"}, "by": "Eve"} | said
        predicate = Predicate(
            repository=FORGE, base=base, evaluator="0.1.0", **{"at": utc_now()} | said
        )
        payload = encode_statement(
            Statement(subject=about, predicate_type=kind, predicate=predicate)
        )
        content = KeySigner(KEYS[key][1]).sign(payload).decode()
        return content, read_claim(content.encode()).digest

    def put(self, content: str, number: int = 9) -> None:
        """Add a statement to the ledger."""
        name = f"chain/00000/{number:08}-{'0' * 16}" if number else "202601/20260101T000000000000-0"
        self.write_ledger({f"statements/{name}.json": content})

    def rewrite_ledger(self, *kept: int) -> None:
        """Make the ledger one commit with some of its statements, as if there were no others."""
        git, names = self.repo.git, self.statements()
        self.repo.git("checkout", "--quiet", LEDGER)
        for number, name in enumerate(names):
            if number not in kept:
                (self.repo.path / name).unlink()
        git("add", "--all")
        git("commit", "--quiet", "--allow-empty", "-m", "x")
        git("checkout", "--quiet", "main")
        root = git("commit-tree", f"{LEDGER}^{{tree}}", "-m", "Begin")
        git("update-ref", f"refs/heads/{LEDGER}", root)


@pytest.fixture(scope="module")
def stories(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Story]:
    folder = tmp_path_factory.mktemp("stories")
    public, secret = KEYS["today"]
    old = Story(Repository(folder / "old").with_bundle("small"), *KEYS["former"])
    old.listed = old.settings(KEYS["former"][0], auditor=KEYS["auditor"][0])
    old.collect("", logs="It ran.\n")
    old.first = old.repo.git("rev-parse", "HEAD")
    old.note_tip()
    old.repo.write(TRUTH, "7\n")
    old.repo.commit("Another truth")
    old.collect(ONE, score=0.125, logs="It ran again.\n")
    old.second = old.repo.git("rev-parse", "HEAD")
    old.note_tip()
    rotated = old.copy(folder / "rotated")
    rotated.settings(public, auditor=KEYS["auditor"][0])
    rotated.public, rotated.secret = public, secret
    unsigned = rotated.copy(folder / "unsigned")  # by the key of today
    rotated.collect("nothing")
    rotated.note_tip()
    return {"plain": old, "rotated": rotated, "unsigned": unsigned}


def forgery(story: str, says: str, one: str = "") -> Callable[[Forge], Forge]:
    def register(forge: Forge) -> Forge:
        FORGERIES[forge.__name__] = (forge, story, says, one)
        return forge

    return register


LOST_SCORE = "scores.distance was 0.125, is 0.5"
NOT_IN_CHAIN = "the chain of statements does not hold it"
MOVED = "was moved back or rewritten"


# History


@forgery("plain", LOST_SCORE, "altered")
def an_old_score_comes_back_by_a_merge_whose_first_parent_is_the_older(story: Story) -> None:
    story.merge(story.first, story.first, "HEAD")


@forgery("plain", LOST_SCORE, "altered")
def an_old_score_comes_back_by_a_merge_that_changes_it(story: Story) -> None:
    story.merge(story.first, "HEAD", story.first)


@forgery("plain", LOST_SCORE, "altered")
def an_old_score_comes_back_by_a_merge_of_three(story: Story) -> None:
    story.merge(story.first, story.listed, story.first, "HEAD")


@forgery("plain", MOVED)
def an_old_score_and_the_ledger_of_then_come_back(story: Story) -> None:
    story.merge(story.first, story.first, "HEAD")
    story.repo.git("update-ref", f"refs/heads/{LEDGER}", story.ledger[0])


@forgery("plain", "is of another repository or of a history")
def main_is_pushed_by_force_to_the_commit_before_a_score(story: Story) -> None:
    story.repo.git("reset", "--quiet", "--hard", f"{story.second}^")
    story.repo.git("reflog", "expire", "--expire=now", "--all")


@forgery("plain", "no commit has what")
def scores_are_taken_back_before_ci_says_that_they_landed(story: Story) -> None:
    """A collection of nothing makes nothing good."""
    improved = (story.repo.path / SCORES).read_text().replace("0.125", "0.0625").encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(KEY_VARIABLE, story.secret)
        snapshot, repo = story.repo.snapshot("HEAD"), open_repository(story.repo.path)
        cell = next(one for one in snapshot.record_files if str(one) == ONE)
        sign_records(repo, snapshot, [cell], {SCORES: improved}, utc_now(), None)
    story.collect("nothing")


@forgery("plain", "is of another repository or of a history")
def a_commit_after_that_of_another_writer_is_taken_back(story: Story) -> None:
    """The other one said that its own landed while this one's was not there yet."""
    before = story.repo.git("rev-parse", "HEAD")
    story.repo.write(TRUTH, "8\n")
    story.repo.commit("Another truth")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(KEY_VARIABLE, story.secret)
        snapshot, repo = story.repo.snapshot("HEAD"), open_repository(story.repo.path)
        sign_records(repo, snapshot, (), {}, utc_now(), None, base=before)
        tip = story.repo.git("rev-parse", "HEAD")
        sign_records(repo, snapshot, (), {}, utc_now(), None, base=tip)
    story.repo.git("reset", "--quiet", "--hard", before)
    story.repo.git("reflog", "expire", "--expire=now", "--all")


@forgery("plain", "is of another repository or of a history")
def main_is_pushed_back_and_a_tag_has_what_it_was(story: Story) -> None:
    story.repo.git("tag", "v1")
    story.repo.git("reset", "--quiet", "--hard", f"{story.second}^")


@forgery("plain", "is of another repository or of a history")
def main_is_pushed_by_force_and_ci_signs_again(story: Story) -> None:
    story.repo.git("reset", "--quiet", "--hard", f"{story.second}^")
    story.repo.git("reflog", "expire", "--expire=now", "--all")
    story.repo.write("README.md", "Later\n")
    story.repo.commit("Go on")
    story.collect(TWO, score=0.25)


@forgery("plain", "is of another repository or of a history")
def main_begins_again_with_forged_scores(story: Story) -> None:
    story.improve()
    root = story.repo.git("commit-tree", "HEAD^{tree}", "-m", "Begin")
    story.repo.git("reset", "--quiet", "--hard", root)


@forgery("plain", "scores.distance was 0.125, is 0.0625", "altered")
def a_second_beginning_lists_the_key_with_forged_scores(story: Story) -> None:
    story.improve()
    root = story.repo.git("commit-tree", "HEAD^{tree}", "-m", "Begin")
    story.merge("HEAD", root, story.second)


@forgery("plain", MOVED, "forged")
def a_second_beginning_and_a_ledger_without_statements(story: Story) -> None:
    story.improve()
    root = story.repo.git("commit-tree", "HEAD^{tree}", "-m", "Begin")
    story.merge("HEAD", root, story.second)
    story.rewrite_ledger()


# Keys


@forgery("plain", NOT_IN_CHAIN, "altered")
def a_key_that_a_side_commit_lists(story: Story) -> None:
    side = story.side("mine")
    story.merge("HEAD", "HEAD", side)
    story.improve()
    story.put(story.sign("mine", side)[0], 0)


@forgery("plain", NOT_IN_CHAIN, "altered")
def a_key_that_a_side_commit_lists_and_that_follows_the_last(story: Story) -> None:
    side = story.side("mine")
    story.merge("HEAD", "HEAD", side)
    story.improve()
    story.put(story.sign("mine", side, number=9, previous=[story.digest()])[0])


@forgery("plain", NOT_IN_CHAIN, "altered")
def a_key_that_the_first_parent_of_a_merge_lists(story: Story) -> None:
    side = story.side("mine")
    story.merge("HEAD", side, "HEAD")
    story.improve()
    story.put(story.sign("mine", side, number=9, previous=[story.digest()])[0])


@forgery("plain", "does not list as of its base", "altered")
def a_key_that_nobody_listed(story: Story) -> None:
    story.improve()
    story.put(story.sign("mine", story.second, number=9, previous=[story.digest()])[0])


@forgery("plain", "is of another repository or of a history", "altered")
def a_key_on_a_branch_that_was_never_merged(story: Story) -> None:
    side = story.side("mine")
    story.improve()
    story.put(story.sign("mine", side)[0])


@forgery("rotated", NOT_IN_CHAIN, "altered")
def a_former_key_signs_on_an_old_base(story: Story) -> None:
    story.improve()
    story.put(story.sign("former", story.second)[0], 0)


@forgery("rotated", NOT_IN_CHAIN, "altered")
def a_former_key_follows_the_key_of_today(story: Story) -> None:
    story.improve()
    story.put(story.sign("former", story.second, number=9, previous=[story.digest()])[0])


@forgery("rotated", NOT_IN_CHAIN, "altered")
def a_former_key_follows_its_own_last_statement(story: Story) -> None:
    story.improve()
    story.put(story.sign("former", story.second, number=3, previous=[story.digest(1)])[0], 3)


@forgery("unsigned", NOT_IN_CHAIN)
def a_former_key_signs_before_the_key_of_today_has(story: Story) -> None:
    story.improve()
    story.put(story.sign("former", story.second, number=3, previous=[story.digest()])[0], 3)


@forgery("rotated", "does not list as of its base", "altered")
def an_auditor_accepts_scores(story: Story) -> None:
    story.improve()
    story.put(story.sign("auditor", story.repo.git("rev-parse", "HEAD"), number=4)[0])


@forgery("rotated", NOT_IN_CHAIN, "altered")
def an_auditor_vouches_for_a_key_of_a_side_commit(story: Story) -> None:
    side = story.side("mine")
    story.merge("HEAD", "HEAD", side)
    story.improve()
    content, digest = story.sign("mine", side, number=4, previous=[story.digest()])
    base = story.repo.git("rev-parse", "HEAD")
    said = story.sign("auditor", base, RE_DERIVED, number=5, previous=[digest, story.digest()])
    story.put(content, 4)
    story.put(said[0], 5)
    story.repo.write(TRUTH, "8\n")
    story.repo.commit("Another truth")
    story.collect(TWO)  # CI follows the auditor


# Clocks


@forgery("rotated", NOT_IN_CHAIN, "altered")
def a_former_key_dates_a_statement_forward(story: Story) -> None:
    story.improve()
    at = dt.datetime(2099, 1, 1, tzinfo=dt.UTC)
    story.put(story.sign("former", story.second, at=at)[0], 0)


@forgery("rotated", NOT_IN_CHAIN, "altered")
def a_former_key_dates_a_statement_back(story: Story) -> None:
    story.improve()
    at = dt.datetime(2001, 1, 1, tzinfo=dt.UTC)
    story.put(story.sign("former", story.listed, at=at, number=1)[0], 1)


@forgery("plain", LOST_SCORE, "altered")
def a_merge_of_the_year_2001_brings_an_old_score_back(story: Story) -> None:
    story.merge(story.first, story.first, "HEAD", at="2001-01-01T00:00:00Z")


# Chain


@forgery("rotated", "changed statements or took them away")
def the_last_statement_is_taken_off_the_ledger(story: Story) -> None:
    story.write_ledger({story.statements()[-1]: None})


@forgery("rotated", "is lost, which")
def a_statement_in_between_never_was_in_the_ledger(story: Story) -> None:
    story.rewrite_ledger(0, 1, 4)


@forgery("rotated", "is lost, which")
def the_first_statement_never_was_in_the_ledger(story: Story) -> None:
    story.rewrite_ledger(1, 2, 3, 4)


@forgery("rotated", "is lost, which")
def a_statement_has_the_content_of_another(story: Story) -> None:
    second, first = story.statements()[1], story.content(0)
    story.write_ledger({second: first})


@forgery("plain", "rolled back: ")
def main_and_ledger_are_what_they_were_before(story: Story) -> None:
    story.tip = story.digest()
    story.repo.git("reset", "--quiet", "--hard", story.first)
    story.repo.git("update-ref", f"refs/heads/{LEDGER}", story.ledger[0])


@forgery("plain", NOT_IN_CHAIN)
def the_ledger_goes_back_while_ci_signs_and_comes_again(story: Story) -> None:
    """Two statements follow the first one then."""
    git, ahead = story.repo.git, story.ledger[1]
    lost = story.statements()[2], story.content(2)
    git("update-ref", f"refs/heads/{LEDGER}", story.ledger[0])
    git("update-ref", "-d", next(iter(git("for-each-ref", "--format=%(refname)",
                                          "refs/pullbench/ledger-seen").split())))  # fmt: skip
    noted = json.loads((story.repo.path / STATE).read_text())["tip"]
    story.repo.replace(STATE, noted, story.ledger[0])
    story.repo.write(TRUTH, "8\n")
    story.repo.commit("Another truth")
    story.collect(ONE, score=0.75)
    story.write_ledger({lost[0]: lost[1]})
    assert ahead != git("rev-parse", LEDGER)


@forgery("plain", "its line was taken away", "altered")
def a_submission_goes_and_comes_back_without_its_scores(story: Story) -> None:
    git, folder = story.repo.git, SCORES.partition("/scores/")[0]
    git("rm", "-rq", folder)
    story.repo.commit("Leave")
    git("checkout", "HEAD~", "--", folder)
    git("rm", "-rqf", f"{folder}/scores")
    story.repo.commit("Come again")


# Downgrade


@forgery("plain", "was altered after it was signed", "altered")
def a_statement_loses_its_place_in_the_chain(story: Story) -> None:
    name = story.statements()[1]
    envelope = json.loads(story.content(1))
    claim = json.loads(base64.b64decode(envelope["payload"]))
    del claim["predicate"]["number"], claim["predicate"]["previous"]
    envelope["payload"] = base64.b64encode(json.dumps(claim).encode()).decode()
    story.write_ledger({name: json.dumps(envelope)})
    story.improve()


@forgery("rotated", NOT_IN_CHAIN, "altered")
def a_former_key_signs_as_before_there_were_chains(story: Story) -> None:
    story.improve()
    story.put(story.sign("former", story.listed)[0], 0)


@forgery("rotated", MOVED, "forged")
def a_ledger_has_a_statement_of_a_former_key_alone(story: Story) -> None:
    story.improve()
    content = story.sign("former", story.second)[0]
    story.rewrite_ledger()
    story.put(content, 0)


@forgery("plain", "took the keys away", "altered")
def the_settings_list_no_key_any_more(story: Story) -> None:
    story.repo.write(SETTINGS, f'[tool.pullbench]\nforge = "{FORGE}"\n')
    story.improve()


# Laundering


@forgery("plain", "altered since", "altered")
def the_weekly_check_finds_the_outcome_that_was_forged(story: Story) -> None:
    story.improve()
    story.attest(story.secret, **{ONE: "timed"})


@forgery("plain", "altered since", "altered")
def an_auditor_agrees_with_a_forged_score(story: Story) -> None:
    story.improve()
    story.attest(KEYS["auditor"][1], **{ONE: "identical"})


@forgery("plain", "forged since", "forged")
def somebody_agrees_with_a_score_that_nobody_signed(story: Story) -> None:
    path = SCORES.replace("alice/right", "carol/new")
    folder = story.repo.path / "submissions/adding/alice/right"
    shutil.copytree(folder, story.repo.path / "submissions/adding/carol/new",
                    ignore=shutil.ignore_patterns("scores"))  # fmt: skip
    text = (story.repo.path / SCORES).read_text().replace('"participant":"alice"',
                                                          '"participant":"carol"')  # fmt: skip
    story.repo.write(path, text.replace('"submission":"right"', '"submission":"new"'))
    story.repo.commit("As good as alice")
    story.attest(KEYS["auditor"][1], **{"adding/carol/new/main/one": "identical"})
    story.one = "adding/carol/new/main/one"


@forgery("plain", "altered since", "altered")
def ci_signs_another_score_of_a_forged_file(story: Story) -> None:
    story.improve()
    story.repo.write("benchmarks/adding/reference_data/two/sum.txt", "8\n")
    story.repo.commit("Another truth")
    story.collect(TWO, score=0.75)


@forgery("plain", f"{LOGS} is not what CI signed last")
def a_log_is_changed(story: Story) -> None:
    story.forge("It ran again.", "It won.", LOGS)


@forgery("plain", f"{LOGS} is not what CI signed last")
def an_old_log_comes_back(story: Story) -> None:
    story.repo.git("checkout", "--quiet", story.first, "--", LOGS)
    story.repo.commit("Nothing special")


@forgery("plain", f"{LOGS} is not what CI signed last")
def the_commit_of_the_last_log_is_rewritten(story: Story) -> None:
    story.repo.replace(LOGS, "It ran again.", "It won.")
    story.repo.git("commit", "--quiet", "--all", "--amend", "--no-edit")


HARMLESS_TO_OTHERS = (
    "main_is_pushed_by_force_and_ci_signs_again",
    "main_is_pushed_by_force_to_the_commit_before_a_score",
    "a_commit_after_that_of_another_writer_is_taken_back",
)
"""One commit that is gone takes no other number with it."""


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_named(stories: dict[str, Story], tmp_path: Path, name: str) -> None:
    forge, of, says, state = FORGERIES[name]
    story = stories[of].copy(tmp_path / "copy")
    forge(story)
    done = story.repo.pullbench("verify", "--json", *(["--tip", story.tip] if story.tip else []))
    assert done.returncode == 1, done.stderr
    assert says in done.stderr
    report = json.loads(done.stdout[done.stdout.index("{") :])
    states = {cell["cell"]: cell["state"] for cell in report["cells"]}
    assert not state or states[story.one] == state, done.stderr
    if name in HARMLESS_TO_OTHERS:
        others = {state for cell, state in states.items() if cell not in (ONE, TWO)}
        assert others == {"attested"}, done.stderr


@pytest.mark.parametrize("of", ["plain", "rotated", "unsigned"])
def test_what_nobody_forged_is_attested(stories: dict[str, Story], tmp_path: Path, of: str) -> None:
    story = stories[of].copy(tmp_path / "copy")
    if of == "unsigned":  # as publish.yml does it on the push that replaced the key
        story.collect("nothing")
    cells, said = story.verify("--tip", story.digest())
    assert {one["state"] for one in cells.values()} == {"attested"}
    assert f"last statement: {story.digest()}" in said
    assert "bad: 0" in said
