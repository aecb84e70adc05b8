"""A build in which nothing changed reads nothing of the repository, and anything new is noticed."""

import datetime as dt
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator.core.clock import utc_now
from evaluator.core.git.tree import begin_reading
from evaluator.site.build import build, inputs
from evaluator.site.build.inputs import unchanged_site
from evaluator.site.build.update import update_site
from tests.records import write_records
from tests.repository import Repository

ROOT = Path(__file__).parents[3]
PAGE = "build/site/benchmarks/adding/index.html"
BUNDLE = "benchmarks/adding/competition.yaml"
SUBMISSION = "submissions/adding/alice/right/submission.yaml"


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """Return a repository whose site was built."""
    made = Repository(tmp_path_factory.mktemp("built") / "repo").with_bundle("small")
    made.write("mkdocs.yml", (ROOT / "mkdocs.yml").read_text().partition("nav:")[0])
    made.write("site/index.md", "# Home\n")
    write_records(made)
    made.commit()
    update_site(made.path)
    return made


def stands(repository: Repository, now: dt.datetime | None = None) -> bool:
    tree = begin_reading(repository.path)()
    return unchanged_site(repository.path, tree, now or utc_now()) is not None


def test_a_site_in_which_nothing_changed_is_not_built(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(build, "build_site")
    assert update_site(repository.path) == (repository.path / "build/site", {})


def _edited(path: str) -> Callable[[Repository], Callable[[], object]]:
    """Return what changes a byte of a file, keeping size and time, and then goes back."""

    def edit(repository: Repository) -> Callable[[], object]:
        file = repository.path / path
        content, times = file.read_bytes(), file.stat()

        def restore() -> None:
            file.write_bytes(content)
            os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))

        file.write_bytes(content + b"\n")
        return restore

    return edit


def _added(path: str) -> Callable[[Repository], Callable[[], object]]:
    return lambda repository: repository.write(path, "new\n").unlink


def _tagged(repository: Repository) -> Callable[[], object]:
    repository.git("tag", "v1")
    return lambda: repository.git("tag", "--delete", "v1")


def _committed(repository: Repository) -> Callable[[], object]:
    repository.git("commit", "--allow-empty", "--quiet", "--message", "Fixes #7")
    return lambda: repository.git("reset", "--quiet", "--soft", "HEAD^")


@pytest.mark.parametrize(
    "change",
    [
        _edited(BUNDLE), _edited(SUBMISSION), _added("submissions/adding/alice/right/more.py"),
        _edited("mkdocs.yml"), _edited("site/index.md"), _added("site/more.md"),
        _edited(PAGE), _added("build/site/stray.html"), _tagged, _committed,
    ],
)  # fmt: skip
def test_whatever_changes_is_noticed(
    repository: Repository, change: Callable[[Repository], Callable[[], object]]
) -> None:
    undo = change(repository)
    assert not stands(repository)
    undo()
    assert stands(repository)


def test_other_programs_build_anew(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "digest_of_programs", lambda: "others")
    assert not stands(repository)


def test_the_clock_counts_where_a_phase_begins_or_ends(repository: Repository) -> None:
    day = dt.timedelta(days=1)
    noon = dt.datetime(2026, 5, 5, 12, tzinfo=dt.UTC)
    since, until = build.steady_time(noon, [noon - day, noon, noon + day, None])
    assert (since, until) == (noon, noon + day)
    (phase,) = repository.snapshot().benchmarks["adding"].phases
    assert stands(repository, phase.start)
    assert not stands(repository, phase.start - dt.timedelta(seconds=1))


def test_a_damaged_manifest_builds_anew(repository: Repository) -> None:
    undo = _edited("build/cache/site/computed/manifest")(repository)
    assert not stands(repository)
    undo()
    assert stands(repository)
