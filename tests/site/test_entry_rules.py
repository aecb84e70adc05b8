"""*Submit* says what each key of a bundle changes for a participant."""

import hashlib
import html
import itertools
import re
from collections.abc import Iterator

import pytest
import yaml

from evaluator.ci.policy.entrants import judge_entrants
from evaluator.site.pages.benchmark_pages import benchmark_pages
from tests.repository import Repository
from tests.site.conftest import site_of
from tests.test_budget import every_key

COMPETITION = "benchmarks/adding/competition.yaml"
KEYS = "Competition.pullbench."
DIGESTS = {"salt": "autumn-26", "digests": ["0" * 64]}
ANYBODY = "Anyone with an account on GitHub may enter."
ASK = "Not everybody may enter. The list is closed: ask the organisers to add your login."
SIGN = (
    "Not everybody may enter. Sign your last commit, and commit it with an address at uni.example"
)
PERSON = "An organiser approves each entry before it is evaluated."
OTHERS = "An organiser approves every other entry before it is evaluated."
PRICES = {"input": 1, "output": 2}
SPENT = {"calls": 9, "tokens": 700, "money": 0.5}
SEAL = {"until": "2999-01-01", "to": f"age1{'q' * 58}"}

FACTORS: dict[str, list[tuple[object, list[str]]]] = {
    "participants": [
        (None, [ANYBODY]),
        ({"names": ["ada"]}, [ASK]),
        (DIGESTS, [ASK]),
        ({"domains": ["uni.example"]}, [SIGN]),
    ],
    "accept_terms": [
        (None, []),
        (True, ["You must accept the terms, benchmarks/adding/terms.md", "terms_accepted: "]),
    ],
    "approval": [(None, []), ("required", ["An organiser decides which entries are ranked."])],
    "policy": [
        (None, [PERSON]),
        ({"approve": {"code": "never"}, "merge": True}, [PERSON, "CI merges an entry with"]),
        (
            {"approve": {"code": "everyone"}, "minutes_per_day": {"participant": 60}},
            ["entries of kind code, within 60 minutes of machines a day for each", OTHERS],
        ),
        (
            {
                "approve": {"code": "returning", "results": "everyone"}, "screen": "screen",
                "minutes_per_day": {"participant": 5, "benchmark": 600},
            },
            [
                "kind code, once an entry of yours that ran code has a score, within",
                "5 minutes of machines a day for each participant and 600 for all.",
                "A program of the benchmark reads each entry", OTHERS,
            ],
        ),
    ],
    "phases.shows": [
        (None, []),
        ({"shows": "status"}, ["Others see whether your entry ran, and no scores."]),
        (
            {"shows": "status", "feedback": "private"},
            ["Others see whether your entry ran, and no scores.", "You alone read your scores"],
        ),
        ({"feedback_digits": 1}, ["Scores have 1 decimal, and no log is shown."]),
    ],
    "phases.open_entries": [
        (None, []),
        ({"open_entries": 1}, ["You may have 1 open pull request at once; later ones wait."]),
        ({"open_entries": 3}, ["You may have 3 open pull requests at once; later ones wait."]),
    ],
    "phases.late": [
        (None, []),
        (
            {"late": {"days": 2, "minus": 0.1}},
            [
                "Entries count for 2 days after the end, and each day that has begun costs 0.1 of "
                "Right in your grade. The board shows the whole score."
            ],
        ),
    ],
    "phases.until": [
        (None, []),
        ({"until": {"0" * 64: "2999-02-01"}}, ["The organisers gave some participants more time."]),
    ],
    "artefacts": [
        (None, []), ("1 GiB", ["Large files may lie elsewhere, 1,073,741,824 bytes in all"]),
    ],
    "models": [
        (None, []),
        (
            {"small": {"program": "model", "prices": PRICES, "limits": SPENT}},
            ["A program may ask the model small: 9 calls, 700 tokens and 0.5 of money in a cell."],
        ),
        (
            {"big": {"program": "model", "step": "scoring", "prices": PRICES, "limits": SPENT}},
            ["The scoring program may ask the model big: 9 calls, 700 tokens and 0.5 of money"],
        ),
    ],
    "phases.seal": [(None, []), ({"seal": SEAL}, ["Entries may be sealed"])],
}  # fmt: skip
"""Key -> values that it may have, each with what *Submit* then says."""
SAID_ELSEWHERE = {
    "the table of phases, the limits or the image": {
        "gpus",
        "limits",
        "network",
        "phases.budget",
        "phases.max_submissions_per_week",
        "quota_by",
    },
    "what to put in": {
        "datasets",
        "files",
        "predictions",
        "questions",
        "reported",
        "stages",
    },
    "a way in of its own": {"form"},
    "a note of the phase, beside its board too": {"phases.promote", "tolerance"},
}
"""What else *Submit* says of keys, which other tests ask for."""
OF_THE_BOARD = {
    "accept", "aggregate", "analysis", "baseline", "citation", "columns", "controls", "curves",
    "data", "dates", "exclusive", "extra", "fingerprint", "ingestion_may_fail", "passes", "phases",
    "phases.columns", "phases.primary", "phases.submission_rule", "private", "queue", "ranking",
    "repeat_data", "repeats", "samples", "scoring_network", "tags", "tasks",
}  # fmt: skip
"""Keys of tasks, scores and boards, which change nothing of how one enters."""


def pairwise() -> list[dict[str, int]]:
    """Return choices of a value for each key; every two values of two keys are in one of them."""
    names = list(FACTORS)
    missing = {
        frozenset({(a, x), (b, y)})
        for a, b in itertools.combinations(names, 2)
        for x in range(len(FACTORS[a]))
        for y in range(len(FACTORS[b]))
    }
    choices: list[dict[str, int]] = []
    while missing:
        choice = dict(sorted(min(missing, key=sorted)))
        for name in names:
            if name not in choice:
                choice[name] = max(
                    range(len(FACTORS[name])),
                    key=lambda value: sum(
                        frozenset({(name, value), one}) in missing for one in choice.items()
                    ),
                )
        missing -= {frozenset(two) for two in itertools.combinations(choice.items(), 2)}
        choices.append(choice)
    return choices


CHOICES = pairwise()


def words(page: str) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", "", page)))


def shown(repo: Repository, choice: dict[str, int]) -> str:
    """Render *Submit* of a bundle with these values."""
    keys: dict[str, object] = {}
    phase: dict[str, object] = {}
    for name, value in choice.items():
        given = FACTORS[name][value][0]
        if isinstance(given, dict) and name.startswith("phases."):
            phase |= given
        elif given is not None:
            keys[name] = given
    path = repo.path / COMPETITION
    bundle = yaml.safe_load(path.read_text(encoding="utf-8"))
    bundle["phases"][0]["hide_output"] = True
    bundle["pullbench"] = {**bundle["pullbench"], **keys, "phases": {0: phase}}
    path.write_text(yaml.safe_dump(bundle), encoding="utf-8")
    repo.write("pyproject.toml", '[tool.pullbench]\nforge = "https://github.com/o/n"\n')
    contents, site = site_of(repo.path, None)
    (content,) = (one for one in contents if one.benchmark.name == "adding")
    (page,) = (p for p in benchmark_pages(content, site) if p.path.endswith("/submit"))
    return words(page.html)


def sentences() -> Iterator[str]:
    for values in FACTORS.values():
        for _, said in values:
            yield from said


@pytest.mark.parametrize("choice", CHOICES, ids=lambda one: "-".join(map(str, one.values())))
def test_submit_says_what_each_key_asks_of_a_participant(
    small: Repository, choice: dict[str, int]
) -> None:
    page = shown(small, choice)
    wanted = {one for name, value in choice.items() for one in FACTORS[name][value][1]}
    missing = {one for one in wanted if one not in page}
    assert not missing, page
    assert not {one for one in {*sentences()} - wanted if one in page}


def test_every_key_of_a_bundle_is_said_or_is_of_the_board() -> None:
    names = {key.removeprefix(KEYS) for key in every_key() if key.startswith(KEYS)}
    names = {one for one in names if one.count(".") == one.startswith("phases.")}
    elsewhere = set().union(*SAID_ELSEWHERE.values())
    asked = {*FACTORS} | {"phases.feedback", "phases.feedback_digits", "phases.ladder"}
    assert names == asked | elsewhere | OF_THE_BOARD
    assert len(names) == len(asked) + len(elsewhere) + len(OF_THE_BOARD)


def test_a_rule_of_one_phase_alone_names_it(repo: Repository) -> None:
    repo.with_bundle("small")
    path = repo.path / COMPETITION
    bundle = yaml.safe_load(path.read_text(encoding="utf-8"))
    (main,) = bundle["phases"]
    later = {**main, "index": 1, "name": "Later", "start": "2999-01-01"}
    bundle["phases"] = [{**main, "end": "2998-01-01"}, later]
    path.write_text(yaml.safe_dump(bundle), encoding="utf-8")
    page = shown(repo, {"phases.open_entries": 1})
    assert "Main: You may have 1 open pull request at once" in page


@pytest.mark.parametrize("kit", [False, True], ids=["no-kit", "kit"])
def test_who_follows_enter_has_accepted_the_terms(small: Repository, *, kit: bool) -> None:
    if kit:
        small.replace(COMPETITION, "tasks: [0, 1],", "tasks: [0, 1], starting_kit: kit,")
        small.write(
            "benchmarks/adding/kit/sample/submission.yaml", "kind: code\nname: From the kit"
        )
        small.write("benchmarks/adding/kit/sample/main.py", "print(1)\n")
    small.replace(
        COMPETITION,
        "pullbench:\n",
        "pullbench:\n  accept_terms: true\n  phases: {0: {open_entries: 2}}\n",
    )
    small.commit("Terms")
    done = small.pullbench("enter", "adding", "--as", "zoe/first")
    assert done.returncode == 0, done.stderr
    assert "You must accept the terms, benchmarks/adding/terms.md" in done.stdout
    assert "You may have 2 open pull requests at once; later ones wait." in done.stdout
    assert PERSON in done.stdout
    terms = (small.path / "benchmarks/adding/terms.md").read_bytes()
    text = (small.path / "submissions/adding/zoe/first/submission.yaml").read_text()
    assert f'terms_accepted: "{hashlib.sha256(terms).hexdigest()[:16]}"' in text
    assert ("From the kit" in text) == kit
    snapshot = small.snapshot()
    entered = [one for one in snapshot.submissions if one.participant == "zoe"]
    assert [*judge_entrants(snapshot, entered, "zoe", None)] == []
