"""Large files of entries that lie elsewhere: what may be named, and what programs see."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import yaml

from evaluator.plugins.artefacts.keys import is_below, pointer
from tests.plugins.artefacts.servers import Server, ok, serving
from tests.repository import Repository

WEIGHTS = b"7" + bytes(3 * 2**20)
ENTRY = "submissions/adding/alice/right"
SHA = hashlib.sha256(WEIGHTS).hexdigest()
MAIN = """
from pathlib import Path
weights = Path(__file__).with_name("weights.bin")
def add(numbers):
    return sum(numbers) + (0 if weights.stat().st_size == 3 * 2**20 + 1 else 1)
"""


@pytest.fixture
def server() -> Iterator[Server]:
    with serving({"/files/weights.bin": ok(WEIGHTS)}) as made:
        yield made


@pytest.fixture
def entry(small: Repository, server: Server) -> Repository:
    """A repository whose entry alice/right points to weights on the server."""
    small.replace(
        "benchmarks/adding/competition.yaml", "pullbench:", "pullbench:\n  artefacts: 4 MiB"
    )
    small.write("pyproject.toml", f'[tool.pullbench]\nartefacts = ["{server.url}/files/"]\n')
    small.write(f"{ENTRY}/main.py", MAIN)
    name(small, {"weights.bin": f"{server.url}/files/weights.bin"})
    small.write(f"{ENTRY}/weights.bin", pointer(SHA, len(WEIGHTS)))
    small.commit()
    return small


def name(repo: Repository, addresses: Mapping[str, str]) -> None:
    text = yaml.safe_dump({"kind": "code", "artefacts": dict(addresses)})
    repo.write(f"{ENTRY}/submission.yaml", text)


def errors(repo: Repository) -> list[str]:
    return [str(problem) for problem in repo.problems() if problem.severity == "error"]


@pytest.mark.docker
def test_programs_see_the_file_in_place_of_the_pointer(entry: Repository, server: Server) -> None:
    assert errors(entry) == []
    records = entry.run("adding/alice")
    assert [record.scores for record in records.values()] == [{"right": 1.0, "distance": 0.0}] * 2
    assert server.asked == ["/files/weights.bin"]
    # Another address changes nothing, another file does.
    name(entry, {"weights.bin": f"{server.url}/files/moved.bin"})
    assert not [cell for cell in entry.reasons() if cell.startswith("adding/alice")]
    entry.write(f"{ENTRY}/weights.bin", pointer("0" * 64, 5))
    assert "adding/alice/right/main/one" in entry.reasons()


@pytest.mark.docker
def test_a_file_that_is_gone_waits_for_the_participant(entry: Repository, server: Server) -> None:
    moved = server.replies.pop("/files/weights.bin")
    cell = "adding/alice/right/main/one"
    error = entry.run(cell)[cell].error
    assert error is not None
    assert (error.actor, error.reason) == ("platform", "platform fault")
    assert "its server answers 404" in error.message
    assert "submission.yaml" in error.hint
    server.replies["/files/again.bin"] = moved
    name(entry, {"weights.bin": f"{server.url}/files/again.bin"})
    assert entry.run(cell)[cell].scores == {"right": 1.0, "distance": 0.0}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"other.bin": "http://127.0.0.1:1/files/x"}, "'other.bin' is no Git LFS pointer"),
        ({"weights.bin": "https://example.org/w"}, "nothing is fetched from https://example.org/w"),
        ({"weights.bin": "ftp://example.org/w"}, "has to be an address that begins with https://"),
        ({"weights.bin": "https://me:secret@example.org/w"}, "without a name, a password"),
        ({"weights.bin": "https://example.org:99999/w"}, "artefacts"),
        ({}, "weights.bin: is a Git LFS pointer, not the file"),
    ],
)
def test_what_no_runner_would_fetch_is_refused(
    entry: Repository, change: Mapping[str, str], words: str
) -> None:
    name(entry, change)
    done = entry.pullbench("validate", ENTRY)
    assert done.returncode == 1
    assert words in done.stdout + done.stderr


def test_a_benchmark_says_how_much_it_takes(entry: Repository) -> None:
    entry.write(f"{ENTRY}/weights.bin", pointer(SHA, 4 * 2**20 + 1))
    assert any("have 4,194,305 bytes; the benchmark takes 4,194,304" in e for e in errors(entry))
    entry.replace("benchmarks/adding/competition.yaml", "  artefacts: 4 MiB\n", "")
    assert any("the benchmark takes no artefacts" in error for error in errors(entry))


@pytest.mark.parametrize(
    ("address", "origin", "expected"),
    [
        ("https://a.org/x/y", "https://a.org/", True),
        ("https://a.org/x/y", "https://a.org/x", True),
        ("https://a.org:443/x/y", "https://a.org/x/", True),
        ("https://A.org/x/y", "https://a.org/x/", True),
        ("https://a.org/xy", "https://a.org/x", False),
        ("http://a.org/x/y", "https://a.org/x", False),
        ("https://a.org:444/x/y", "https://a.org/x", False),
        ("https://a.org.evil.net/x/y", "https://a.org/x", False),
        ("https://a.org/x/../y", "https://a.org/x", False),
        ("https://a.org/x/%2e%2E/y", "https://a.org/x", False),
        ("https://a.org/?/x/y", "https://a.org/x", False),
    ],
)
def test_beginnings_of_addresses(address: str, origin: str, expected: bool) -> None:
    assert is_below(address, origin) is expected


def test_point_writes_what_validate_takes(
    entry: Repository, tmp_path: Path, server: Server
) -> None:
    entry.write(f"{ENTRY}/submission.yaml", "kind: code\n")
    (entry.path / ENTRY / "weights.bin").unlink()
    big = tmp_path / "weights.bin"
    big.write_bytes(WEIGHTS)
    at = f"{server.url}/files/weights.bin"
    done = entry.pullbench("point", str(big), "--at", at, "--in", str(entry.path / ENTRY))
    assert done.returncode == 0, done.stderr
    assert (entry.path / ENTRY / "weights.bin").read_bytes() == pointer(SHA, len(WEIGHTS))
    written = yaml.safe_load((entry.path / ENTRY / "submission.yaml").read_text())
    assert written == {"kind": "code", "artefacts": {"weights.bin": at}}
    assert errors(entry) == []
    inside = str(entry.path / ENTRY / "weights.bin")
    done = entry.pullbench("point", inside, "--at", at, "--in", str(entry.path / ENTRY))
    assert done.returncode != 0
    assert "Move it out of the repository first" in done.stderr


@pytest.mark.docker
def test_predictions_may_lie_elsewhere_too(small: Repository) -> None:
    content = (small.path / "submissions/echo/alice/same/predictions.csv").read_bytes()
    cell = next(iter(small.run("echo/alice")))
    expected = small.record(small.run(cell, fresh=True)[cell].cell).scores
    with serving({"/p.csv": ok(content)}) as server:
        small.replace(
            "benchmarks/echo/competition.yaml", "pullbench:", "pullbench:\n  artefacts: 1 GiB"
        )
        small.write("pyproject.toml", f'[tool.pullbench]\nartefacts = ["{server.url}"]\n')
        entry = small.path / "submissions/echo/alice/same"
        sheet = yaml.safe_load((entry / "submission.yaml").read_text())
        sheet["artefacts"] = {"predictions.csv": f"{server.url}/p.csv"}
        (entry / "submission.yaml").write_text(json.dumps(sheet))
        (entry / "predictions.csv").write_bytes(
            pointer(hashlib.sha256(content).hexdigest(), len(content))
        )
        small.commit()
        assert errors(small) == []
        assert small.run(cell)[cell].scores == expected
        assert server.asked == ["/p.csv"]
