"""What pages say that an image has installed."""

from dataclasses import replace

import pytest

from evaluator.site.content.images import images
from tests.core.leaderboard.boards import make_benchmark

DOCKERFILE = b"""FROM docker.io/library/python:3.12-slim
RUN apt-get update \\
    && apt-get install -y --no-install-recommends r-base-core gcc \\
    && rm -rf /var/lib/apt/lists/*
COPY requirements.txt .
RUN pip install --no-cache-dir -r requirements.txt
RUN pip install --index-url https://example.org/simple "torch[cpu]==2.9.1"; echo install me
"""
REQUIREMENTS = b"""# Pinned.
numpy==2.3.5 \\
    --hash=sha256:abc
--only-binary :all:
scipy>=1.16  # for sparse matrices
"""
FILES = {
    "Dockerfile": DOCKERFILE,
    "requirements.txt": REQUIREMENTS,
    "environments/small/Dockerfile": b"FROM ghcr.io/someone/tools:7\nRUN pip install -U joblib\n",
}
NOTHING: dict[str, bytes] = {}


def test_packages_of_the_dockerfile_and_of_the_lists_that_it_installs() -> None:
    benchmark = replace(make_benchmark(), environments=("small",))
    usual, small = images(benchmark, FILES.get)
    assert (usual.python, usual.folder) == ("3.12", "benchmarks/bench")
    assert usual.packages == (
        "r-base-core", "gcc", "numpy==2.3.5", "scipy>=1.16", "torch[cpu]==2.9.1",
    )  # fmt: skip
    assert (small.environment, small.python, small.base) == ("small", "", "ghcr.io/someone/tools:7")
    assert small.folder == "benchmarks/bench/environments/small"
    assert small.packages == ("joblib",)


@pytest.mark.parametrize(
    ("name", "version"), [("python:3.11-slim", "3.11"), ("codalab/x:py37", "")]
)
def test_without_a_dockerfile_the_name_of_the_image_says_what_it_says(
    name: str, version: str
) -> None:
    (image,) = images(replace(make_benchmark(), docker_image=name), NOTHING.get)
    assert (image.base, image.python, image.packages, image.folder) == (name, version, (), "")
