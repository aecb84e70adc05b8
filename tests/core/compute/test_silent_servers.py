"""Registries and package indexes, on loopback, that answer or do not."""

import http.server
import json
import socket
import threading
from collections.abc import Iterator
from http import HTTPStatus

import pytest

from evaluator.core.formats.record import CellError
from tests.repository import Repository

COMPETITION = "benchmarks/echo/competition.yaml"
CELL = "echo/alice/same/main/echo"
MISSING = json.dumps({"errors": [{"code": "MANIFEST_UNKNOWN", "message": "unknown"}]}).encode()


class Server:
    """Answers everything but ``/v2/`` with one status, after some others; counts who asks."""

    def __init__(self) -> None:
        self.status = HTTPStatus.SERVICE_UNAVAILABLE
        self.before: list[HTTPStatus] = []
        self.asked: list[str] = []
        self.address = ""


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            made.asked.append(self.path)
            status = made.before.pop() if made.before else made.status
            body = MISSING
            if self.path == "/v2/" and status == HTTPStatus.NOT_FOUND:
                status, body = HTTPStatus.OK, b"{}"
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Docker-Distribution-Api-Version", "registry/2.0")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        do_HEAD = do_GET  # noqa: N815 - the name is http.server's

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        listening.daemon_threads = True
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        made.address = f"127.0.0.1:{listening.server_port}"
        yield made
        listening.shutdown()
        thread.join()


@pytest.fixture
def nobody() -> Iterator[str]:
    """An address at which nobody listens, and nobody will."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{bound.getsockname()[1]}"


def error_of(repo: Repository, cell: str = CELL, engine: str = "docker") -> CellError:
    error = repo.run(cell, engine=engine)[cell].error
    assert error is not None
    return error


def is_platform_fault(repo: Repository, error: CellError, says: str) -> None:
    assert (error.actor, error.reason) == ("platform", "platform fault")
    assert says in error.message
    assert repo.reasons()[CELL] == "platform fault"


@pytest.fixture
def bundle(small: Repository) -> Repository:
    small.write("pyproject.toml", "[tool.pullbench]\nretries = 1\n")
    return small


@pytest.mark.docker
def test_a_registry_that_does_not_answer_is_the_platforms_fault(
    bundle: Repository, server: Server
) -> None:
    """It is asked twice for one image, however many cells want it."""
    image = f"{server.address}/some/image:1"
    for name in ("echo", "adding"):
        bundle.replace(f"benchmarks/{name}/competition.yaml", "python:3.11-slim", image)
    records = bundle.run()
    assert len(records) == 5
    for record in records.values():
        assert record.error is not None
        assert record.error.actor == "platform"
    assert server.asked.count(server.asked[-1]) <= 4  # a pull asks more than once, five cells more
    is_platform_fault(bundle, records[CELL].error, "the registry of the image")  # type: ignore[arg-type]


@pytest.mark.docker
def test_a_registry_at_which_nobody_listens(bundle: Repository, nobody: str) -> None:
    bundle.replace(COMPETITION, "python:3.11-slim", f"{nobody}/some/image:1")
    is_platform_fault(bundle, error_of(bundle), "the registry of the image")


@pytest.mark.docker
def test_a_registry_that_lacks_the_image_is_the_organisers_fault(
    bundle: Repository, server: Server
) -> None:
    server.status = HTTPStatus.NOT_FOUND
    bundle.replace(COMPETITION, "python:3.11-slim", f"{server.address}/some/image:1")
    error = error_of(bundle)
    assert (error.actor, error.reason) == ("organiser", "image cannot be built")
    assert "is not here and cannot be pulled" in error.message


def dockerfile(repo: Repository, *lines: str) -> None:
    repo.replace(COMPETITION, "python:3.11-slim", "localhost/pullbench-test/silent:1")
    repo.write("benchmarks/echo/Dockerfile", "\n".join(lines) + "\n")


@pytest.mark.docker
@pytest.mark.parametrize("silent", [True, False])
def test_the_registry_of_a_base_image(bundle: Repository, server: Server, silent: bool) -> None:
    server.status = HTTPStatus.BAD_GATEWAY if silent else HTTPStatus.NOT_FOUND
    dockerfile(bundle, "FROM python:3.11-slim AS first", f"FROM {server.address}/base/image:1")
    error = error_of(bundle)
    if silent:
        is_platform_fault(bundle, error, "the registry of the image")
    else:
        assert (error.actor, error.reason) == ("organiser", "image cannot be built")
        assert "cannot be pulled" in error.message


def install(address: str) -> str:
    return f"--index-url http://{address}/simple --trusted-host {address} some-package\n"


@pytest.mark.slow
@pytest.mark.docker
@pytest.mark.parametrize("how", ["refuses", "fails", "lacks it"])
def test_a_package_index_of_an_image(
    bundle: Repository, server: Server, nobody: str, how: str
) -> None:
    if how == "lacks it":
        server.status = HTTPStatus.NOT_FOUND
    address = nobody if how == "refuses" else server.address
    dockerfile(bundle, "FROM python:3.11-slim", f"RUN PIP_RETRIES=1 pip install {install(address)}")
    error = error_of(bundle)
    if how == "lacks it":
        assert (error.actor, error.reason) == ("organiser", "image cannot be built")
        assert "No matching distribution" in error.hint
    else:
        is_platform_fault(bundle, error, "installs from does not answer")


@pytest.mark.slow
@pytest.mark.parametrize("how", ["refuses", "lacks it"])
def test_a_package_index_of_an_environment(
    bundle: Repository, server: Server, nobody: str, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_RETRIES", "1")
    server.status = HTTPStatus.NOT_FOUND
    address = nobody if how == "refuses" else server.address
    bundle.write("benchmarks/echo/requirements.txt", install(address).replace(" some", "\nsome"))
    error = error_of(bundle, engine="subprocess")
    if how == "lacks it":
        assert (error.actor, error.reason) == ("organiser", "image cannot be built")
    else:
        is_platform_fault(bundle, error, "does not answer")


@pytest.mark.slow
@pytest.mark.docker
def test_a_server_that_answers_the_second_time_costs_nothing(
    bundle: Repository, server: Server, request: pytest.FixtureRequest
) -> None:
    server.status = HTTPStatus.OK
    server.before = [HTTPStatus.SERVICE_UNAVAILABLE]
    ask = f"import urllib.request as r; r.urlopen('http://{server.address}/')"
    dockerfile(bundle, "FROM python:3.11-slim", f'RUN python3 -c "{ask}"')
    record = bundle.run(CELL)[CELL]
    assert record.status == "finished", record.error
    assert server.asked == ["/", "/"]
