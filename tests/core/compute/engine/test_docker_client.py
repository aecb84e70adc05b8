"""An engine that does not answer."""

import socketserver
import threading
import time
from pathlib import Path

import pytest

from evaluator.core.compute.engine import docker_client
from evaluator.core.compute.engine.docker_client import DockerClient

_ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


class _Late(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        while self.rfile.readline().strip():
            pass
        time.sleep(0.5)
        self.wfile.write(_ANSWER)


@pytest.mark.parametrize(("timeout", "is_told"), [(60, True), (0.6, False)])
def test_an_engine_that_is_silent_is_told_of_while_it_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    timeout: float, is_told: bool,
) -> None:  # fmt: skip
    monkeypatch.setattr(docker_client, "_QUIET", 0.1 if is_told else 1)
    place = tmp_path / "socket"
    monkeypatch.setenv("DOCKER_HOST", f"unix://{place}")
    with socketserver.ThreadingUnixStreamServer(str(place), _Late) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        with DockerClient(timeout=timeout) as client:
            assert client.info() == {}
        server.shutdown()
    assert ("has not answered for 0.1 s" in capsys.readouterr().err) == is_told
