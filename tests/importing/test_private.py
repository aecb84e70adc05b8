import hashlib
from pathlib import Path

import pytest

from evaluator.core.compute.steps import CellFailedError
from evaluator.core.errors import PlatformError
from evaluator.core.formats.pinned_files import PrivateData
from evaluator.core.formats.record import Reason
from evaluator.importing.pinned import content_digest
from evaluator.importing.private_parts import find_private
from tests.repository import Repository

CONTENT = b"the answers"
DIGEST = hashlib.sha256(CONTENT).hexdigest()


def data(path: str, digest: str = DIGEST) -> PrivateData:
    return PrivateData(task=0, file="reference_data", path=path, sha256=digest)


def test_a_file_and_a_folder(tmp_path: Path) -> None:
    (tmp_path / "answers").write_bytes(CONTENT)
    assert find_private(data("answers"), tmp_path) == tmp_path / "answers"
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep/answers").write_bytes(CONTENT)
    digest = (
        "ffdfeea535e80fba1ab6edcafa71362a1a8a9ac27d4e27b8194d3c3d336c329b"  # frozen: bundles pin it
    )
    assert content_digest(folder) == digest
    assert find_private(data("folder", digest), tmp_path) == folder


def test_other_data_is_the_organisers_fault(tmp_path: Path) -> None:
    (tmp_path / "answers").write_bytes(b"other")
    with pytest.raises(CellFailedError, match="has the digest") as caught:
        find_private(data("answers"), tmp_path)
    assert caught.value.error.reason is Reason.BAD_DATA


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(CONTENT)
    (tmp_path / "answers").symlink_to("real")
    with pytest.raises(CellFailedError, match="is a link"):
        find_private(data("answers"), tmp_path)


@pytest.mark.parametrize("root", [None, Path()])
def test_a_runner_without_the_data_is_the_wrong_platform(root: Path | None) -> None:
    with pytest.raises(PlatformError, match="answers"):
        find_private(data("answers-that-are-not-here"), root)


@pytest.mark.parametrize("below", [False, True])
def test_data_of_the_runner_is_scored_with(
    small: Repository, tmp_path: Path, environments: Path, below: bool
) -> None:
    """The reference data leave git; their digest stays in the bundle and in the keys."""
    small.share_environments(environments)
    bundle = "benchmarks/echo"
    answers = (small.path / "build" if below else tmp_path) / "private" / "echo"
    answers.parent.mkdir(parents=True)
    (small.path / bundle / "reference_data").rename(answers)
    digest = small.pullbench("pin", "--data", str(answers)).stdout.strip()
    entry = f"{{task: 0, file: reference_data, path: echo, sha256: {digest}}}"
    small.replace(
        f"{bundle}/competition.yaml", "pullbench:\n", f"pullbench:\n  private: [{entry}]\n"
    )
    named = "build/private" if below else str(answers.parent)
    small.write("pyproject.toml", f'[tool.pullbench]\ndata = "{named}"\n')
    (leak,) = small.problems()  # the data were committed before
    assert (leak.severity, leak.key) == ("warning", "pullbench.private")
    cell = "echo/alice/same/main/echo"
    assert small.run(cell, engine="subprocess")[cell].scores == {"agreement": 1.0}
    (answers / "predictions.csv").write_text("id,value\n")
    error = small.run(cell, engine="subprocess")[cell].error
    assert error is not None
    assert (error.actor, error.reason) == ("organiser", Reason.BAD_DATA)
