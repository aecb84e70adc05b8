"""Bundles that others published, where they are at hand: each comes in, or is refused for a reason.

PULLBENCH_PUBLIC_BUNDLES names a folder; every competition.yaml and every zip with one below it is
imported. None of them is part of this repository.
"""

import os
import zipfile
from pathlib import Path

import pytest

from tests.importing.sources import Desk, said

FOLDER = os.environ.get("PULLBENCH_PUBLIC_BUNDLES", "")
REASONS = ("is not in the bundle", "names the data set", "names the task", "has no metadata")
"""Reasons that lie in a bundle itself: files that its author left out."""


def bundles() -> list[Path]:
    root = Path(FOLDER)
    if not FOLDER or not root.is_dir():
        return []
    found = {path.parent for path in root.rglob("competition.yaml")}
    for path in root.rglob("*.zip"):
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                names = [name.rpartition("/") for name in archive.namelist()]
            if any(
                last == "competition.yaml" and "__MACOSX" not in head for head, _, last in names
            ):
                found.add(path)
    return sorted(found)


@pytest.mark.skipif(not bundles(), reason="PULLBENCH_PUBLIC_BUNDLES names no folder of bundles")
@pytest.mark.parametrize("path", bundles(), ids=lambda path: str(path.relative_to(FOLDER)))
def test_public_bundle(desk: Desk, path: Path) -> None:
    done = desk.take(str(path), name="public")
    if done.refused:
        errors = said(done, "error").splitlines()
        assert errors
        assert all(any(reason in line for reason in REASONS) for line in errors), said(done)
        return
    assert not [problem for problem in desk.repo.problems() if problem.severity == "error"]
    output = desk.folder / "1.zip"
    assert (
        desk.repo.pullbench("export", "public", "--as-is", "--output", str(output)).returncode == 0
    )
    desk.take(str(output), name="again")
    assert (
        desk.repo.pullbench(
            "export", "again", "--as-is", "--output", str(desk.folder / "2.zip")
        ).returncode
        == 0
    )
    assert output.read_bytes() == (desk.folder / "2.zip").read_bytes()
