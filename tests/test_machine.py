"""The tests leave the machine as it was; each of these runs in a network namespace of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CONFTEST = """
from tests import machine
from tests.machine import pytest_sessionfinish, pytest_sessionstart, pytest_terminal_summary

machine.SECONDS = 0
"""
CHANGES = """
import subprocess

def test_changes_the_machine():
    subprocess.run(["sh", "-ec", {commands!r}], check=True)
"""
HARM = """
ip link del lost
ip link add left type bridge
ip route add 192.0.2.0/24 dev lasting
iptables -A INPUT -j DROP
"""
SAYS = [
    "lost link lost", "new firewall rule iptables-save: -A INPUT -j DROP", "new link left",
    "new route lasting 000200C0 00000000 00FFFFFF",
]  # fmt: skip


def apart(script: str) -> subprocess.CompletedProcess[str]:
    sudo = () if os.geteuid() == 0 else ("sudo", "-n", "--preserve-env=PATH")
    return subprocess.run(
        [*sudo, "unshare", "--net", "sh", "-ec", script], check=False, capture_output=True,
        text=True, cwd=ROOT, timeout=120, env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip


@pytest.mark.docker
def test_an_engine_of_the_tests_leaves_links_as_they_are() -> None:
    engine = (
        "from tests.own_engine import OwnEngine\n"
        "engine = OwnEngine('none')\nengine.start('vfs')\nengine.__exit__()"
    )
    done = apart(
        f'ip link add docker0 type bridge\n{sys.executable} -c "{engine}"\nip link show docker0'
    )
    assert done.returncode == 0, done.stderr
    assert "docker0" in done.stdout


@pytest.mark.docker  # machines with an engine have these tools
@pytest.mark.parametrize(
    ("commands", "says"), [(HARM, SAYS), ("ip link add veth12ab type bridge", [])]
)
def test_what_tests_change_of_the_machine_fails_their_run(
    tmp_path: Path, commands: str, says: list[str]
) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_it.py").write_text(CHANGES.format(commands=commands))
    done = apart(
        "for name in lasting lost; do ip link add $name type bridge; done\n"
        "ip link set lasting up\nip link set lo up\niptables -P INPUT ACCEPT\n"
        f"{sys.executable} -m pytest -p no:cacheprovider --rootdir={tmp_path} -n 1 {tmp_path}"
    )
    assert "1 passed" in done.stdout, done.stdout + done.stderr
    assert done.returncode == bool(says), done.stdout
    assert [line for line in done.stdout.splitlines() if line in says] == says
    assert bool(says) == ("changed this machine" in done.stdout)
