import io
import stat
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from evaluator.core.errors import Actor, InvalidInputError
from evaluator.core.planning.export import Exporter
from tests.repository import Repository

RIGHT = "submissions/adding/alice/right"


def exporter(repo: Repository) -> Exporter:
    return Exporter(repo.snapshot().tree, repo.path / "build" / "cache")


def laid_out(made: Exporter, name: str) -> dict[str, str]:
    return files(made.folder(name))


def files(folder: Path | None) -> dict[str, str]:
    assert folder is not None
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def everything(repo: Repository) -> set[Path]:
    return {path for path in repo.path.parent.rglob("*") if not {".git", ".locks"} & {*path.parts}}


def zipped(*members: tuple[str, str, int]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content, kind in members:
            info = zipfile.ZipInfo("x")
            info.filename = name
            info.external_attr = (kind | 0o644) << 16
            made.writestr(info, content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def test_a_submission_without_its_scores_and_its_yaml(small: Repository) -> None:
    small.write(f"{RIGHT}/scores/main/one.json", "{}")
    small.write(f"{RIGHT}/data/deep.txt", "deep")
    submission = small.snapshot().submissions[0]
    made = exporter(small)
    assert set(laid_out(made, made.submission(submission))) == {"main.py", "data/deep.txt"}


def test_a_folder_a_file_and_nothing(small: Repository) -> None:
    benchmark = small.snapshot().benchmarks["adding"]
    made = exporter(small)
    assert laid_out(made, made.part(f"{benchmark.path}/reference_data/one")) == {"sum.txt": "6\n"}
    terms = made.part(f"{benchmark.path}/terms.md")
    assert laid_out(made, terms) == {"terms.md": "Anyone may enter.\n"}
    assert made.part(None) == ""


def test_a_zip_is_unpacked(small: Repository) -> None:
    small.write(
        "benchmarks/adding/data.zip",
        zipped(("a.txt", "1", stat.S_IFREG), ("b/c.txt", "2", stat.S_IFREG)),
    )
    made = exporter(small)
    folder = made.folder(made.part("benchmarks/adding/data.zip"))
    assert files(folder) == {"a.txt": "1", "b/c.txt": "2"}


@pytest.mark.parametrize(
    "member",
    [
        ("../escaped", "x", stat.S_IFREG),
        ("/tmp/escaped-from-a-zip", "x", stat.S_IFREG),
        ("link", "/etc/passwd", stat.S_IFLNK),
        ("zeros", "\0" * 50 * 2**20, stat.S_IFREG),
    ],
    ids=["climbs", "absolute", "link", "bomb"],
)
def test_a_bad_zip_writes_nothing(small: Repository, member: tuple[str, str, int]) -> None:
    small.write("benchmarks/adding/data.zip", zipped(("good", "1", stat.S_IFREG), member))
    made = exporter(small)
    (small.path / "build" / "cache").mkdir(parents=True)
    before = everything(small)
    with pytest.raises(InvalidInputError) as caught:
        made.folder(made.part("benchmarks/adding/data.zip"))
    assert caught.value.problems[0].actor is Actor.ORGANISER
    assert caught.value.problems[0].file == "benchmarks/adding/data.zip"
    assert everything(small) == before
    assert not Path("/tmp/escaped-from-a-zip").exists()


@pytest.mark.parametrize("name", ["link", "a\\b", "a\nb", "a\u202eb"])
def test_files_that_are_refused(small: Repository, name: str) -> None:
    if name == "link":
        (small.path / RIGHT / name).symlink_to("/etc/passwd")
    else:
        small.write(f"{RIGHT}/{name}", "x")
    with pytest.raises(InvalidInputError) as caught:
        made = exporter(small)
        made.folder(made.submission(small.snapshot().submissions[0]))
    assert [problem.actor for problem in caught.value.problems] == [Actor.PARTICIPANT]


def test_content_is_laid_out_once_whoever_asks(small: Repository) -> None:
    benchmark = small.snapshot().benchmarks["adding"]
    made = exporter(small)
    with ThreadPoolExecutor(8) as pool:
        name = made.part(f"{benchmark.path}/scoring_program")
        folders = set(pool.map(lambda _: made.folder(name), range(32)))
    assert len(folders) == 1
    assert [
        path.name for path in (small.path / "build/cache").iterdir() if ".part" in path.name
    ] == []


def test_any_user_can_read_it_whatever_the_umask(small: Repository) -> None:
    made = exporter(small)
    folder = made.folder(made.part("benchmarks/adding/scoring_program"))
    assert folder is not None
    assert folder.stat().st_mode & 0o777 == 0o755
    assert (folder / "scoring.py").stat().st_mode & 0o777 == 0o644


def test_the_context_of_a_build(small: Repository) -> None:
    benchmark = "benchmarks/adding"
    assert exporter(small).context(small.snapshot().benchmarks["adding"]) == ""
    for path in ("Dockerfile", "requirements.txt", "docker/run.sh"):
        small.write(f"{benchmark}/{path}", path)
    made = exporter(small)
    name = made.context(small.snapshot().benchmarks["adding"])
    folder = made.folder(name)
    assert set(files(folder)) == {"Dockerfile", "requirements.txt", "docker/run.sh"}
    small.write(f"{benchmark}/overview.md", "other")
    assert exporter(small).context(small.snapshot().benchmarks["adding"]) == name
