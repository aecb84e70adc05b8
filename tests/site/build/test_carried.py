"""A site that one machine builds on with what another has built, and nobody else's."""

import shutil
from pathlib import Path

import pytest

from evaluator.core.errors import UsageError
from evaluator.site.build.carried import pack_site, unpack_site
from evaluator.site.build.update import update_site
from tests.records import write_records
from tests.repository import Repository

ROOT = Path(__file__).parents[3]
KEY = "k" * 64
State = dict[str, tuple[bytes, int]]


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """Return a repository whose site was built and packed into ``site.tar`` beside it."""
    repo = Repository(tmp_path_factory.mktemp("carried") / "repo").with_bundle("small")
    repo.write("mkdocs.yml", (ROOT / "mkdocs.yml").read_text().partition("nav:")[0])
    repo.write("site/index.md", "# Home\n")
    write_records(repo)
    repo.commit()
    update_site(repo.path, repo.path.parent / "site.tar", KEY)
    return repo


@pytest.fixture
def packed(first: Repository, tmp_path: Path) -> Path:
    shutil.copy(first.path.parent / "site.tar", tmp_path)
    return tmp_path / "site.tar"


@pytest.fixture
def second(first: Repository, tmp_path: Path) -> Repository:
    """Another machine, with another record."""
    first.git("clone", "--quiet", str(first.path), str(tmp_path / "repo"))
    repo = Repository(tmp_path / "repo")
    path = "submissions/adding/alice/right/submission.yaml"
    repo.write(path, (repo.path / path).read_text() + "description: Of another kind.\n")
    repo.commit()
    return repo


def files(repo: Repository) -> State:
    """Contents and times of a built site."""
    site = repo.path / "build" / "site"
    return {path.relative_to(site).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
            for path in site.rglob("*") if path.is_file()}  # fmt: skip


def contents(repo: Repository) -> dict[str, bytes]:
    return {path: content for path, (content, _) in files(repo).items()}


def fresh(repo: Repository) -> dict[str, bytes]:
    shutil.rmtree(repo.path / "build")
    update_site(repo.path)
    return contents(repo)


@pytest.mark.slow
def test_what_did_not_change_keeps_its_bytes_and_its_time(
    first: Repository, second: Repository, packed: Path
) -> None:
    """So that what copies the site to a server by size and time sends what changed."""
    before = packed.read_bytes()
    update_site(second.path, packed, KEY)
    old, new = files(first), files(second)
    assert packed.read_bytes() != before, "the next machine has this one's"
    same = [path for path in new if path in old and old[path][0] == new[path][0]]
    assert all(old[path] == new[path] for path in same)
    assert len(same) > len(new) / 2
    assert contents(second) == fresh(second)


def test_a_site_in_which_nothing_changed_is_not_built_on_another_machine(
    first: Repository, packed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files(first)
    shutil.rmtree(first.path / "build")
    monkeypatch.delattr("evaluator.site.build.build.build_site")
    update_site(first.path, packed, KEY)
    assert files(first) == before


def forged(file: Path, repo: Repository) -> None:
    """As somebody packs it who has all but the key."""
    shutil.copytree(repo.path / "build", file.parent / "forged" / "build")
    for page in (file.parent / "forged" / "build" / "site").rglob("*.html"):
        page.write_text("<script>evil()</script>")
    pack_site(file.parent / "forged", file, "x" * 64)


def flipped(file: Path, _: Repository) -> None:
    content = bytearray(file.read_bytes())
    content[content.index(b"<!doctype html>")] ^= 1
    file.write_bytes(content)


def cut(file: Path, _: Repository) -> None:
    file.write_bytes(file.read_bytes()[:-100])


def emptied(file: Path, _: Repository) -> None:
    file.write_bytes(b"")


@pytest.mark.parametrize("harm", [forged, flipped, cut, emptied])
def test_what_somebody_else_packed_is_not_unpacked(
    first: Repository, packed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    harm: object,
) -> None:  # fmt: skip
    assert callable(harm)
    harm(packed, first)
    assert unpack_site(tmp_path / "elsewhere", packed, KEY) == 0
    assert not (tmp_path / "elsewhere").exists()
    assert "was not packed with PULLBENCH_SITE_KEY" in capsys.readouterr().err


def test_without_a_key_nothing_is_carried(second: Repository, packed: Path) -> None:
    before = packed.read_bytes()
    update_site(second.path, packed, "")
    assert packed.read_bytes() == before
    with pytest.raises(UsageError, match="PULLBENCH_SITE_KEY has 5 characters"):
        update_site(second.path, packed, "short")
