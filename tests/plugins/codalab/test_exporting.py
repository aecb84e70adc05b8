"""The way back: what is exported comes in again as it was, to the byte."""

import io
import zipfile
from pathlib import Path

import pytest

from tests.importing.sources import V1, V2_FILES, Desk, said, v1_files, zipped
from tests.repository import Repository

BUNDLES = ["small", "own-command", "malformed-results", "parallel", "staged"]


def tree(repo: Repository, name: str) -> dict[str, tuple[bytes, bool]]:
    folder = repo.path / "benchmarks" / name
    return {
        path.relative_to(folder).as_posix(): (
            path.read_bytes(), bool(path.stat().st_mode & 0o100),
        )
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }  # fmt: skip


def export(repo: Repository, name: str, output: Path, *options: str) -> str:
    done = repo.pullbench("export", name, "--output", str(output), *options)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("bundle", BUNDLES)
def test_there_and_back(desk: Desk, bundle: str) -> None:
    repo = desk.repo.with_bundle(bundle)
    for folder in sorted((repo.path / "benchmarks").iterdir()):
        name = folder.name
        export(repo, name, desk.folder / "1.zip", "--as-is")
        done = desk.take(str(desk.folder / "1.zip"), name=f"{name}-again")
        assert not done.refused, said(done)
        assert tree(repo, f"{name}-again") == tree(repo, name)
        export(repo, f"{name}-again", desk.folder / "2.zip", "--as-is")
        assert (desk.folder / "1.zip").read_bytes() == (desk.folder / "2.zip").read_bytes()


def test_zips_comments_and_modes_come_back_as_they_were(desk: Desk) -> None:
    repo = desk.repo
    for name, content in V2_FILES.items():
        repo.write(f"benchmarks/mine/{name}", content)
    repo.write("benchmarks/mine/data.zip", zipped({"x": "1"}))
    repo.write("benchmarks/mine/zeros.txt", bytes(30 * 2**20))
    repo.write("benchmarks/mine/empty.txt", b"")
    repo.write("benchmarks/mine/run.sh", "#!/bin/sh\r\n").chmod(0o755)
    text = Path(__file__).with_name("commented.yaml").read_text()
    repo.write("benchmarks/mine/competition.yaml", text.replace("\n", "\r\n"))
    repo.commit()
    assert not repo.problems()
    export(repo, "mine", desk.folder / "1.zip", "--as-is")
    done = desk.take(str(desk.folder / "1.zip"), name="again")
    assert not done.problems
    assert tree(repo, "again") == tree(repo, "mine")


def test_an_imported_competition_of_codalab_comes_back(desk: Desk) -> None:
    desk.take(desk.zip({"competition.yaml": V1, **v1_files()}), name="old")
    export(desk.repo, "old", desk.folder / "1.zip", "--as-is")
    desk.take(str(desk.folder / "1.zip"), name="again")
    assert tree(desk.repo, "again") == tree(desk.repo, "old")


def test_the_zip_is_sorted_timeless_and_flat(desk: Desk) -> None:
    repo = desk.repo.with_bundle("small")
    export(repo, "echo", desk.folder / "1.zip")
    with zipfile.ZipFile(desk.folder / "1.zip") as archive:
        infos = archive.infolist()
    names = [info.filename for info in infos]
    assert names == sorted(names)
    assert "competition.yaml" in names
    assert {info.date_time for info in infos} == {(1980, 1, 1, 0, 0, 0)}
    again = zipfile.ZipFile(io.BytesIO((desk.folder / "1.zip").read_bytes()))
    assert again.testzip() is None


def test_a_commit_is_exported_as_it_was(desk: Desk) -> None:
    repo = desk.repo.with_bundle("small")
    before = export(repo, "echo", desk.folder / "1.zip")
    repo.write("benchmarks/echo/overview.md", "Other.\n")
    export(repo, "echo", desk.folder / "2.zip", "--at", "HEAD")
    assert (desk.folder / "1.zip").read_bytes() == (desk.folder / "2.zip").read_bytes()
    assert "bytes" in before


def test_links_are_refused(desk: Desk) -> None:
    repo = desk.repo.with_bundle("small")
    (repo.path / "benchmarks/echo/link").symlink_to("terms.md")
    done = repo.pullbench("export", "echo", "--output", str(desk.folder / "1.zip"))
    assert done.returncode == 1
    assert "is a link" in done.stderr
    assert not (desk.folder / "1.zip").exists()


def test_wrong_use(desk: Desk) -> None:
    repo = desk.repo.with_bundle("small")
    assert repo.pullbench("export", "absent").returncode == 2
    assert repo.pullbench("export", "echo", "--as-is", "--image", "x").returncode == 2
    repo.replace("benchmarks/echo/competition.yaml", "terms: terms.md", "terms: absent.md")
    done = repo.pullbench("export", "echo")
    assert done.returncode == 1
    assert "absent.md" in done.stderr
