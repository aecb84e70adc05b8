"""Strangers' words in Markdown."""

import pytest

from evaluator.ci.forge.inert_markdown import block, name, prose, quoted


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("An organiser sets the label `evaluate`.", "An organiser sets the label `evaluate`."),
        ("was stopped after 60 s, at 1.5 of 2", "was stopped after 60 s, at 1.5 of 2"),
        ("fixes #1 and @bob, see https://x.y/z.", "fixes `#1` and `@bob`, see `https://x.y/z`."),
        ("'alice/right' is not (a@b.c)", "'`alice/right`' is not (`a@b.c`)"),
        ("it's up-to-date GH-12", "it's up-to-date `GH-12`"),
        ("commit deadbeef is gone", "commit `deadbeef` is gone"),
        ("one `a` `` two `", "one `a`  two `\u02cb`"),
        ("x#`y`", "`x#` `y`"),
        ("a\n\nb \u202e c", "a b `\\u202e` c"),
        ("", ""),
    ],
)
def test_sentences(text: str, shown: str) -> None:
    assert prose(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Mine", "`Mine`"),
        ("a | b", "`a \u00a6 b`"),
        ("`rm`", "`\u02cbrm\u02cb`"),
        ("<!-- pullbench -->", "`\u2039!-- pullbench --\u203a`"),
        ("{{ x }} ${{ y }} {%", "`{ { x } } ${ { y } } { %`"),
        ("C:\\", "`C:\\ `"),
        ("\u200b", "`\\u200b`"),
        (" \n ", "(empty)"),
        ("x" * 300, f"`{'x' * 199}…`"),
    ],
)
def test_quotations(text: str, shown: str) -> None:
    assert quoted(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [("Accuracy", "Accuracy"), ("F1 score", "F1 score"), ("R^2", "`R^2`"), ("", "(empty)"),
     ("A" * 81, f"`{'A' * 79}…`")],
)  # fmt: skip
def test_names(text: str, shown: str) -> None:
    assert name(text) == shown


def test_the_end_of_a_log() -> None:
    assert block("one\ntwo\n\n```\x1b[0m {{ x }}\n", lines=3) == [
        "    two", "    \u02cb\u02cb\u02cb\\x1b[0m { { x } }",
    ]  # fmt: skip
