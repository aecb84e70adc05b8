"""Cells run through a Docker socket that breaks. For many seeds: `make chaos KINDS=sockets`."""

import random
import re
import subprocess
import sys

import pytest

from tests.chaos.sockets import check_nothing_left, few, proxied, run
from tests.repository import Repository
from tests.site.conftest import ROOT

pytestmark = pytest.mark.docker

FINISHED = "3 finished, 0 failed"


@pytest.fixture
def alice(small: Repository) -> Repository:
    return few(small)


@pytest.mark.slow
def test_what_comes_through_a_broken_socket_is_right_or_the_platforms_fault() -> None:
    seed = random.randrange(10**6)  # noqa: S311 - it is printed
    done = subprocess.run(
        [sys.executable, "-m", "tests.chaos.sockets", "3", "--seed", str(seed)],
        capture_output=True, text=True, cwd=ROOT, check=False,
    )  # fmt: skip
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_an_output_whose_sending_breaks_off_is_not_its_writers_fault(alice: Repository) -> None:
    alice.write("pyproject.toml", "[tool.pullbench]\nretries = 1\n")
    with proxied("cut", r"GET .*archive\?path=%2Fvolumes", 1) as proxy:
        done = run(alice.path, proxy.address, is_far=True)
        assert "cut: GET" in proxy.said()
    assert FINISHED in done.stdout, done.stdout + done.stderr


@pytest.mark.slow
def test_a_program_has_not_timed_out_where_the_engine_says_late_that_it_ended(
    alice: Repository,
) -> None:
    with proxied("late 4", "POST .*wait$", 1000) as proxy:
        done = run(alice.path, proxy.address)
        assert "late 4: POST" in proxy.said()
    assert FINISHED in done.stdout, done.stdout + done.stderr


@pytest.mark.slow
def test_what_could_not_be_removed_is_by_the_next_run_though_nothing_is_missing(
    alice: Repository,
) -> None:
    with proxied("500", "DELETE .*(volumes|containers)", 1000) as proxy:
        done = run(alice.path, proxy.address)
        assert FINISHED in done.stdout, done.stdout + done.stderr
        assert re.search("500: DELETE .*volumes", proxy.said())
    assert "nothing is missing" in run(alice.path).stdout
    check_nothing_left(alice.path, proxy.runs)


def test_an_engine_that_fails_is_no_defect(alice: Repository) -> None:
    alice.write("pyproject.toml", "[tool.pullbench]\nretries = 0\nengine_wait = 0\n")
    for asked in ("_ping", "info", "containers/json", "images/", "containers/create"):
        with proxied("500", f"/{asked}", 1000) as proxy:
            done = run(alice.path, proxy.address)
        said = done.stdout + done.stderr
        assert done.returncode == 3, f"{asked}: {said}"
        assert "defect" not in said
