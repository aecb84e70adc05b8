"""Zips, directories and addresses, of well-meaning and of other people."""

import hashlib
import io
import stat
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from evaluator.errors import PlatformError, PullbenchError, UsageError
from evaluator.formats.schema import dump_yaml
from tests.importers.sources import V2_FILES, Desk, said, v2, zipped

YAML = dump_yaml(v2())
FILES = {"competition.yaml": YAML, **V2_FILES}


def test_a_zip_and_a_directory_give_the_same(desk: Desk) -> None:
    done = desk.take(desk.zip(FILES))
    assert done.files == set(FILES)
    assert not done.problems
    assert desk.take(desk.directory(FILES), name="other").files == done.files
    assert desk.read("competition.yaml") == desk.read("competition.yaml", "other")


def test_the_name_is_made_from_the_title(desk: Desk) -> None:
    assert desk.take(desk.zip(FILES), name=None).name == "adding-up"


def test_what_is_there_is_replaced_only_with_force(desk: Desk) -> None:
    desk.take(desk.zip(FILES))
    changed = desk.zip({**FILES, "terms.md": "Other terms.\n"})
    with pytest.raises(UsageError, match="there already"):
        desk.take(changed)
    assert desk.read("terms.md") == "Anyone may enter.\n"
    desk.take(changed, force=True)
    assert desk.read("terms.md") == "Other terms.\n"
    assert not list((desk.repo.path / "build/import").glob("[!.]*"))


def test_a_refused_bundle_leaves_nothing(desk: Desk) -> None:
    done = desk.take_v2(tasks=[])
    assert done.refused
    assert not (desk.repo.path / "benchmarks").exists()
    assert not list((desk.repo.path / "build/import").glob("[!.]*"))


def test_files_of_macos_and_windows_are_left_out(desk: Desk) -> None:
    junk = {
        "__MACOSX/._competition.yaml": b"\0",
        "__MACOSX/._Icon\r": b"\0",
        "scoring_program/.DS_Store": b"\0",
        "scoring_program/__pycache__/score.cpython-37.pyc": b"\0",
        "Thumbs.db": b"\0",
        "reference_data/._sum.txt": b"\0",
    }
    done = desk.take(desk.zip({**FILES, **junk}))
    assert done.files == set(FILES)
    assert "6 files of macOS, Windows, Python or git left out" in said(done, "note")


@pytest.mark.parametrize("prefix", ["bundle/", "a/b/"])
def test_a_lone_folder_is_the_bundle(desk: Desk, prefix: str) -> None:
    done = desk.take(desk.zip({f"{prefix}{name}": content for name, content in FILES.items()}))
    assert done.files == set(FILES)
    assert "the content of the folder" in said(done, "note")


def test_files_beside_that_folder_are_named(desk: Desk) -> None:
    files = {f"bundle/{name}": content for name, content in FILES.items()}
    done = desk.take(desk.zip({**files, "README.txt": "hello"}))
    assert "left out: README.txt" in said(done, "warning")


@pytest.mark.parametrize("name", ["competition.yml", "Competition.YAML"])
def test_other_spellings_of_the_file_are_found(desk: Desk, name: str) -> None:
    done = desk.take(desk.zip({name: YAML, **V2_FILES}))
    assert f"is called '{name}'" in said(done, "warning")
    assert done.files == set(FILES)


def test_without_the_file_it_is_no_bundle(desk: Desk) -> None:
    assert "is not in the bundle" in said(desk.take(desk.zip(V2_FILES)))
    two = desk.zip({"a/competition.yaml": YAML, "b/competition.yaml": YAML})
    assert "but in a, b" in said(desk.take(two))


def test_executable_bits_are_kept(desk: Desk) -> None:
    buffer = io.BytesIO(zipped(FILES))
    with zipfile.ZipFile(buffer, "a") as archive:
        info = zipfile.ZipInfo("scoring_program/run.sh")
        info.external_attr = (stat.S_IFREG | 0o755) << 16
        archive.writestr(info, "#!/bin/sh\n")
    path = desk.folder / "bits.zip"
    path.write_bytes(buffer.getvalue())
    desk.take(str(path))
    program = desk.repo.path / "benchmarks/new/scoring_program"
    assert (program / "run.sh").stat().st_mode & 0o111
    assert not (program / "score.py").stat().st_mode & 0o111


def test_backslashes_and_dots_in_member_names_are_read(desk: Desk) -> None:
    files = {f"./{name}".replace("/", "\\"): content for name, content in FILES.items()}
    assert desk.take(desk.zip(files)).files == set(FILES)


def test_a_name_in_unmarked_utf_8_is_read(desk: Desk) -> None:
    made = zipped({**FILES, "pages/XXXXl.md": "hello"})
    path = desk.folder / "names.zip"
    path.write_bytes(made.replace(b"XXXXl", "é".encode() * 2 + b"l"))
    assert "pages/éél.md" in desk.take(str(path)).files


def test_a_doubled_member_counts_once_where_it_is_the_same(desk: Desk) -> None:
    for content, refused in ((V2_FILES["terms.md"], False), ("Other.\n", True)):
        buffer = io.BytesIO(zipped(FILES))
        with zipfile.ZipFile(buffer, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("terms.md", content)
        path = desk.folder / "double.zip"
        path.write_bytes(buffer.getvalue())
        done = desk.take(str(path), force=True)
        assert done.refused is refused
    assert "twice, with different content" in said(done)


def hostile() -> Iterator[tuple[str, bytes, str]]:
    yield "climbs", zipped({**FILES, "../../escaped.txt": "x"}), "climbs out"
    yield "climbs-on-windows", zipped({**FILES, "..\\..\\escaped.txt": "x"}), "climbs out"
    yield "absolute", zipped({**FILES, "/tmp/escaped.txt": "x"}), "is absolute"
    yield "drive", zipped({**FILES, "C:\\escaped.txt": "x"}), "is absolute"
    yield "bomb", zipped({**FILES, "zeros": bytes(30 * 2**20)}), "inflates past"
    yield "case", zipped({**FILES, "Terms.md": "x"}), "differ only by case"
    yield "no-zip", b"hello", "not a readable zip"
    yield "file-and-folder", zipped({**FILES, "terms.md/x": "x"}), "both as a file and as a folder"
    buffer = io.BytesIO(zipped(FILES))
    with zipfile.ZipFile(buffer, "a") as archive:
        info = zipfile.ZipInfo("reference_data/link")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    yield "link", buffer.getvalue(), "is a link"
    naming = dump_yaml(v2(solutions=[{"index": 0, "path": "one.zip"}]))
    inner = zipped({"../../escaped.txt": "x"})
    nested = {**FILES, "competition.yaml": naming, "one.zip": inner}
    yield "nested", zipped(nested), "climbs out"


@pytest.mark.parametrize(
    ("content", "reason"), [pytest.param(c, r, id=name) for name, c, r in hostile()]
)
def test_a_hostile_zip_is_refused_and_writes_nowhere(
    desk: Desk, content: bytes, reason: str
) -> None:
    path = desk.folder / "hostile.zip"
    path.write_bytes(content)
    done = desk.take(str(path))
    assert done.refused
    assert reason in said(done, "error")
    assert not (desk.repo.path / "benchmarks").exists()
    assert not list(desk.repo.path.parent.rglob("escaped.txt"))


def test_links_in_a_directory_are_refused(desk: Desk) -> None:
    source = desk.directory(FILES)
    (Path(source) / "reference_data/secret").symlink_to("/etc/passwd")
    (Path(source) / "more").symlink_to("/etc")
    done = desk.take(source)
    assert said(done, "error").count("is a link") == 2


def test_a_git_folder_in_a_directory_stays_behind(desk: Desk) -> None:
    source = desk.directory({**FILES, ".git/config": "[core]\n", ".gitignore": "x\n"})
    assert desk.take(source).files == {*FILES, ".gitignore"}


@pytest.fixture
def served(desk: Desk) -> Iterator[str]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    handler = partial(Quiet, directory=str(desk.folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_an_address_needs_its_digest(desk: Desk, served: str) -> None:
    source = Path(desk.zip(FILES))
    digest = hashlib.sha256(source.read_bytes()).hexdigest()
    with pytest.raises(UsageError, match="needs its digest"):
        desk.take(f"{served}/bundle.zip")
    with pytest.raises(PullbenchError, match="has the SHA-256"):
        desk.take(f"{served}/bundle.zip", sha256="0" * 64)
    with pytest.raises(PlatformError, match="404"):
        desk.take(f"{served}/absent.zip", sha256=digest)
    assert desk.take(f"{served}/bundle.zip", sha256=digest.upper()).files == set(FILES)
    assert desk.take(source.as_uri(), sha256=digest, name="file").files == set(FILES)
    with pytest.raises(PullbenchError, match="has the SHA-256"):
        desk.take(str(source), sha256="0" * 64, name="other")


def test_a_source_that_is_not_there(desk: Desk) -> None:
    with pytest.raises(UsageError, match="no file or directory"):
        desk.take(str(desk.folder / "absent.zip"))
