"""Zips, directories and addresses, of well-meaning and of other people."""

import hashlib
import io
import os
import stat
import threading
import zipfile
from collections.abc import Iterator, Mapping
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path

import pytest

from evaluator.core.errors import PlatformError, PullbenchError, UsageError
from evaluator.core.formats.schema import dump_yaml
from tests.importing.calling import pullbench
from tests.importing.sources import V2_FILES, Content, Desk, said, v2, zipped

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


@pytest.mark.slow
def test_of_many_files_some_are_named(desk: Desk) -> None:
    files = {f"bundle/{name}": content for name, content in FILES.items()}
    done = desk.take(desk.zip({**files, **{f"data/{n:05}.csv": "" for n in range(5000)}}))
    assert "data/00009.csv and 4,990 more" in said(done, "warning")
    assert max(map(len, said(done).splitlines())) < 500
    source = desk.zip({**FILES, "competition.yaml": dump_yaml(v2(terms="\\" + "x" * 100_000))})
    assert max(map(len, said(desk.take(source, name="other"), "warning").splitlines())) < 1200


def test_what_is_alike_is_counted(desk: Desk) -> None:
    keys = {f"strange_{number}": number for number in range(1200)}
    source = desk.zip({**FILES, "competition.yaml": dump_yaml(v2(**keys))})
    code, text = pullbench(desk.repo.path, "import", source)
    lines = [line for line in text.splitlines() if "is not a known key" in line]
    assert code == 0 and len(lines) == 11
    assert "strange_9: is not a known key" in lines[9]
    assert lines[10].startswith("warning: 1,190 more of this: is not a known key;")


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


def link_zip(files: Content, links: Mapping[str, str]) -> bytes:
    """Zip as ``zip -ry`` writes it."""
    buffer = io.BytesIO(zipped(files))
    with zipfile.ZipFile(buffer, "a") as archive:
        for name, target in links.items():
            info = zipfile.ZipInfo(name)
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, target)
    return buffer.getvalue()


def marked(files: Content, *, flag: int = 0, kind: int = stat.S_IFREG) -> bytes:
    """Zip with one more member that has a flag, or is of a kind."""
    buffer = io.BytesIO(zipped(files))
    with zipfile.ZipFile(buffer, "a") as archive:
        info = zipfile.ZipInfo("reference_data/more.txt")
        info.external_attr = (kind | 0o644) << 16
        archive.writestr(info, "x")
        info.flag_bits |= flag
    return buffer.getvalue()


def hostile() -> Iterator[tuple[str, bytes, str]]:
    yield "climbs", zipped({**FILES, "../../escaped.txt": "x"}), "climbs out"
    yield "climbs-on-windows", zipped({**FILES, "..\\..\\escaped.txt": "x"}), "climbs out"
    yield "absolute", zipped({**FILES, "/tmp/escaped.txt": "x"}), "is absolute"
    yield "drive", zipped({**FILES, "C:\\escaped.txt": "x"}), "is absolute"
    yield "bomb", zipped({**FILES, "zeros": bytes(30 * 2**20)}), "inflates past"
    yield "case", zipped({**FILES, "Terms.md": "x"}), "differ only by case"
    yield "no-zip", b"hello", "not a readable zip"
    yield "file-and-folder", zipped({**FILES, "terms.md/x": "x"}), "both as a file and as a folder"
    yield "link", link_zip(FILES, {"reference_data/link": "/etc/passwd"}), "leads out of"
    through = {**FILES, "more/x.txt": "x"}
    yield "through-a-link", link_zip(through, {"more": "/tmp"}), "both as a file and as a folder"
    naming = dump_yaml(v2(solutions=[{"index": 0, "path": "one.zip"}]))
    inner = zipped({"../../escaped.txt": "x"})
    nested = {**FILES, "competition.yaml": naming, "one.zip": inner}
    yield "nested", zipped(nested), "climbs out"
    yield "encrypted", marked(FILES, flag=1), "is encrypted"
    for kind in (stat.S_IFBLK, stat.S_IFCHR, stat.S_IFIFO, stat.S_IFSOCK):
        yield f"special-{kind:o}", marked(FILES, kind=kind), "a link or a special file"
    below = link_zip(FILES, {"more": "../..", "more/escaped.txt": "/etc/passwd"})
    yield "link-below-a-link", below, "is below a link"
    many = {f"zeros/{number}": bytes(9 * 2**20) for number in range(16)}
    yield "bomb-of-many-small-ones", zipped({**FILES, **many}), "inflates past"
    yield "case-of-folders", zipped({**FILES, "Reference_Data/x": "x"}), "differ only by case"


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
    assert not [
        Path(folder, name)
        for folder, folders, files in os.walk(desk.repo.path.parent)
        for name in (*folders, *files)
        if name == "escaped.txt"
    ]


def linked(desk: Desk, form: str, files: Content, links: Mapping[str, str]) -> str:
    """Source with links, as a zip or as a directory."""
    if form == "zip":
        path = desk.folder / "links.zip"
        path.write_bytes(link_zip(files, links))
        return str(path)
    source = desk.directory(files)
    for name, target in links.items():
        (Path(source) / name).parent.mkdir(parents=True, exist_ok=True)
        (Path(source) / name).symlink_to(target)
    return source


@pytest.mark.parametrize("form", ["directory", "zip"])
def test_links_in_the_tree_are_followed_as_zip_does(desk: Desk, form: str) -> None:
    files = {name: text for name, text in FILES.items() if not name.startswith("reference_data")}
    files["shared/data/sum.txt"] = "3\n"
    links = {
        "reference_data": "shared/data",
        "scoring_program/helper.py": "score.py",
        "shared/more": "data",
    }
    done = desk.take(linked(desk, form, files, links))
    assert not done.refused, said(done)
    target = desk.repo.path / "benchmarks/new"
    assert (target / "reference_data/sum.txt").read_text() == "3\n"
    assert (target / "shared/more/sum.txt").read_text() == "3\n"
    assert desk.read("scoring_program/helper.py") == desk.read("scoring_program/score.py")
    assert not [path for path in target.rglob("*") if path.is_symlink()]


@pytest.mark.parametrize("form", ["directory", "zip"])
def test_links_out_of_the_source_are_refused_and_not_read(desk: Desk, form: str) -> None:
    (desk.folder / "secret.txt").write_text("secret")
    links = {
        "reference_data/secret": "/etc/passwd",
        "more": "/etc",
        "reference_data/near": "../../secret.txt",
        "reference_data/nowhere-outside": "../../../nothing",
    }
    done = desk.take(linked(desk, form, FILES, links))
    assert done.refused
    assert said(done, "error").count("leads out of what is imported") == len(links)


def test_links_to_a_neighbour_are_followed_within_a_folder_that_holds_both(desk: Desk) -> None:
    """As in a repository of several bundles that share their pages."""
    files = {name: text for name, text in FILES.items() if name != "terms.md"}
    source = Path(linked(desk, "directory", files, {"terms.md": "../other/bundle/terms.md"}))
    desk.directory({"bundle/terms.md": "Anyone.\n"}, "other")
    assert "--within FOLDER follows it" in said(desk.take(str(source)), "error")
    done = desk.take(str(source), within=desk.folder)
    assert not done.refused, said(done)
    assert desk.read("terms.md") == "Anyone.\n"
    (source / "more.md").symlink_to("/etc/passwd")
    assert desk.take(str(source), within=desk.folder, name="more").refused
    with pytest.raises(UsageError, match="is not a directory below"):
        desk.take(str(source), within=desk.folder / "other", name="more")


@pytest.mark.parametrize("form", ["directory", "zip"])
def test_links_outside_the_folder_that_is_used_are_no_error(desk: Desk, form: str) -> None:
    files = {f"bundle/{name}": text for name, text in FILES.items()}
    links = {"docs/site": "/srv/www", "docs/loop": "loop", "bundle/data": "../data"}
    done = desk.take(linked(desk, form, {**files, "data/x.csv": "1\n"}, links))
    assert not done.refused, said(done)
    assert desk.read("data/x.csv") == "1\n"
    assert "docs" not in said(done, "error")


def test_links_to_nothing_and_in_a_circle_are_left_out(desk: Desk) -> None:
    links = {"reference_data/gone": "nothing.csv", "around": ".", "reference_data/up": ".."}
    done = desk.take(linked(desk, "directory", FILES, links))
    assert done.files == set(FILES), said(done)
    warnings = said(done, "warning")
    assert "gone: is a link that leads nowhere" in warnings
    assert warnings.count("is a link to a folder around itself") == 2


def test_a_link_to_files_of_git_brings_none_of_them(desk: Desk) -> None:
    files = {**FILES, ".git/config": "[remote]\nurl = https://user:token@example.org\n"}
    done = desk.take(linked(desk, "directory", files, {"page.md": ".git/config"}))
    assert done.refused
    assert "such as one of git's own" in said(done, "error")


@pytest.mark.slow
def test_links_that_multiply_are_bounded(desk: Desk) -> None:
    names = [f"level{number}" for number in range(20)]
    links = {f"{a}/{side}": f"../{b}" for a, b in pairwise(names) for side in "ab"}
    files = {**FILES, "level19/x": "1"}
    done = desk.take(linked(desk, "zip", files, links))
    assert done.refused
    assert "that links bring" in said(done, "error")


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
