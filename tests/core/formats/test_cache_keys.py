"""Digests of folders."""

from pathlib import Path

from evaluator.core.formats.cache import digest_of_files


def test_names_and_contents_of_all_files_count(tmp_path: Path) -> None:
    for path in ("board/templates/a.html", "board/pages.py"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("first")
    first, code = digest_of_files(tmp_path), digest_of_files(tmp_path, "*.py")
    assert first != code
    (tmp_path / "board/__pycache__").mkdir()
    (tmp_path / "board/__pycache__/pages.pyc").write_bytes(b"made anew")
    assert digest_of_files(tmp_path) == first
    page = tmp_path / "board/templates/a.html"
    page.write_text("other")
    other = digest_of_files(tmp_path)
    assert other != first
    page.rename(page.with_name("b.html"))
    assert digest_of_files(tmp_path) not in (first, other)
    assert digest_of_files(tmp_path, "*.py") == code


def test_a_file_does_not_run_into_the_next(tmp_path: Path) -> None:
    found = set()
    for name, text, other in (("a", "xb", "y"), ("a", "x", "by")):
        (tmp_path / name).write_text(text)
        (tmp_path / "b").write_text(other)
        found.add(digest_of_files(tmp_path))
    assert len(found) == 2
