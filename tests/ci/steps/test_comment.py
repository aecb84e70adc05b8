"""The comment on a pull request: what it says in each state; strangers cannot act in it."""

import datetime as dt
import html.parser
import re
from collections import Counter
from dataclasses import replace
from typing import Any

import markdown
import markdown_it
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evaluator.ci.forge.sticky import MARKER
from evaluator.ci.steps.board_changes import BoardChange, compare_boards
from evaluator.ci.steps.comment import (
    MAX_CHARACTERS,
    CellLine,
    Report,
    cell_line,
    to_markdown,
)
from evaluator.core.errors import Actor, Problem, printable
from evaluator.core.formats.cell import CellId
from evaluator.core.leaderboard.published import PublicBoard
from tests.core.leaderboard.boards import (
    FAILED,
    ONE_COLUMN,
    Entries,
    make_benchmark,
    with_submission,
)

HEAD = "0123456789" + "a" * 30
TREE = "b" * 40
AT = dt.datetime.fromisoformat("2026-01-02T04:04:05+01:00")


def report(**values: Any) -> Report:
    given: dict[str, Any] = {"head": HEAD, "tree": TREE, "next_steps": (), "at": AT}
    return Report(**given | values)


def cell(who: str = "dan", **values: Any) -> CellLine:
    name = CellId(
        benchmark="bench", participant=who, submission="entry", phase="main", task="one"
    )  # fmt: skip
    given: dict[str, Any] = {"cell": name, "queue": "default", "status": "queued"}
    return CellLine(**given | values)


def board(*entries: tuple[str, Any], columns: str = ONE_COLUMN) -> PublicBoard:
    made = Entries(make_benchmark(columns))
    for who, value in entries:
        made.enter(who, "entry", FAILED if value is FAILED else {"a": value})
    return made.board()


def changed() -> BoardChange:
    """Of ada, bob and cy: dan ties with ada, and bob is scored anew."""
    return compare_boards(
        board(("ada", 3.0), ("bob", 2.0), ("cy", 1.0)),
        board(("ada", 3.0), ("bob", 1.9996), ("cy", 1.0), ("dan", 3.0)),
    )


def expected(text: str) -> str:
    return text.lstrip("\n")


def test_received() -> None:
    said = report(
        state="received", reason="1 submission with 2 cells can be evaluated.",
        next_steps=("An organiser sets the label `evaluate`.",),
    )  # fmt: skip
    assert to_markdown(said) == expected("""
<!-- pullbench -->
### pullbench: received

**Received.** 1 submission with 2 cells can be evaluated.

**Next:** An organiser sets the label `evaluate`.

Commit `0123456789`, tree `bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb`, 2026-01-02 03:04 UTC.
""")


def test_refused() -> None:
    problems = [
        Problem(
            file="submissions/bench/dan/entry/submission.yaml", key="phase", line=3,
            message="'dve' is not there.", hint="Name one of 'main'.", actor=Actor.PARTICIPANT,
        ),
        Problem(
            file="evaluator/cli.py", message="is not yours to change", actor=Actor.PARTICIPANT,
            severity="warning",
        ),
    ]  # fmt: skip
    said = report(state="refused", reason="2 problems.", next_steps=("You push a correction.",),
                  problems=problems)  # fmt: skip
    assert to_markdown(said) == expected("""
<!-- pullbench -->
### pullbench: refused

**Refused.** 2 problems.

**Next:** You push a correction.

Commit `0123456789`, tree `bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb`, 2026-01-02 03:04 UTC.

#### What is wrong

- Error in `submissions/bench/dan/entry/submission.yaml:3`, key `phase`: 'dve' is not there. \
Name one of 'main'. *The participant must act.*
- Warning in `evaluator/cli.py`: is not yours to change. *The participant must act.*
""")


def test_a_warning_alone_is_not_wrong() -> None:
    warning = Problem(file="a.py", message="is large", actor=Actor.PARTICIPANT, severity="warning")
    said = to_markdown(report(state="received", reason="1 cell.", problems=[warning]))
    assert "#### What to look at\n\n- Warning in `a.py`" in said
    assert "What is wrong" not in said


def test_queued() -> None:
    said = report(
        state="queued", reason="Approved by `olga`.",
        next_steps=("A runner of the queue takes it.",),
        cells=[cell(queue="gpu", reason="no record yet")],
    )  # fmt: skip
    assert to_markdown(said) == expected("""
<!-- pullbench -->
### pullbench: queued

**Queued.** Approved by `olga`.

**Next:** A runner of the queue takes it.

Commit `0123456789`, tree `bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb`, 2026-01-02 03:04 UTC.

<details><summary>Cells: 1 queued</summary>

| Cell | Queue | Status | Scores | Wall clock | Why |
| :-- | :-- | :-- | :-- | --: | :-- |
| `bench/dan/entry/main/one` | `gpu` | queued |  |  | no record yet |

</details>
""")


def test_scored() -> None:
    done = cell(status="finished", scores={"A": "3.000"}, wall_seconds=1.25)
    said = report(
        state="scored", reason="All cells are finished.", next_steps=("An organiser merges it.",),
        cells=[done], boards=[changed()],
    )  # fmt: skip
    assert to_markdown(said) == expected("""
<!-- pullbench -->
### pullbench: scored

**Scored.** All cells are finished.

**Next:** An organiser merges it.

Commit `0123456789`, tree `bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb`, 2026-01-02 03:04 UTC.

#### T, phase Main: the board as it would be

- `dan/entry` enters at rank 1 of 4, tied with `ada/entry`.
- `bob/entry` has other values and moves from rank 2 to 3.
- `ada/entry` and `dan/entry` share the first place. With one task that was run once, nothing can \
be concluded about which is better in general.

| Rank | Move | Participant | Submission | A |
| --: | :-- | :-- | :-- | --: |
| 1= |  | `ada` | `Entry` | 3.000 |
| 1= | new | `dan` | **`Entry`** | 3.000 |
| 3 | ▼ 1 | `bob` | **`Entry`** | 1.9996 (was 2.0000) |
| 4 | ▼ 1 | `cy` | `Entry` | 1.000 |

<details><summary>Cells: 1 finished</summary>

| Cell | Queue | Status | Scores | Wall clock | Why |
| :-- | :-- | :-- | :-- | --: | :-- |
| `bench/dan/entry/main/one` | `default` | finished | `A` 3.000 | 1.25 s |  |

</details>
""")


def test_failed() -> None:
    failed = cell(
        status="failed", reason="timed out",
        message="was stopped after 60 s, the limit of the phase", hint="Make it faster.",
        actor=Actor.PARTICIPANT, wall_seconds=60.0,
        log="epoch 1\n\n  @admin ```\n</details>",
    )  # fmt: skip
    before = board(("ada", 3.0))
    change = compare_boards(before, board(("ada", 3.0), ("dan", FAILED)))
    said = report(state="failed", reason="1 of 1 cells failed.", cells=[failed], boards=[change])
    assert to_markdown(said) == expected("""
<!-- pullbench -->
### pullbench: failed

**Failed.** 1 of 1 cells failed.

Commit `0123456789`, tree `bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb`, 2026-01-02 03:04 UTC.

#### What failed

- `bench/dan/entry/main/one` failed, timed out: was stopped after 60 s, the limit of the phase. \
Make it faster. *The participant must act.*

#### T, phase Main: the board as it would be

- `dan/entry` is not ranked: failed.

| Rank | Move | Participant | Submission | A |
| --: | :-- | :-- | :-- | --: |
| 1 |  | `ada` | `Entry` | 3.000 |
|  | new | `dan` | **`Entry`** | failed |

<details><summary>Cells: 1 failed</summary>

| Cell | Queue | Status | Scores | Wall clock | Why |
| :-- | :-- | :-- | :-- | --: | :-- |
| `bench/dan/entry/main/one` | `default` | failed |  | 60.00 s | timed out |

</details>

<details><summary>End of the log of a failed cell</summary>

`bench/dan/entry/main/one`:

    epoch 1
      @admin \u02cb\u02cb\u02cb
    \u2039/details\u203a

</details>
""")


def test_void() -> None:
    said = report(
        state="void", reason="The pull request moved from `0123456` to `abcdef0` after approval.",
        next_steps=("An organiser approves the new content with the label `evaluate`.",),
    )  # fmt: skip
    assert "**Void.** The pull request moved from `0123456` to `abcdef0` after" in to_markdown(said)


def test_a_hidden_leaderboard_is_told_without_a_number() -> None:
    columns = ONE_COLUMN + "    hidden: true\n"
    before = board(("ada", 0.123), columns=columns)
    change = compare_boards(before, board(("ada", 0.123), ("dan", 0.456), columns=columns))
    # Made by hand, with what a careless caller might put in.
    careless = cell(status="finished", scores={"A": "0.456"}, wall_seconds=7.89)
    text = to_markdown(
        report(state="scored", reason="Done.", boards=[change], cells=[careless])
    )  # fmt: skip
    assert "The submission ran; its scores are shown later." in text
    assert "| hidden |  |" in text
    lines = [
        line for line in text.splitlines() if not line.startswith(("Commit", "<details>", "#"))
    ]
    assert not re.search(r"\d", "\n".join(lines))
    assert "ada" not in text


def test_a_hidden_column_is_nowhere() -> None:
    columns = ONE_COLUMN + "      - {title: Sealed, key: sealed, index: 1, hidden: true}\n"
    made = Entries(make_benchmark(columns)).enter("ada", "entry", {"a": 1, "sealed": 0.777})
    (record,) = made.records.values()
    said = report(
        state="scored", reason="Done.", boards=[compare_boards(None, made.board())],
        cells=[cell_line(record, made.benchmark)],
    )  # fmt: skip
    text = to_markdown(said)
    assert "`A` 1.000" in text
    assert "sealed" not in text.lower()
    assert "0.777" not in text


def test_a_long_board_keeps_the_top_and_what_changes() -> None:
    many = [(f"p{place:04}", float(10_000 - place)) for place in range(2000)]
    change = compare_boards(board(*many), board(*many, ("dan", 9_000.5)))
    text = to_markdown(report(state="scored", reason="Done.", boards=[change]))
    rows = [line for line in text.splitlines() if re.match(r"\| \d", line)]
    ranks = [int(re.findall(r"\d+", line)[0]) for line in rows]
    assert ranks[:10] == list(range(1, 11))
    assert {999, 1000, 1001, 1002, 1003} <= set(ranks)
    assert "| 1001 | new | `dan` | **`Entry`** | 9000.500 |" in text
    assert len(rows) == 60
    left_out = sum(int(n.replace(",", "")) for n in re.findall(r"([\d,]+) rows? left out", text))
    assert left_out == 2001 - 60


def test_a_board_that_stays_as_it_is() -> None:
    same = compare_boards(board(("ada", 1.0)), board(("ada", 1.0)))
    text = to_markdown(report(state="scored", reason="Done.", boards=[same]))
    assert text.endswith("Nothing on it changes.\n")


def test_values_that_differ_beyond_what_is_shown_and_huge_ones() -> None:
    change = compare_boards(board(("ada", 0.1 + 0.2)), board(("ada", 0.3)))
    said = to_markdown(report(state="scored", reason="Done.", boards=[change]))
    assert "0.29999999999999999 (was 0.30000000000000004)" in said
    change = compare_boards(board(("ada", 1e300)), board(("ada", -1e300)))
    said = to_markdown(report(state="scored", reason="Done.", boards=[change]))
    assert "-1.000e+300 (was 1.000e+300)" in said


# --- strangers' text

FRAGMENTS = [
    "@admin", "@org/team", "#1", "GH-12", "fixes #1", "org/repo#2", MARKER, "<!--", "-->", "|",
    "\\|", "`", "``", "```\n", "\\", "\n", "\n\n", "\r", "\t", "](http://evil.example)", "[a](b)",
    "![i](http://evil.example/x.png)", "<img src=x onerror=alert(1)>", "</details>", "</summary>",
    "<script>", "<b>", "{{ 7*7 }}", "${{ secrets.X }}", "{% raw %}", "\u202e", "\u200b",
    "\U000e0041",
    "https://evil.example", "www.evil.example", "mailto:a@b.example", "a@b.example", "1. ", "- ",
    "# ", "> ", "***", "___", "~~", "deadbeefcafe", "$x$", ":", ":tada:", "&lt;b&gt;", "&#64;admin",
    "[x]: http://evil.example", "[^1]", " ", "    ", "word", "'", '"', "(", ")", "!", "\x1b[31m",
    "\x00", "::set-output name=x::y", "---", "===", "x" * 300,
]  # fmt: skip
HOSTILE = st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=5)), max_size=8).map(
    "".join
)


def everywhere(text: str) -> Report:
    """A report in which every text is the same one."""
    change = changed()
    after = change.after
    rows = tuple(
        replace(item, row=with_submission(item.row, title=text, participant=text))
        if item.new
        else item
        for item in change.rows
    )
    leaderboard = after.benchmark.leaderboard
    columns = tuple(replace(column, title=text) for column in leaderboard.columns)
    benchmark = replace(
        after.benchmark, title=text,
        leaderboard=replace(leaderboard, columns=columns, primary=columns[0]),
    )  # fmt: skip
    phase = replace(after.phase, name=text)
    change = replace(change, rows=rows, after=replace(after, benchmark=benchmark, phase=phase))
    name = CellId(benchmark="b", participant=text, submission=text, phase=text, task=text)
    return Report(
        state="failed", reason=text, head=text, tree=text, next_steps=(f"Next {text}",), at=AT,
        problems=[
            Problem(file=text, key=f"k{text}", message=text, hint=text, actor=Actor.PARTICIPANT)
        ],
        cells=[
            CellLine(
                cell=name, queue=text, status="failed", reason=f"r{text}", message=text, hint=text,
                actor=Actor.ORGANISER, scores={text: text}, log=f"log\n{text}",
            ),
            CellLine(cell=name, queue=text, status=text, reason=text),
        ],
        boards=[change],
    )  # fmt: skip


class Page(html.parser.HTMLParser):
    """Elements of a page, and its text outside of code."""

    def __init__(self, content: str) -> None:
        super().__init__()
        self.elements: Counter[str] = Counter()
        self.attributes: set[str] = set()
        self.text = ""
        self._in_code = 0
        self.feed(content)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements[tag] += 1
        self.attributes |= {name for name, _ in attrs}
        self._in_code += tag == "code"

    def handle_endtag(self, tag: str) -> None:
        self._in_code -= tag == "code"

    def handle_data(self, data: str) -> None:
        if not self._in_code:
            self.text += data

    @property
    def structure(self) -> Counter[str]:
        """Elements but those in which nothing acts."""
        return Counter({tag: n for tag, n in self.elements.items() if tag not in {"code", "pre"}})


def rendered(text: str) -> tuple[Page, Page]:
    """By CommonMark with tables, as forges do it, and by another reading of Markdown."""
    forge = markdown_it.MarkdownIt("commonmark").enable("table").render(text)
    return Page(forge), Page(markdown.markdown(text, extensions=["tables"]))


USUAL = [page.structure for page in rendered(to_markdown(everywhere("word")))]
ACTS = re.compile(
    r"@|#|://|www\.|\bGH-\d|\b[0-9a-fA-F]{7,}\b|\{\{|\{%|[<>`|\[\]]|[^\x00-\x7f]*\u202e"
)


@settings(max_examples=60, deadline=None)
@given(text=HOSTILE)
@example(
    text="000\U00018cd6\U0001ecb5000\U00018cd6\U0001ecb5 @admin 000\U00018cd6\U0001ecb5&#64;admin"
)
def test_nothing_that_a_stranger_writes_acts(text: str) -> None:
    said = to_markdown(everywhere(text))
    assert said.startswith(f"{MARKER}\n")
    assert said.count("<!--") == said.count("-->") == 1
    assert printable(said, keep_newlines=True) == said
    assert not re.search(r"\{\{|\}\}|\{%|%\}|\{#", said)
    for page, plain in zip(rendered(said), USUAL, strict=True):
        assert page.structure == plain
        assert page.attributes <= {"style"}  # of tables' cells
    assert not re.search(r"^::", said, re.MULTILINE)
    assert not ACTS.search(rendered(said)[0].text)


@pytest.mark.parametrize("text", FRAGMENTS)
def test_each_way_to_act(text: str) -> None:
    for around in (text, f"a {text}{text}b"):
        test_nothing_that_a_stranger_writes_acts.hypothesis.inner_test(around)  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", ["x", "@a ", "\U000e0041 a ", "| `` ", "\u202e"])
def test_however_much_there_is_it_fits(text: str) -> None:
    big = everywhere(text * 20_000)
    many = replace(
        big, problems=[*big.problems] * 500, cells=[*big.cells] * 500, boards=[*big.boards] * 100
    )
    said = to_markdown(many)
    assert len(said) <= MAX_CHARACTERS
    assert "left out" in said
    assert "more problems" in said
