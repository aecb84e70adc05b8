"""LaTeX and Markdown tables: what strangers write in them stays text."""

import re
from dataclasses import replace

import markdown_it
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.core.leaderboard.published import publish
from evaluator.site.boards.exports.paper_tables import to_latex, to_markdown
from tests.core.leaderboard.boards import Entries, make_benchmark

COMMANDS = re.compile(
    r"\\(?:textbackslash|textasciitilde|textasciicircum|textless|textgreater|textbar|ldots)\{\}"
    r"|\\symbol\{\d\d\}|\\[{}$&#_%]|\{[\[\]*]\}|\$(?:\\pm|\\uparrow|\\downarrow|-)\$"
)
"""All that a text of a cell may become."""


def named(title: str) -> Entries:
    entries = Entries(make_benchmark())
    entries.enter("ada", "entry", {"a": -1.5}).enter("bob", "other", {"a": 2.0})
    entries.submissions[0] = replace(entries.submissions[0], title=title)
    return entries


def test_the_best_is_bold_and_numbers_have_a_minus_sign() -> None:
    text = to_latex(publish(named("entry").private_board()))
    assert r"1 & Other (bob) & \textbf{2.000} \\" in text
    assert r"2 & entry (ada) & $-$1.500 \\" in text
    assert r"\begin{tabular}{rlr}" in text
    assert "| 1 | Other (bob) | **2.000** |" in to_markdown(named("entry").board())


@settings(max_examples=20)
@given(st.text(max_size=60))
@pytest.mark.parametrize(
    "start", ["", "\\input{/etc/passwd}", "$", "%", "a & b \\\\", "^^M\n[1em]"]
)
def test_no_name_is_a_command_of_latex(start: str, title: str) -> None:
    lines = to_latex(named(start + title).board()).splitlines()
    assert len(lines) == 10
    name = lines[7].removeprefix("2 & ").removesuffix(r" & $-$1.500 \\")
    rest = COMMANDS.sub("", name)
    assert not set(rest) & set('\\{}$&#_%~^<>|"`[]*\n\r'), name


@settings(max_examples=20)
@given(st.text(max_size=60))
@pytest.mark.parametrize(
    "start", ["", "|", "`a", "<img src=x onerror=alert(1)>", "[x](javascript:1)"]
)
def test_no_name_is_markup_of_markdown(start: str, title: str) -> None:
    text = to_markdown(named(start + title).board())
    tokens = markdown_it.MarkdownIt("commonmark").enable("table").parse(text)
    (table,) = [token for token in tokens if token.type == "table_open"]
    assert table.map == [0, 4]
    for token in tokens:
        for child in token.children or ():
            assert child.type in {"text", "strong_open", "strong_close", "text_special"}, text
