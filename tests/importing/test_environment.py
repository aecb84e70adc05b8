"""What programs of other platforms have around them, and what becomes of it here."""

import docker
import pytest

from evaluator.core.formats.schema import dump_yaml
from evaluator.importing.pinned import content_digest
from tests.importing.sources import Desk, said

INGESTION = """\
import sys
from pathlib import Path

output, submission = map(Path, sys.argv[1:3])
(output / "answer.txt").write_text((submission / "program.py").read_text())
raise ("no program to execute !")
"""
SCORING = """\
import json
import sys
from pathlib import Path

answer = int((Path(sys.argv[1]) / "res" / "answer.txt").read_text())
(Path(sys.argv[2]) / "scores.json").write_text(json.dumps({"score": answer}))
"""
WITH_INGESTION = {
    "ingestion_program/metadata": "command: python3 $program/run.py $output $submission_program\n",
    "ingestion_program/run.py": INGESTION,
    "scoring_program/score.py": SCORING,
}
TASK = {"index": 0, "name": "Sums", "scoring_program": "scoring_program",
        "ingestion_program": "ingestion_program"}  # fmt: skip


def enter(desk: Desk, content: str, name: str = "first") -> str:
    desk.repo.write(f"submissions/new/ann/{name}/submission.yaml", "kind: code\n")
    desk.repo.write(f"submissions/new/ann/{name}/program.py", content)
    desk.repo.commit()
    return f"new/ann/{name}/main/sums"


@pytest.mark.slow
@pytest.mark.docker
def test_an_ingestion_program_that_ends_in_an_error_after_writing(desk: Desk) -> None:
    """As DC-CSV-parsing, whose program raises a text in its last line."""
    done = desk.take_v2(WITH_INGESTION, tasks=[TASK], docker_image="python:3.11-slim")
    assert not done.refused, said(done)
    assert desk.data()["pullbench"] == {"ingestion_may_fail": True}
    assert "'ingestion_may_fail'" not in said(done, "error")
    good, bad = enter(desk, "7"), enter(desk, "seven", "second")
    records = desk.repo.run()
    assert records[good].scores == {"score": 7}
    assert [step.exit_code for step in records[good].steps] == [1, 0]
    # What cannot be scored is the fault of the step that ended with an error. No line of it is the
    # participant's, so that only another record which was scored makes it theirs to answer.
    first = records[bad]
    desk.repo.commit()
    second = desk.repo.run(bad, fresh=True)[bad]
    for record, actor in ((first, "organiser"), (second, "participant")):
        error = record.error
        assert error is not None
        assert (error.reason, error.actor, error.step) == (
            "exited with an error", actor, "ingestion"
        )  # fmt: skip
        assert [step.exit_code for step in record.steps] == [1, 1]
    # Without the key the first error ends the cell, under another key.
    path = "benchmarks/new/competition.yaml"
    desk.repo.replace(path, "ingestion_may_fail: true", "ingestion_may_fail: false")
    desk.repo.commit()
    again = desk.repo.run(good)[good]
    assert again.error is not None
    assert again.error.reason == "exited with an error"
    assert again.keys.parts["limits"] != records[good].keys.parts["limits"]


READS_DATA = """\
import json
import sys
from pathlib import Path

seen = Path("/app/data/large.txt").read_text()
Path("/app/output/scores.json").write_text(json.dumps({"score": int(seen)}))
try:
    Path("/app/data/more").write_text("")
except OSError:
    sys.exit()
sys.exit("may write to the data")
"""


@pytest.mark.docker
def test_a_folder_of_the_deployment_stands_at_app_data(desk: Desk) -> None:
    """As HEP-Challenge's, whose programs read what lies on the worker."""
    data = desk.repo.path / "build" / "data"
    (data / "shared").mkdir(parents=True)
    (data / "shared" / "large.txt").write_text("42")
    desk.repo.write("pyproject.toml", '[tool.pullbench]\ndata = "build/data"\n')
    pin = {"task": 0, "file": "data", "path": "shared", "sha256": content_digest(data / "shared")}
    done = desk.take_v2(
        {"scoring_program/score.py": READS_DATA}, docker_image="python:3.11-slim",
        pullbench={"private": [pin]},
    )  # fmt: skip
    assert not done.refused, said(done)
    desk.repo.write("submissions/new/ann/first/submission.yaml", "kind: results\n")
    desk.repo.write("submissions/new/ann/first/answer.txt", "1\n")
    desk.repo.commit()
    (record,) = desk.repo.run().values()
    assert record.error is None, record.error
    assert record.scores == {"score": 42}
    (data / "shared" / "large.txt").write_text("43")
    (other,) = desk.repo.run("new/ann/first/main/sums", fresh=True).values()
    assert other.error is not None
    assert other.error.reason == "data is not what the bundle pins"


SEES_NETWORK = """\
import json
from pathlib import Path

names = [line.split(":")[0].strip() for line in open("/proc/net/dev") if ":" in line]
Path("/app/output/scores.json").write_text(json.dumps({"score": len(set(names) - {"lo"})}))
"""


@pytest.mark.docker
def test_a_scoring_program_has_a_network_where_the_bundle_names_one(desk: Desk) -> None:
    client = docker.from_env()
    network = client.networks.create("pullbench-test-scoring", internal=True)
    try:
        desk.take_v2(
            {"scoring_program/score.py": SEES_NETWORK}, docker_image="python:3.11-slim",
            pullbench={"scoring_network": network.name},
        )  # fmt: skip
        desk.repo.write("submissions/new/ann/first/submission.yaml", "kind: results\n")
        desk.repo.write("submissions/new/ann/first/answer.txt", "1\n")
        desk.repo.commit()
        (with_one,) = desk.repo.run().values()
        desk.repo.write(
            "benchmarks/new/competition.yaml",
            dump_yaml({**desk.data(), "pullbench": {"scoring_network": "none"}}),
        )
        desk.repo.commit()
        (without,) = desk.repo.run().values()
    finally:
        network.remove()
    assert (with_one.scores, without.scores) == ({"score": 1}, {"score": 0})
    ours, others = with_one.keys.parts, without.keys.parts
    assert [part for part in ours if ours[part] != others[part]] == ["scoring_program"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('subprocess.run([sys.executable, "-m", "pip", "install", name])', "network"),
        ('os.system("python3 -m venv /tmp/environment")', "network"),
        ('requests.get("https://data.example/x.zip")', "network"),
        ('model = AutoModel.from_pretrained("bert-base-uncased")', "network"),
        ('open("log.txt", "w").write("x")', "read only"),
        ('df.to_csv("table.csv")', "read only"),
        ('open("/app/program/cache.json", mode="w")', "read only"),
        ('os.listdir("/app/data")', "nothing is there"),
        ('    raise ValueError("bad input")', "for which you are asked"),
        ('sys.exit("bad input")', "for which you are asked"),
    ],
)
def test_what_a_program_counts_on_is_warned_about_with_its_line(
    desk: Desk, line: str, says: str
) -> None:
    done = desk.take_v2({"scoring_program/score.py": f"import os\n\nif os:\n    {line}\n"})
    (warning,) = [one for one in done.problems if one.severity == "warning"]
    assert says in warning.message
    assert (warning.file, warning.line) == ("scoring_program/score.py", 4)


@pytest.mark.parametrize(
    "line",
    [
        'open(output_dir + "/scores.txt", "w")',
        'open(os.path.join(output_dir, "log.txt"), "w")',
        'open("/tmp/x", "w")',
        'open("weights.json")',
        'model = AutoModel.from_pretrained("./weights")',
        "# pip install numpy",
        'df.to_csv(f"{output}/table.csv")',
        "sys.exit(0)",
        'open("rejected.txt"); raise ValueError',
    ],
)
def test_what_only_looks_like_it_is_not(desk: Desk, line: str) -> None:
    done = desk.take_v2({"scoring_program/score.py": f"{line}\n"})
    assert not [one for one in done.problems if one.severity == "warning"], said(done)


def test_an_ingestion_program_may_raise_and_is_shown_its_own_network(desk: Desk) -> None:
    source = "raise ValueError\nurllib.request.urlopen(address)\n"
    files = {**WITH_INGESTION, "ingestion_program/run.py": source}
    done = desk.take_v2(files, tasks=[TASK])
    (warning,) = [one for one in done.problems if one.severity == "warning"]
    assert "pullbench.network" in warning.hint


def test_hidden_columns_lie_in_git(desk: Desk) -> None:
    """As DC-CSV-parsing's, whose harder half is hidden."""
    columns = [{"title": k, "key": k, "index": n, "hidden": n > 0} for n, k in enumerate("abc")]
    source = 'scores = {"a": 1, "b": 2, "c": 3}\n'
    done = desk.take_v2(
        {"scoring_program/score.py": source},
        leaderboards=[{"title": "R", "key": "r", "columns": columns}],
    )
    assert "hides 'b', 'c' on pages alone: the scores lie in git" in said(done, "warning")
