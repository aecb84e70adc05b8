"""What a Dockerfile installs, and what of it this machine has."""

from pathlib import Path

import pytest

from evaluator.plugins.host.host_kinds import debian_packages, missing_packages

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"


@pytest.mark.parametrize(
    ("text", "packages"),
    [
        ("FROM python:3.11-slim\nRUN pip install -r requirements.txt\n", []),
        ("RUN apt-get update && apt-get install -y --no-install-recommends git curl=7.1 && true\n",
         ["git", "curl"]),
        ("run apt install -y \\\n    one \\\n    two; rm -rf /var/lib/apt\n", ["one", "two"]),
        ("# RUN apt-get install no\nENV A=1\n", []),
    ],
)  # fmt: skip
def test_packages_of_a_dockerfile(text: str, packages: list[str]) -> None:
    assert list(debian_packages(text)) == packages


def test_packages_of_our_own() -> None:
    text = (BENCHMARKS / "deconbench" / "Dockerfile").read_text()
    assert list(debian_packages(text)) == [
        "r-base-core", "r-cran-clue", "r-cran-nnls", "r-cran-quadprog",
    ]  # fmt: skip


def test_what_this_machine_has() -> None:
    assert missing_packages(["no-such-package-anywhere", "dpkg"]) == ["no-such-package-anywhere"]
