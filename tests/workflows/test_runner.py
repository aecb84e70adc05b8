"""``setup.sh`` of a self-hosted runner, with stand-ins for what would change this machine."""

import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / ".github" / "runner" / "setup.sh"
TOKEN = "a-registration-token"
REAL = (
    "bash",
    "cat",
    "chmod",
    "env",
    "grep",
    "gzip",
    "hostname",
    "mktemp",
    "rm",
    "sha256sum",
    "tar",
)
STAND_IN = """#!/usr/bin/env bash
printf '%s' "${0##*/}" >>"$RECORD"
printf ' %s' "$@" >>"$RECORD"
printf ' (token %s)\\n' "${ACTIONS_RUNNER_INPUT_TOKEN:-none}" >>"$RECORD"
"""
EXTRA = {
    "id": 'test "$1" = -u && echo "${USER_ID:-0}"',
    "uname": "echo x86_64",
    "curl": 'while [ "$1" != -o ]; do shift; done; cat "$ARCHIVE" >"$2"',
    "chown": "",
    "runuser": 'while [ "$1" != -- ]; do shift; done; shift; "$@"',
}
STAND_INS = ("apt-get", "systemctl", "useradd", "usermod", *EXTRA)
RUNNER = ("config.sh", "run.sh", "bin/installdependencies.sh")


@dataclass(frozen=True, kw_only=True)
class Machine:
    """A machine of stand-ins, and the runner's archive that it would fetch."""

    folder: Path
    digest: str

    def setup(self, *options: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", SCRIPT, *options],
            env={"PATH": str(self.folder / "bin"), "RECORD": str(self.folder / "record"),
                 "ARCHIVE": str(self.folder / "archive"), "RUNNER_TOKEN": TOKEN,
                 "PULLBENCH_RUNNER_HOME": str(self.folder / "home"),
                 "PULLBENCH_OS_RELEASE": str(self.folder / "os-release"), **variables},
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip

    @property
    def record(self) -> list[str]:
        path = self.folder / "record"
        return path.read_text().splitlines() if path.exists() else []

    def options(self, **changed: str) -> list[str]:
        options = {
            "url": "https://forge.example/acme", "labels": "gpu,large", "version": "2.330.0",
            "sha256": self.digest, "group": "evaluation", **changed,
        }  # fmt: skip
        return [word for name, value in options.items() for word in (f"--{name}", value)]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    programs = tmp_path / "bin"
    programs.mkdir()
    (tmp_path / "home").mkdir()
    (tmp_path / "os-release").write_text('ID=ubuntu\nVERSION_ID="24.04"\n')
    for name in REAL:
        (programs / name).symlink_to(shutil.which(name) or "")
    for name in STAND_INS:
        (programs / name).write_text(STAND_IN + EXTRA.get(name, "") + "\n")
        (programs / name).chmod(0o755)
    with tarfile.open(tmp_path / "archive", "w:gz") as archive:
        for name in RUNNER:
            content = STAND_IN.encode()
            if name == "run.sh":
                content = content.replace(b'>>"$RECORD"', f'>>"{tmp_path}/record"'.encode())
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(content), 0o755
            archive.addfile(entry, io.BytesIO(content))
    digest = hashlib.sha256((tmp_path / "archive").read_bytes()).hexdigest()
    return Machine(folder=tmp_path, digest=digest)


def test_shellcheck(tmp_path: Path) -> None:
    shellcheck = Path(sys.executable).with_name("shellcheck")
    done = subprocess.run([shellcheck, SCRIPT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    bad = tmp_path / "bad.sh"
    bad.write_text(SCRIPT.read_text().replace('"$archive"', "$archive"))
    assert subprocess.run([shellcheck, bad], capture_output=True, check=False).returncode == 1


def test_it_takes_one_job_and_leaves(machine: Machine) -> None:
    data = machine.folder / "data"
    data.mkdir(mode=0o777)
    (data / "truth.csv").write_text("1\n")
    (data / "truth.csv").chmod(0o620)
    done = machine.setup(*machine.options(data=str(data)))
    assert done.returncode == 0, done.stderr
    names = [line.split()[0] for line in machine.record]
    assert names.index("apt-get") < names.index("curl") < names.index("config.sh")
    assert names[-1] == "run.sh"
    (config,) = (line for line in machine.record if line.startswith("config.sh"))
    for wanted in ("--ephemeral", "--unattended", "--runnergroup evaluation",
                   "--labels self-hosted,gpu,large", "--url https://forge.example/"):  # fmt: skip
        assert wanted in config
    # What evaluates may read the data; nobody but its owner may change it.
    assert (data / "truth.csv").stat().st_mode & 0o777 == 0o644


def test_the_token_is_no_argument_and_not_there_when_the_job_starts(machine: Machine) -> None:
    assert machine.setup(*machine.options()).returncode == 0
    arguments = [line.rpartition(" (token ")[0] for line in machine.record]
    assert not [line for line in arguments if TOKEN in line]
    assert [line.split()[0] for line in machine.record if TOKEN in line] == ["runuser", "config.sh"]
    assert machine.record[-1] == "run.sh  (token none)"


def test_another_digest_stops_it(machine: Machine) -> None:
    done = machine.setup(*machine.options(sha256="0" * 64))
    assert done.returncode == 2
    assert "what came has another digest" in done.stderr
    assert not [line for line in machine.record if "config.sh" in line]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"url": "http://forge.example/acme"}, "--url"),
        ({"labels": "a b"}, "--labels"),
        ({"version": "latest"}, "--version"),
        ({"sha256": "abc"}, "--sha256"),
        ({"data": "/nowhere/at/all"}, "--data"),
        ({"colour": "red"}, "unknown option --colour"),
    ],
)
def test_wrong_use_changes_nothing(machine: Machine, changed: dict[str, str], said: str) -> None:
    done = machine.setup(*machine.options(**changed))
    assert done.returncode == 2
    assert said in done.stderr
    assert machine.record == []


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"RUNNER_TOKEN": ""}, "RUNNER_TOKEN"),
        ({"USER_ID": "1000"}, "root is needed"),
        ({"PULLBENCH_OS_RELEASE": "/dev/null"}, "neither Ubuntu"),
    ],
)
def test_what_it_needs(machine: Machine, variables: dict[str, str], said: str) -> None:
    done = machine.setup(*machine.options(), **variables)
    assert done.returncode == 2
    assert said in done.stderr
    assert [line for line in machine.record if not line.startswith("id ")] == []


def test_with_an_app_it_takes_one_job_after_another(machine: Machine) -> None:
    (machine.folder / "bin" / "dirname").symlink_to(shutil.which("dirname") or "")
    (machine.folder / "bin" / "python3").write_text(STAND_IN)
    (machine.folder / "bin" / "python3").chmod(0o755)
    given = machine.options(app="Iv23abc", group="3")
    key = {"RUNNER_TOKEN": "", "RUNNER_APP_KEY": "its-key"}
    done = machine.setup(*given, **key)
    assert done.returncode == 0, done.stderr
    assert not [line for line in machine.record if "its-key" in line or "run.sh" in line]
    home = machine.folder / "home"
    for wanted in ("jobs.py --url https://forge.example/acme", "--app Iv23abc", "--group 3",
                   f"--program {home} --stop {home}.stop"):  # fmt: skip
        assert wanted in machine.record[-1]
    # What the next job runs is not the account's of this one.
    assert f"chown -R root: {home} (token none)" in machine.record
    assert "RUNNER_APP_KEY" in machine.setup(*given).stderr
    wrong = {**key, "RUNNER_APP_KEY": "its-key"}
    assert "--group" in machine.setup(*machine.options(app="Iv23abc"), **wrong).stderr
    assert "--app" in machine.setup(*machine.options(app="$(x)", group="3"), **wrong).stderr


def test_a_lone_option_needs_a_value(machine: Machine) -> None:
    assert "--url needs a value" in machine.setup("--url").stderr
    assert os.access(SCRIPT, os.X_OK)


def test_the_key_of_encrypted_data_is_no_argument_and_in_a_file_of_its_account(
    machine: Machine,
) -> None:
    secret = "AGE-SECRET-KEY-1TEST"
    assert machine.setup(*machine.options(), PULLBENCH_DATA_IDENTITY=secret).returncode == 0
    assert secret not in "\n".join(machine.record)
    file = machine.folder / "home" / ".env"
    assert file.read_text() == f"PULLBENCH_DATA_IDENTITY={secret}\n"
    assert file.stat().st_mode & 0o777 == 0o600
    assert "chown runner .env (token none)" in machine.record
    assert machine.record[-1] == "run.sh  (token none)"


def test_without_a_key_there_is_no_such_file(machine: Machine) -> None:
    assert machine.setup(*machine.options()).returncode == 0
    assert not (machine.folder / "home" / ".env").exists()
