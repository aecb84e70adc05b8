import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.core.errors import printable
from evaluator.core.formats.paths import MAX_PATH, case_clashes, path_fault


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("", "empty"),
        ("/etc/passwd", "absolute"),
        ("C:/windows", "absolute"),
        ("C:windows", "absolute"),
        ("//server/share", "absolute"),
        ("../up", "climbs"),
        ("a/../../up", "climbs"),
        ("a/..", "climbs"),
        ("a\\..\\up", "backslash"),
        ("./a", "'.' part"),
        ("a//b", "empty or"),
        ("a/./b", "'.' part"),
        (".git/config", ".git"),
        ("a/.GIT/hooks/x", ".git"),
        ("a\x00b", "control"),
        ("a\nb", "control"),
        ("a\x1b[31mb", "control"),
        ("a\u202eb", "invisible"),
        ("a\u200bb", "invisible"),
        ("a\udcffb", "control"),
        ("x" * (MAX_PATH + 1), "longer"),
        (".git ./config", ".git"),
        ("a/git~1/config", "another, longer name"),
        ("GITMOD~1", "another, longer name"),
        ("a/PROGRA~2.TXT", "another, longer name"),
        ("CON", "device"),
        ("a/nul.txt", "device"),
        ("Aux .tar.gz/b", "device"),
        ("com1", "device"),
        ("lpt\u00b2.c", "device"),
        ("a/b:c", "character"),
        ("what?", "character"),
        ("a|b", "character"),
        ("a./b", "dot or a blank"),
        ("a /b", "dot or a blank"),
        ("a/b...", "dot or a blank"),
    ],
)
def test_refused(path: str, fault: str) -> None:
    assert fault in (path_fault(path) or "")


@pytest.mark.parametrize(
    "path",
    [
        "a",
        "a/b.c",
        "folder/",
        ".gitignore",
        "a..b",
        "ä/ö 1",
        "x" * 240,
        "console.py",
        "com10",
        "nullable.txt",
        "main.py~",
        "a~b",
        "backup~2024-old.tar",
        ".con",
    ],
)
def test_accepted(path: str) -> None:
    assert path_fault(path) is None


@pytest.mark.parametrize(
    ("paths", "clashes"),
    [
        (["a", "b"], []),
        (["A.txt", "a.txt"], [("A.txt", "a.txt")]),
        (["Data/x", "data/x"], [("Data", "data")]),
        (["straße", "STRASSE"], [("STRASSE", "straße")]),
        (["\u00e9", "e\u0301"], [("e\u0301", "\u00e9")]),
        (["a/b", "A"], [("A", "a")]),
    ],
)
def test_case_clashes(paths: list[str], clashes: list[tuple[str, str]]) -> None:
    assert list(case_clashes(paths)) == clashes


@given(st.text())
def test_what_is_printed_cannot_act_on_a_terminal(text: str) -> None:
    assert printable(text).isprintable()


@given(st.text(max_size=60))
def test_any_text_is_judged(path: str) -> None:
    fault = path_fault(path)
    assert fault is not None or not path.startswith("/")
