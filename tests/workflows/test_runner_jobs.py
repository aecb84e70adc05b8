"""``jobs.py`` of a self-hosted runner drains a queue, with stand-ins for forge and machine."""

import http.server
import json
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / ".github" / "runner" / "jobs.py"
REAL = ("bash", "cat", "kill", "ls", "mkdir", "mv", "openssl", "rm", "sleep", "touch")
SECRETS = ("the-installation-token", "PRIVATE KEY", "AGE-SECRET-KEY-1TEST")
RUNNER = """#!/usr/bin/env bash
# Takes the job at the head of the queue, or waits for one, and leaves as much behind as it can.
printf '%s\\n' "$*" "$(env)" >>"$HOME/../seen"
[ ! -e work ] || { echo "something of another job is here" >>"$HOME/../left"; exit 9; }
state=$(cat ../state)
while :; do
    job=$(ls "$state/queue" | head -n 1)
    if [ -n "$job" ]; then mv "$state/queue/$job" "$state/running/$job" && break; fi
    sleep 0.05
done
mkdir work && touch work/left "$state/containers/$job" "$state/volumes/$job"
sleep 1000 & echo $! >>"$state/processes"
while [ -e "$state/hold" ]; do sleep 0.05; done
mv "$state/running/$job" "$state/done/$job"
"""
STAND_INS = {
    "runuser": 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"',
    "chown": "",
    "find": 'echo "$*" >>"$STATE/found"',
    "crontab": "",
    "pkill": """none=1
while read -r pid; do kill -9 "$pid" 2>/dev/null && none=0; done <"$STATE/processes"
: >"$STATE/processes"
exit $none""",
    "docker": """kind=containers
if [ "$1" = volume ]; then kind=volumes; shift; fi
case $1 in
    rm) while [ $# -gt 0 ]; do case $1 in -*) ;; *) rm -f "$STATE/$kind/$1" ;; esac; shift; done ;;
    *) [[ "$*" == *"--filter label=org.pullbench.run"* ]] && ls "$STATE/$kind" ;;
esac""",
}


@dataclass
class Registry:
    """A forge that registers runners for one job each."""

    state: Path
    api: str = ""
    asked: list[tuple[str, str, Any, str]] = field(default_factory=list)
    failures: int = 0
    """Of the next registrations."""

    def answer(self, method: str, path: str) -> tuple[int, Any]:
        if path == "/repos/acme/bench/installation":
            return 200, {"id": 5}
        if path == "/app/installations/5/access_tokens":
            return 201, {"token": SECRETS[0]}
        if path == "/repos/acme/bench/actions/runners/generate-jitconfig":
            if self.failures:
                self.failures -= 1
                return 503, {"message": "No server is currently available"}
            return 201, {"runner": {"id": 7}, "encoded_jit_config": "Y29uZmln"}
        if method == "DELETE" and path == "/repos/acme/bench/actions/runners/7":
            return (422, {}) if list((self.state / "running").iterdir()) else (204, None)
        return 404, {}


@dataclass
class Machine:
    folder: Path
    registry: Registry

    @property
    def state(self) -> Path:
        return self.registry.state

    def queue(self, count: int) -> None:
        for number in range(count):
            (self.state / "queue" / f"job-{number:03}").touch()

    def begin(self) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, SCRIPT, "--url", "https://forge.example/acme/bench", "--app", "Iv1",
             "--labels", "gpu,large", "--group", "3", "--program", self.folder / "runner",
             "--stop", self.folder / "stop", "--api", self.registry.api, "--look", "0.02"],
            env={"PATH": str(self.folder / "bin"), "STATE": str(self.state),
                 "RUNNER_APP_KEY": (self.folder / "key.pem").read_text(),
                 "PULLBENCH_DATA_IDENTITY": SECRETS[2]},
            text=True, stderr=subprocess.PIPE,
        )  # fmt: skip

    @staticmethod
    def end(
        loop: "subprocess.Popen[str]", code: int = 0, *, by: int | None = signal.SIGTERM
    ) -> str:
        """Stop it, unless it is stopped; returns what it said."""
        if by is not None:
            loop.send_signal(by)
        _, said = loop.communicate(timeout=60)
        assert loop.returncode == code, said
        return said

    def until(self, path: str, count: int) -> None:
        """Wait until a folder of the state has so many files."""
        while len(list((self.state / path).iterdir())) != count:
            time.sleep(0.02)

    @property
    def registrations(self) -> list[dict[str, object]]:
        """What the runner's program asked the forge to register."""
        return [data for _, path, data, _ in self.registry.asked if "jitconfig" in path]

    def left(self) -> list[str]:
        files = [path.name for kind in ("containers", "volumes", "running")
                 for path in (self.state / kind).iterdir()]  # fmt: skip
        folder = self.folder / "runner-job"
        return files + [folder.name] * folder.exists() + self.alive()

    def alive(self) -> list[str]:
        return (self.state / "processes").read_text().split()


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    (tmp_path / "bin").mkdir()
    for name in (*REAL, "env", "head"):
        (tmp_path / "bin" / name).symlink_to(shutil.which(name) or "")
    for name, text in STAND_INS.items():
        (tmp_path / "bin" / name).write_text(f"#!/usr/bin/env bash\n{text}\n")
        (tmp_path / "bin" / name).chmod(0o755)
    state = tmp_path / "machine"
    for name in ("queue", "running", "done", "containers", "volumes"):
        (state / name).mkdir(parents=True)
    (state / "processes").touch()
    (tmp_path / "state").write_text(str(state))
    (tmp_path / "runner").mkdir()
    (tmp_path / "runner" / "run.sh").write_text(RUNNER)
    (tmp_path / "runner" / "run.sh").chmod(0o755)
    key = ["openssl", "genrsa", "-out", str(tmp_path / "key.pem"), "2048"]
    subprocess.run(key, check=True, capture_output=True)
    registry = Registry(state)

    class Handler(http.server.BaseHTTPRequestHandler):
        def _any(self) -> None:
            content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            bearer = self.headers["Authorization"].removeprefix("Bearer ")
            data = json.loads(content) if content else None
            registry.asked.append((self.command, self.path, data, bearer))
            code, answer = registry.answer(self.command, self.path)
            body = b"" if answer is None else json.dumps(answer).encode()
            self.send_response(code)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_DELETE = _any  # noqa: N815 - the library's names

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        registry.api = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield Machine(tmp_path, registry)
        server.shutdown()


@pytest.mark.parametrize("count", [3, pytest.param(256, marks=pytest.mark.slow)])
def test_a_queue_drains_unattended_and_nothing_is_left(machine: Machine, count: int) -> None:
    machine.queue(count)
    loop = machine.begin()
    machine.until("done", count)
    while len(machine.registrations) <= count:
        time.sleep(0.02)
    assert machine.end(loop) == ""  # it waits for the next job, and has none
    assert machine.left() == []
    assert not (machine.folder / "left").exists()
    registrations = machine.registrations
    assert len(registrations) == count + 1
    assert len({data["name"] for data in registrations}) == count + 1
    assert registrations[0] | {"name": ""} == {
        "name": "", "runner_group_id": 3, "labels": ["self-hosted", "gpu", "large"],
        "work_folder": "work",
    }  # fmt: skip
    # What all accounts may write is searched for what a job left there, too.
    assert "-user runner -delete" in (machine.state / "found").read_text()


def test_an_app_asks_for_one_right_and_a_job_sees_none_of_it(machine: Machine) -> None:
    machine.queue(1)
    loop = machine.begin()
    machine.until("done", 1)
    machine.end(loop)
    (_, _, _, signed), (_, _, asked, _), (_, _, _, bearer) = machine.registry.asked[:3]
    assert asked == {"permissions": {"administration": "write"}, "repositories": ["bench"]}
    assert bearer == SECRETS[0]
    assert signed.count(".") == 2
    seen = (machine.folder / "seen").read_text()
    assert "ACTIONS_RUNNER_INPUT_JITCONFIG=Y29uZmln" in seen
    assert not [secret for secret in SECRETS if secret in seen]
    names = set(re.findall(r"^(\w+)=", seen, re.M))
    assert names - {"PWD", "SHLVL", "_", "OLDPWD"} == {
        "HOME", "PATH", "ACTIONS_RUNNER_INPUT_JITCONFIG"
    }  # fmt: skip


@pytest.mark.parametrize("by", ["signal", "file"])
def test_a_job_that_runs_ends_first(machine: Machine, by: str) -> None:
    (machine.state / "hold").touch()
    machine.queue(2)
    loop = machine.begin()
    machine.until("running", 1)
    if by == "signal":
        loop.send_signal(signal.SIGTERM)
    else:
        (machine.folder / "stop").touch()
    while not [one for one in machine.registry.asked if one[0] == "DELETE"]:
        time.sleep(0.02)
    assert loop.poll() is None
    (machine.state / "hold").unlink()
    machine.end(loop, by=None)
    assert len(list((machine.state / "done").iterdir())) == 1
    assert machine.left() == []


def test_a_failing_registration_is_said_and_tried_again(machine: Machine) -> None:
    machine.registry.failures = 3
    machine.queue(1)
    loop = machine.begin()
    machine.until("done", 1)
    said = machine.end(loop)
    lines = [line for line in said.splitlines() if "503" in line]
    assert len(lines) == 3
    assert all("the next try is in" in line for line in lines)
    assert not [secret for secret in SECRETS if secret in said]


def test_what_cannot_be_removed_keeps_the_next_job_away(machine: Machine) -> None:
    docker = machine.folder / "bin" / "docker"
    docker.write_text(docker.read_text().replace('rm -f "$STATE/$kind/$1"', "true"))
    (machine.state / "containers" / "stuck").touch()
    machine.queue(1)
    loop = machine.begin()
    while "an earlier job left containers" not in (said := loop.stderr.readline()):  # type: ignore[union-attr]
        assert said
    assert "remove by hand" in machine.end(loop, 1)
    assert not machine.registry.asked
