"""What a scoring program may do with the predictions."""

import pytest

from tests.repository import Repository

LOCKS = """\
import os
import sys
from pathlib import Path

source, target = map(Path, sys.argv[1:3])
given = source / "res" / "predictions.csv"
(source / "res" / "start.lock").write_text("mine")
text = given.read_text()
given.write_text("changed")
(source / "res" / "made").mkdir()
ran = os.access(source / "res" / "run.sh", os.X_OK)
(target / "scores.json").write_text('{"agreement": %d, "runs": %d}' % (len(text), ran))
"""


def one_cell(repo: Repository) -> dict[str, float]:
    (record,) = repo.run("echo/alice/same").values()
    assert record.error is None, record.error
    return {**record.scores, **record.extra}


@pytest.fixture
def writer(small: Repository) -> Repository:
    """A scoring program that writes among the predictions."""
    small.write("benchmarks/echo/scoring_program/scoring.py", LOCKS)
    small.replace(
        "benchmarks/echo/competition.yaml", "\npullbench:\n", "\npullbench:\n  extra: [runs]\n"
    )
    small.write("submissions/echo/alice/same/run.sh", "#!/bin/sh\n").chmod(0o755)
    small.commit()
    return small


@pytest.mark.docker
def test_it_may_write_among_them_and_changes_nothing(writer: Repository) -> None:
    before = (writer.path / "submissions/echo/alice/same/predictions.csv").read_text()
    first = one_cell(writer)
    assert first["runs"] == 1
    writer.write("benchmarks/echo/scoring_program/scoring.py", LOCKS + "# again\n")
    writer.commit()
    assert one_cell(writer) == first
    assert (writer.path / "submissions/echo/alice/same/predictions.csv").read_text() == before


@pytest.mark.docker
def test_what_it_adds_is_bounded(writer: Repository) -> None:
    writer.write(
        "benchmarks/echo/scoring_program/scoring.py",
        "import sys, time\nfrom pathlib import Path\n"
        "for number in range(64):\n"
        "    (Path(sys.argv[1]) / f'res/{number}').write_bytes(bytes(2**20))\n"
        "time.sleep(5)\n",
    )
    writer.commit()
    (record,) = writer.run("echo/alice/same").values()
    assert record.error is not None
    assert (record.error.reason, record.error.actor) == ("wrote too much", "organiser")
