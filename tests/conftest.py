"""What all tests share: real repositories in temporary folders, and nobody's own settings."""

import os
import signal
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path

import docker.errors
import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, expect, sync_playwright
from xdist.remote import Producer

from evaluator.core.compute.engine.docker_client import connect
from tests.browsers import chromium
from tests.machine import (  # noqa: F401 - hooks, found by their names
    pytest_sessionfinish,
    pytest_sessionstart,
    pytest_terminal_summary,
)
from tests.own_engine import OwnEngine
from tests.repository import Repository
from tests.sharing import Sharing, in_good_order
from tests.site.waiting import PATIENCE
from tests.turns import turn

collect_ignore = ["bundles"]

IMAGE = "python:3.11-slim"
_FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run",
]  # fmt: skip
# How long an example takes says how busy the machine is, and no more.
settings.register_profile("tests", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tests")
_SCRUBBED = ("CI", "GH_TOKEN", "FORCE_COLOR", "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")

_GIT = """[core]
    fsync = none
[init]
    templateDir = {template}
[gc]
    auto = 0
[maintenance]
    auto = false
[receive]
    autogc = false
"""
"""Repositories of tests live for seconds: nothing waits for a disk, packs them or explains them."""


def pytest_addoption(parser: pytest.Parser) -> None:
    for need in ("docker", "browser"):
        parser.addoption(
            f"--require-{need}",
            action="store_true",
            help=f"where there is no {need}, fail the tests that need one instead of skipping them",
        )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if hasattr(config, "workerinput"):
        items[:] = in_good_order(items)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Sharing:
    return Sharing(config, log)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Let no other worker's test run beside one that wants to be alone, nor beside its fixtures."""
    if not hasattr(item.config, "workerinput"):
        return (yield)
    with turn(alone=item.get_closest_marker("alone") is not None):
        return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    for need, why_not in (("docker", _why_no_docker), ("browser", _why_no_browser)):
        reason = why_not() if item.get_closest_marker(need) else None
        if reason and item.config.getoption(f"--require-{need}"):
            pytest.fail(f"--require-{need}: {reason}", pytrace=False)
        if reason:
            pytest.skip(reason)


@cache
def _why_no_docker() -> str | None:
    client = connect()
    if client is None:
        return "no Docker engine answers"
    with client:
        try:
            client.inspect_image(IMAGE)
        except docker.errors.ImageNotFound:
            return f"the Docker engine has no image {IMAGE}"
    return None


@cache
def _why_no_browser() -> str | None:
    wanted = os.environ.get("CHROMIUM", "chromium")
    return None if chromium() else f"{wanted} is not installed"


@pytest.fixture(scope="session", autouse=True)
def _own_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the settings of whoever runs the tests out of them, and theirs out of his."""
    home = tmp_path_factory.mktemp("home")
    # A shell's background job ignores ^C, and so would every program that a test interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name in _SCRUBBED or name.startswith(("GITHUB_", "PULLBENCH_")):
                patch.delenv(name)
        patch.setenv("HOME", str(home))
        # Commands are started a thousand times: each would compile the package anew.
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        for folder in ("info", "hooks"):
            (home / "template" / folder).mkdir(parents=True)
        settings = home / "gitconfig"
        settings.write_text(_GIT.format(template=home / "template"))
        patch.setenv("GIT_CONFIG_GLOBAL", str(settings))
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        for role in ("AUTHOR", "COMMITTER"):
            patch.setenv(f"GIT_{role}_NAME", "Tester")
            patch.setenv(f"GIT_{role}_EMAIL", "tester@localhost")
        yield


@pytest.fixture(scope="session")
def environments(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Virtual environments of the subprocess engine, shared by the tests that use it."""
    return tmp_path_factory.mktemp("environments")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests: Playwright runs once in a process."""
    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=_FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    """An empty repository."""
    return Repository(tmp_path / "repo")


@pytest.fixture
def small(repo: Repository) -> Repository:
    """The bundle ``small``, committed: two benchmarks, three submissions, five cells."""
    return repo.with_bundle("small")


@pytest.fixture(scope="session")
def own_engine() -> Iterator[OwnEngine]:
    """A Docker engine that tests may stop and break."""
    with OwnEngine(IMAGE) as engine:
        yield engine
