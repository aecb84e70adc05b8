#!/usr/bin/env python3
"""Takes jobs of a forge one after another, each with a registration and a folder of its own.

setup.sh --app calls it as root; it needs Python 3.10, openssl and Docker. RUNNER_APP_KEY has the
key of a GitHub App that may only register runners. SIGTERM, or the file that --stop names, ends it
after the job that runs.
"""

import argparse
import base64
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

USER = "runner"
LABEL = "org.pullbench.run"
"""Of all containers and volumes of a run."""
SHARED = ["/tmp", "/var/tmp", "/dev/shm"]
"""Folders in which every account may write."""
API = "https://api.github.com"
ANSWER_BYTES = 2**20
SECONDS = 60
LONGEST_PAUSE = 300


class ForgeError(Exception):
    """The forge did not do what was asked."""


FAULTS = (OSError, ValueError, KeyError, TypeError, ForgeError, subprocess.SubprocessError)


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the token elsewhere."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Forge:
    """Registers runners at a repository, or at an organisation where the address is one's."""

    def __init__(self, address: str, client_id: str, key: str, api: str) -> None:
        parts = urllib.parse.urlsplit(address)
        names = parts.path.strip("/").split("/")
        self.place = f"repos/{names[0]}/{names[1]}" if len(names) == 2 else f"orgs/{names[0]}"
        right = "administration" if len(names) == 2 else "organization_self_hosted_runners"
        self.asked: dict[str, Any] = {"permissions": {right: "write"}}
        if len(names) == 2:
            self.asked |= {"repositories": [names[1]]}
        self.api = api or (
            API if parts.netloc == "github.com" else f"https://{parts.netloc}/api/v3"
        )
        self.client_id, self.key = client_id, key
        self.opener = urllib.request.build_opener(NoRedirect())

    def register(self, name: str, labels: list[str], group: int) -> tuple[int, str]:
        """Return the number of a new runner, and the configuration that lets it take one job."""
        data = {"name": name, "runner_group_id": group, "labels": labels, "work_folder": "work"}
        path = f"{self.place}/actions/runners/generate-jitconfig"
        answer = self.ask("POST", path, self.token(), data)
        return int(answer["runner"]["id"]), str(answer["encoded_jit_config"])

    def remove(self, runner: int) -> bool:
        """Take a runner's registration back; returns False if it has a job."""
        try:
            self.ask("DELETE", f"{self.place}/actions/runners/{runner}", self.token())
        except urllib.error.HTTPError as error:
            if error.code not in (404, 422):
                raise
            return error.code == 404
        return True

    def token(self) -> str:
        """Make a token for an hour, with the one right."""
        bearer = self.signed()
        installation = self.ask("GET", f"{self.place}/installation", bearer)["id"]
        path = f"app/installations/{int(installation)}/access_tokens"
        return str(self.ask("POST", path, bearer, self.asked)["token"])

    def signed(self) -> str:
        """Return what proves for nine minutes that this is the app."""
        now = int(time.time())
        claims = {"iat": now - 60, "exp": now + 540, "iss": self.client_id}
        parts = [_encoded(json.dumps(one).encode()) for one in ({"alg": "RS256"}, claims)]
        read, write = os.pipe()  # keeps the key out of files and arguments, which others can read
        with open(write, "w") as stream:  # noqa: PTH123
            stream.write(self.key.strip() + "\n")
        command = ["openssl", "dgst", "-sha256", "-sign", f"/dev/fd/{read}"]
        try:
            signature = subprocess.run(
                command, input=".".join(parts).encode(), stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, pass_fds=[read], check=True,
            ).stdout  # fmt: skip
        except subprocess.CalledProcessError:
            raise ForgeError("openssl cannot read the private key in RUNNER_APP_KEY") from None
        finally:
            os.close(read)
        return ".".join([*parts, _encoded(signature)])

    def ask(self, method: str, path: str, token: str, data: Any = None) -> Any:
        request = urllib.request.Request(  # setup.sh checks that it is https
            f"{self.api}/{path}", method=method, data=data and json.dumps(data).encode(),
            headers={"Authorization": f"Bearer {token}", "Accept": "application/vnd.github+json",
                     "Content-Type": "application/json", "User-Agent": "pullbench"},
        )  # fmt: skip
        with self.opener.open(request, timeout=SECONDS) as answer:
            content = answer.read(ANSWER_BYTES)
        return json.loads(content) if content else None


def _encoded(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


class Stop:
    """Whether somebody wants this to end."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.signalled = False
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._note)

    def _note(self, *_: object) -> None:
        self.signalled = True

    def __bool__(self) -> bool:
        return self.signalled or self.file.exists()

    def pause(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while not self and time.monotonic() < end:
            time.sleep(min(0.2, seconds))


class Machine:
    """This machine, which has one job at a time."""

    def __init__(self, program: Path, identity: str) -> None:
        self.program, self.identity = program, identity
        self.folder = program.with_name(f"{program.name}-job")

    def start(self, config: str) -> "subprocess.Popen[bytes]":
        """Start the runner's program in a fresh copy of it."""
        shutil.copytree(self.program, self.folder, symlinks=True)
        if self.identity:
            file = self.folder / ".env"
            file.touch(mode=0o600)
            file.write_text(f"PULLBENCH_DATA_IDENTITY={self.identity}\n")
        subprocess.run(["chown", "-R", f"{USER}:", self.folder], check=True)
        # In the environment: every account could read an argument.
        variables = {"HOME": str(self.folder), "PATH": os.environ["PATH"],
                     "ACTIONS_RUNNER_INPUT_JITCONFIG": config}  # fmt: skip
        return subprocess.Popen(
            ["runuser", "-u", USER, "--", "./run.sh"], cwd=self.folder, env=variables,
            start_new_session=True,
        )  # fmt: skip

    def clean(self) -> list[str]:
        """Remove all that a job left; returns what is still there."""
        for _ in range(20):  # a process may start another while it is killed
            if subprocess.run(["pkill", "-KILL", "-u", USER], check=False).returncode == 1:
                break
            time.sleep(0.1)
        else:
            return [f"processes of {USER}"]
        left = []
        for kind, listed, remove in (
            ("containers", ["ps", "--all"], ["rm", "--force", "--volumes"]),
            ("volumes", ["volume", "ls"], ["volume", "rm", "--force"]),
        ):
            if found := _labelled(listed):
                subprocess.run(["docker", *remove, *found], check=False, stdout=subprocess.DEVNULL)
            left += [kind] if found and _labelled(listed) else []
        subprocess.run(
            ["find", *SHARED, "-xdev", "-mindepth", "1", "-user", USER, "-delete"], check=False
        )
        if shutil.which("crontab"):
            subprocess.run(["crontab", "-r", "-u", USER], check=False, stderr=subprocess.DEVNULL)
        shutil.rmtree(self.folder, ignore_errors=True)
        return [*left, *([str(self.folder)] if self.folder.exists() else [])]


def say(text: str) -> None:
    print(f"jobs.py: {text}", file=sys.stderr, flush=True)


def _labelled(listed: list[str]) -> list[str]:
    command = ["docker", *listed, "--quiet", "--filter", f"label={LABEL}"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.split()


def take(machine: Machine, forge: Forge, stop: Stop, given: argparse.Namespace) -> None:
    """Take one job from its registration to its end, and leave nothing of it."""
    left = machine.clean()
    if left:
        raise ForgeError(f"an earlier job left {', '.join(left)}: remove it by hand")
    name = f"{socket.gethostname()}-{time.time_ns():x}"
    runner, config = forge.register(name, ["self-hosted", *given.labels.split(",")], given.group)
    job, begun, has_job = machine.start(config), time.monotonic(), False
    while job.poll() is None:
        time.sleep(given.look)
        if not stop or has_job:
            continue
        try:  # the forge refuses to forget a runner that has a job: that one ends first
            has_job = not forge.remove(runner)
            if not has_job:
                job.terminate()
                job.wait()
        except FAULTS as error:
            say(f"the runner cannot be taken back yet: {error}")
            time.sleep(5 * given.look)
    if job.returncode and not stop and time.monotonic() - begun < SECONDS:
        raise ForgeError(f"the runner's program ended with {job.returncode}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    parser.add_argument("--app", required=True, help="client ID of the GitHub App")
    parser.add_argument("--labels", required=True)
    parser.add_argument("--group", type=int, default=1, help="number of the runner group")
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--stop", type=Path, required=True, help="file that ends it")
    parser.add_argument("--api", default="", help="address of the forge's interface")
    parser.add_argument("--look", type=float, default=1.0, help="seconds between two looks")
    given = parser.parse_args()
    forge = Forge(given.url, given.app, os.environ.pop("RUNNER_APP_KEY", ""), given.api)
    machine = Machine(given.program, os.environ.pop("PULLBENCH_DATA_IDENTITY", ""))
    stop, failures = Stop(given.stop), 0
    while not stop:
        try:
            take(machine, forge, stop, given)
            failures = 0
        except FAULTS as error:
            failures += 1
            pause = min(LONGEST_PAUSE, 2**failures * given.look)
            say(f"{error}; the next try is in {pause:.0f} s")
            stop.pause(pause)
    left = machine.clean()
    sys.exit(f"jobs.py: remove by hand: {', '.join(left)}" if left else 0)


if __name__ == "__main__":
    main()
