"""Copies and near copies: found when they come, and shown to the organiser."""

import datetime as dt

import pytest

from evaluator.ci.opened.heads import PullRequestRef
from evaluator.ci.opened.pull_request import open_pull_request
from evaluator.core.git.tree import open_repository
from evaluator.plugins.screening.fingerprints import ENOUGH, marks_of, shared_part, weight
from evaluator.plugins.screening.likeness import Copy, copies, noted_likenesses
from tests.ci.steps.conftest import NOON, Files, Forge, entry
from tests.repository import BRANCH
from tests.steps import approve, receive

MINUTE = dt.timedelta(minutes=1)
WORK = '''"""Adds numbers by halves."""

import math


def add(numbers):
    # Small lists are added one by one.
    if len(numbers) < 4:
        total = 0
        for number in numbers:
            total = total + number * 1
        return total
    middle = len(numbers) // 2
    left, right = add(numbers[:middle]), add(numbers[middle:])
    return math.floor(left + right) if left % 1 == 0 and right % 1 == 0 else left + right


def check(numbers, most=1000):
    return all(-most <= number <= most for number in numbers) or not numbers
'''
RENAMED = """import math
def plus(xs):
    if (len(xs) < 4):
        s = 0
        for x in xs: s = s + x*1
        return s
    m = len(xs)//2
    a, b = (plus(xs[:m]),
            plus(xs[m:]))
    return math.floor(a+b) if a % 1 == 0 and b % 1 == 0 else a+b  # done
def fits(xs, limit=1000): return all(-limit <= x <= limit for x in xs) or not xs
"""
OTHER = """import functools, operator


def add(numbers):
    while len(numbers) > 1:
        pairs = zip(numbers[::2], numbers[1::2])
        rest = numbers[-1:] if len(numbers) % 2 else []
        numbers = [functools.reduce(operator.add, pair, 0) for pair in pairs] + rest
    try:
        return numbers.pop()
    except IndexError as error:
        raise ValueError("nothing to add") from error
"""


def came(
    forge: Forge, number: int, files: Files, who: str, minutes: int = 0
) -> tuple[PullRequestRef, list[Copy]]:
    """Let a pull request come; return what the ledger and the base branch then say of it."""
    source, at = forge.open(number, files), NOON + minutes * MINUTE
    step = receive(forge.ours.path, source, who, at)
    assert step.ok
    pull = open_pull_request(open_repository(forge.ours.path), source, at)
    found = copies(pull.ledger, pull.before, noted_likenesses(pull))
    warned = [item.message for item in step.report.problems if " same" in item.message]
    assert warned == [f"An organiser compares it: {copy}" for copy in found]
    return source, found


def of(found: list[Copy]) -> list[tuple[str, str]]:
    return [(copy.earlier.submission, copy.how) for copy in found]


SAME = "the same files as"
RENAMES = "the same, but for names and formatting, as"
LARGELY = "in large part the same as"


@pytest.mark.parametrize(
    ("content", "how"),
    [
        (WORK, [SAME]),
        (RENAMED, [RENAMES]),
        (f"if True:\n{RENAMED.replace(chr(10), chr(10) + '  ')}pass\n", [LARGELY]),
        (f"source = '''{WORK.replace(chr(39) * 3, '')}'''\nexec(source)\n", [RENAMES]),
        (OTHER, []),
        ("add = sum\n", []),
    ],
)
def test_a_copy_is_shown_with_both_times(forge: Forge, content: str, how: list[str]) -> None:
    came(forge, 1, entry("carol", content=WORK), "carol")
    _, found = came(forge, 2, entry("mallory", "two", content=content), "mallory", 5)
    assert of(found) == [("adding/carol/one", word) for word in how]
    for copy in found:
        assert "at 2026-03-10 12:05:00 UTC" in str(copy)
        assert "of pull request 1, which came at 2026-03-10 12:00:00 UTC" in str(copy)


def test_a_policy_approves_no_copy(forge: Forge) -> None:
    bundle = "benchmarks/adding/competition.yaml"
    forge.ours.replace(
        bundle, "\npullbench:\n", "\npullbench:\n  policy: {approve: {code: everyone}}\n"
    )
    forge.ours.commit("A policy")
    forge.ours.git("push", "--quiet", "origin", f"HEAD:refs/heads/{BRANCH}")
    first, _ = came(forge, 1, entry("carol", content=WORK), "carol")
    second, _ = came(forge, 2, entry("mallory", content=RENAMED), "mallory", 5)
    steps = [
        approve(forge.ours.path, source, who, None, NOON + 6 * MINUTE)
        for source, who in ((second, "mallory"), (first, "carol"))
    ]
    assert [step.report.state for step in steps] == ["received", "queued"]
    assert "An organiser compares it: adding/mallory/one" in steps[0].report.reason


def test_padding_splitting_and_renamed_files_hide_nothing(forge: Forge) -> None:
    came(forge, 1, entry("carol", content=WORK + OTHER), "carol")
    folder = "submissions/adding/mallory/one"
    files = entry("mallory", content="".join(f"a{n} = {n} * b - c // {n + 1}\n" for n in range(99)))
    files |= {f"{folder}/a/b.py": RENAMED, f"{folder}/c.py": OTHER.replace("numbers", "n")}
    files |= {f"{folder}/noise-{n}.bin": bytes([n, 0]) * 40_000 for n in range(1, 4)}
    assert of(came(forge, 2, files, "mallory", 5)[1]) == [("adding/carol/one", LARGELY)]


def test_who_was_copied_from_an_open_pull_request_is_no_copier(forge: Forge) -> None:
    came(forge, 1, entry("carol", content=WORK), "carol")
    came(forge, 2, entry("mallory", content=WORK), "mallory", 5)
    changed = WORK.replace("< 4", "< 8")
    assert came(forge, 1, entry("carol", content=changed), "carol", 9)[1] == []
    assert came(forge, 3, entry("carol", "again", content=WORK), "carol", 9)[1] == []
    # What mallory copied before has not become mallory's.
    _, found = came(forge, 2, entry("mallory", content=changed), "mallory", 10)
    assert ("adding/carol/one", SAME) in of(found)


def test_the_same_head_seen_again_keeps_its_first_arrival(forge: Forge) -> None:
    source, _ = came(forge, 1, entry("carol", content=WORK), "carol")
    came(forge, 2, entry("mallory", content=WORK), "mallory", 5)
    assert receive(forge.ours.path, source, "carol", NOON + 9 * MINUTE).report.problems == []


def test_members_of_a_team_copy_nothing_from_each_other(forge: Forge) -> None:
    came(forge, 1, entry("cats", content=WORK), "dora")
    assert came(forge, 2, entry("dora", content=WORK), "dora", 5)[1] == []


def test_what_was_disqualified_is_shown_whoever_enters_it(forge: Forge) -> None:
    source, _ = came(forge, 1, entry("carol", content=WORK), "carol")
    forge.merge(source)
    forge.ours.write(
        "benchmarks/adding/approvals.yaml",
        "decisions:\n"
        "- {submission: carol/one, decision: refused, date: 2026-03-09, reason: Peeked}\n",
    )
    forge.ours.commit("Disqualify")
    forge.ours.git("push", "--quiet", "origin", f"HEAD:refs/heads/{BRANCH}")
    _, (copy,) = came(forge, 2, entry("carol", "two", content=RENAMED), "carol", 5)
    assert str(copy).endswith(" and was disqualified on 2026-03-09.")


def test_what_was_withdrawn_is_shown_whoever_enters_it(forge: Forge) -> None:
    came(forge, 1, entry("carol", content=WORK), "carol")
    card = "submissions/adding/carol/one/submission.yaml"
    withdrawn = entry("carol", content=WORK) | {card: "kind: code\ncancelled: true\n"}
    came(forge, 1, withdrawn, "carol", 1)
    _, found = came(forge, 2, entry("carol", "two", content=WORK), "carol", 5)
    assert len(found) == 2, "as it came, and as it was withdrawn"
    assert all(str(copy).endswith(" and was withdrawn.") for copy in found)


def test_a_starting_kit_and_a_solution_are_nobodys(forge: Forge) -> None:
    bundle = "benchmarks/adding/competition.yaml"
    forge.ours.replace(
        bundle, "execution_time_limit: 3}", "execution_time_limit: 3, starting_kit: kit}"
    )
    forge.ours.write("benchmarks/adding/kit/sample.py", WORK)
    forge.ours.commit("A starting kit")
    forge.ours.git("push", "--quiet", "origin", f"HEAD:refs/heads/{BRANCH}")
    came(forge, 1, entry("carol", content=WORK), "carol")
    assert came(forge, 2, entry("mallory", content=RENAMED), "mallory", 5)[1] == []
    came(forge, 3, entry("carol", "two", content=WORK + OTHER), "carol", 6)
    assert came(forge, 4, entry("erin", content=WORK + "\nprint(add([]))\n"), "erin", 7)[1] == []
    _, found = came(forge, 5, entry("mallory", "two", content=OTHER), "mallory", 8)
    assert of(found) == [("adding/carol/two", LARGELY)]


def test_predictions_are_compared_by_the_whole_file() -> None:
    rows = "".join(f"{n},{n % 2}\n" for n in range(50))
    files = [rows, rows.replace(",", ", "), rows[:-2] + "0\n"]
    same, spaced, other = (marks_of("echo", [text.encode()], code=False) for text in files)
    assert same == spaced
    assert weight(same) >= ENOUGH
    assert not same & other
    assert not same & marks_of("adding", [rows.encode()], code=False)


@pytest.mark.parametrize(
    "bomb",
    [
        b"(" * 400_000, b'\\"' * 200_000, b'"""' * 100_000 + b'"', b"'\\" * 200_000,
        b"-" * 400_000 + b"1", b"lambda: " * 50_000 + b"0", bytes(range(256)) * 2000,
        b"#" * 400_000, "\N{COMBINING ACUTE ACCENT}".encode() * 200_000,
    ],
    ids=range(9),
)  # fmt: skip
def test_no_file_is_too_deep_or_too_odd(bomb: bytes) -> None:
    honest = marks_of("adding", [WORK.encode()], code=True)
    both = marks_of("adding", [bomb, WORK.encode()], code=True)
    assert honest <= both
    assert len(both) <= 1000


def test_a_large_entry_is_compared_by_a_sample() -> None:
    large = "".join(f"x{n} = {n} + y * {n % 7} - z ** {n % 11}\n" for n in range(5000))
    other = "".join(f"a = {n} / b if c < {n} else -d\n" for n in range(5000))
    one = marks_of("adding", [large.encode()], code=True)
    more = marks_of("adding", [(large + other).encode()], code=True)
    assert len(one) == len(more) == 1000
    assert shared_part(one, more, one & more) > 0.95
    assert shared_part(one, marks_of("adding", [other.encode()], code=True), one) < 0.1


def test_a_trivial_entry_is_like_nobodys() -> None:
    assert weight(marks_of("adding", [b"def add(numbers):\n    return sum(numbers)\n"],
                           code=True)) < ENOUGH  # fmt: skip
    assert marks_of("adding", [b"", b"\n\n"], code=False) == frozenset()


def test_code_of_what_an_entry_is_based_on_is_no_copy(forge: Forge) -> None:
    alices, _ = came(forge, 1, entry("carol", content=WORK), "carol")
    forge.merge(alices)
    changed = WORK + "\n\ndef most(numbers):\n    return max(numbers, default=0) - 1\n"

    def based(content: str, who: str) -> Files:
        folder = f"submissions/adding/{who}/one"
        files = entry(who, content=content)
        return files | {f"{folder}/submission.yaml": "kind: code\nbased_on: [carol/one]\n"}

    _, silent = came(forge, 2, entry("dan", content=changed), "dan", minutes=1)
    assert of(silent) == [("adding/carol/one", "in large part the same as")]
    assert came(forge, 3, based(changed, "erin"), "erin", minutes=2)[1] == []
    _, same = came(forge, 4, based(RENAMED, "fay"), "fay", minutes=3)
    assert ("adding/carol/one", "the same, but for names and formatting, as") in of(same)
