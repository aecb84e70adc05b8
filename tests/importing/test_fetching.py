"""Private data at a URL, from a server on loopback that does what servers do."""

import hashlib
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluator.core.compute.steps import CellFailedError
from evaluator.core.errors import PlatformError
from evaluator.core.formats.record import Reason
from evaluator.importing.fetching import fetch
from evaluator.importing.files import zip_bytes
from evaluator.importing.pinned import content_digest
from tests.repository import Repository

LIMIT = 2**20
SINGLE = b"the answers"
SHA = hashlib.sha256(SINGLE).hexdigest()
FILES = {"predictions.csv": (b"id,value\n", False), "deep/er.txt": (b"x", True)}
ZIP = zip_bytes(FILES)


class Server:
    """Answers of a path; counts who asks."""

    url = ""

    def __init__(self) -> None:
        self.asked: list[str] = []


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            made.asked.append(self.path)
            verb, _, rest = self.path[1:].partition("/")
            if verb == "status":
                self.send_response(int(rest))
                self.end_headers()
                return
            if verb == "redirect":
                self.send_response(302)
                self.send_header("Location", "file:///etc/hostname" if rest == "file" else rest)
                self.end_headers()
                return
            body = ZIP if verb == "data.zip" else SINGLE
            length = {"truncated": len(body) + 5, "large": 2**40}.get(verb, len(body))
            self.send_response(200)
            if verb != "endless":
                self.send_header("Content-Length", str(length))
            self.end_headers()
            self.wfile.write(body)
            while verb == "endless":  # until the other side hangs up
                try:
                    self.wfile.write(bytes(2**16))
                except OSError:
                    return

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        listening.daemon_threads = True
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        made.url = f"http://127.0.0.1:{listening.server_port}"
        yield made
        listening.shutdown()
        thread.join()


def folder_digest(tmp_path: Path) -> str:
    for name, (content, _) in FILES.items():
        path = tmp_path / "made" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return content_digest(tmp_path / "made")


def test_a_file_is_fetched_once(server: Server, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    for _ in range(2):
        found = fetch(f"{server.url}/deep/answers.csv?x=1", SHA, cache, LIMIT)
        assert found == cache / SHA / "answers.csv"
        assert found.read_bytes() == SINGLE
    assert len(server.asked) == 1
    assert {path.name for path in cache.iterdir()} == {SHA, f"{SHA}.lock"}


def test_a_zip_becomes_its_folder(server: Server, tmp_path: Path) -> None:
    sha = folder_digest(tmp_path)
    found = fetch(f"{server.url}/data.zip", sha, tmp_path / "cache", LIMIT)
    assert (found / "deep/er.txt").read_bytes() == b"x"
    assert (found / "deep").stat().st_mode & 0o777 == 0o755
    assert fetch("http://127.0.0.1:1/", sha, tmp_path / "cache", LIMIT) == found


def test_what_somebody_changed_in_the_cache_is_fetched_again(
    server: Server, tmp_path: Path
) -> None:
    found = fetch(f"{server.url}/answers", SHA, tmp_path, LIMIT)
    found.write_bytes(b"other")
    for _ in range(2):
        assert fetch(f"{server.url}/answers", SHA, tmp_path, LIMIT).read_bytes() == SINGLE
    assert len(server.asked) == 2
    found.unlink()
    (tmp_path / SHA / "link").symlink_to(tmp_path)
    assert fetch(f"{server.url}/answers", SHA, tmp_path, LIMIT).read_bytes() == SINGLE
    assert len(server.asked) == 3


def test_many_ask_and_one_fetches(server: Server, tmp_path: Path) -> None:
    threads = [
        threading.Thread(target=fetch, args=(f"{server.url}/answers", SHA, tmp_path, LIMIT))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.asked) == 1


def test_a_redirect_is_followed(server: Server, tmp_path: Path) -> None:
    assert fetch(f"{server.url}/redirect//answers", SHA, tmp_path, LIMIT).read_bytes() == SINGLE
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("status/404", "its server answers 404"),
        ("status/403", "its server answers 403"),
        ("redirect/file", "leads to an address that is not fetched from"),
        ("redirect//redirect//redirect//redirect//redirect//redirect//redirect//answers",
         "leads on more than 5 times"),
        ("large", "is larger than 1,048,576 bytes"),
        ("endless", "is larger than 1,048,576 bytes"),
        ("data.zip", "has the digest"),
    ],
)  # fmt: skip
def test_the_organiser_must_act(server: Server, tmp_path: Path, path: str, said: str) -> None:
    with pytest.raises(CellFailedError, match=said) as caught:
        fetch(f"{server.url}/{path}", SHA, tmp_path / "cache", LIMIT)
    assert (caught.value.error.actor, caught.value.error.reason) == ("organiser", Reason.BAD_DATA)
    assert not (tmp_path / "cache" / SHA).exists()
    assert [path.suffix for path in (tmp_path / "cache").iterdir()] == [".lock"]


def test_other_content_than_a_zip(server: Server, tmp_path: Path) -> None:
    with pytest.raises(CellFailedError, match="nor a zip of the folder"):
        fetch(f"{server.url}/answers", "0" * 64, tmp_path, LIMIT)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("status/503", "its server answers 503"),
        ("status/429", "its server answers 429"),
        ("truncated", "the answer breaks off"),
    ],
)
def test_another_try_may_help(server: Server, tmp_path: Path, path: str, said: str) -> None:
    with pytest.raises(PlatformError, match=said):
        fetch(f"{server.url}/{path}", SHA, tmp_path, LIMIT)
    assert fetch(f"{server.url}/answers", SHA, tmp_path, LIMIT).read_bytes() == SINGLE


def test_nobody_answers(tmp_path: Path) -> None:
    with pytest.raises(PlatformError, match="cannot be reached"):
        fetch("http://127.0.0.1:1/answers", SHA, tmp_path, LIMIT)


def test_a_file_of_this_machine(tmp_path: Path) -> None:
    source = tmp_path / "a name"
    source.write_bytes(SINGLE)
    found = fetch(source.as_uri(), SHA, tmp_path / "cache", LIMIT)
    assert (found.name, found.read_bytes()) == ("a name", SINGLE)
    with pytest.raises(PlatformError, match="no file"):
        fetch((tmp_path / "none").as_uri(), "0" * 64, tmp_path / "cache", LIMIT)


@pytest.mark.docker
def test_data_at_a_url_are_scored_with(small: Repository, server: Server, tmp_path: Path) -> None:
    """Below the runner's data folder, once; a wrong digest is the organiser's, and no score."""
    bundle = "benchmarks/echo"
    answers = small.path / bundle / "reference_data"
    files = {path.name: (path.read_bytes(), False) for path in answers.iterdir()}
    archive = tmp_path / "echo.zip"
    archive.write_bytes(zip_bytes(files))
    digest = content_digest(answers)
    for path in answers.iterdir():
        path.unlink()
    entry = f"{{task: 0, file: reference_data, url: '{archive.as_uri()}', sha256: {digest}}}"
    small.replace(
        f"{bundle}/competition.yaml", "pullbench:\n", f"pullbench:\n  private: [{entry}]\n"
    )
    small.write("pyproject.toml", '[tool.pullbench]\ndata = "build/data"\n')
    (leak,) = small.problems()  # the answers were committed before
    assert (leak.severity, leak.key) == ("warning", "pullbench.private")
    cell = "echo/alice/same/main/echo"
    assert small.run(cell)[cell].scores == {"agreement": 1.0}
    assert (small.path / "build/data/.fetched" / digest / "predictions.csv").is_file()
    archive.unlink()
    assert small.run(cell)[cell].error is None
    small.replace(f"{bundle}/competition.yaml", archive.as_uri(), f"{server.url}/status/404")
    small.replace(f"{bundle}/competition.yaml", digest, "f" * 64)
    error = small.run(cell)[cell].error
    assert error is not None
    assert (error.actor, error.reason) == ("organiser", Reason.BAD_DATA)
