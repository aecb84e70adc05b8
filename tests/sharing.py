"""How tests are shared out to workers that run side by side: ``pytest --numprocesses 2``."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

_OWN_SITE = re.compile(r"tests/site/test_(accessibility|board|links|policy)\.py")
_IMAGE = re.compile(r"tests/(?:benchmarks/test_([a-z]+)|hostile/test_benchmarks\.py.*\[([a-z]+))")
_SAME_IMAGE = {"cometh": "deconbench", "autorl": "jobshop"}
"""Benchmarks whose Dockerfiles are the same: the second build takes the layers of the first."""
_OWN_ENGINE = re.compile(r"tests/chaos/test_engine_\w+\.py")
_SLOW = ("browser", "docker")


class Sharing(LoadScopeScheduling):
    """Gives whole portions to workers, in the order in which they were collected."""

    def __init__(self, config: pytest.Config, log: Producer) -> None:
        config.option.loadscopereorder = False
        super().__init__(config, log)

    def _split_scope(self, nodeid: str) -> str:
        return portion(nodeid)


def one_in(count: int, values: Iterable[Any]) -> list[Any]:
    """Return parameters: `make test` takes the first of so many each time, `make slow` the rest."""
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else (value,)),
            marks=pytest.mark.slow if place % count else (),
        )
        for place, value in enumerate(values)
    ]


def portion(nodeid: str) -> str:
    """Return which tests one worker runs, one after the other.

    That is a file's, for what its fixtures made once. Files that want the project's own site, or
    an image that takes minutes to build, go together.
    """
    file = nodeid.partition("::")[0]
    if _OWN_SITE.fullmatch(file):
        return "own site"
    if _OWN_ENGINE.fullmatch(file):
        return "own engine"
    if image := _IMAGE.match(nodeid):
        name = image[1] or image[2]
        return f"benchmark {_SAME_IMAGE.get(name, name)}"
    return file


def in_good_order(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Sort for workers: portions with a browser and with containers by turns, then the others.

    Containers are waited for while a browser computes. Short portions come last: while the last
    of all runs, the other workers have nothing to do.
    """
    kinds: dict[str, set[str]] = {}
    for item in items:
        found = kinds.setdefault(portion(item.nodeid), set())
        found.update(kind for kind in _SLOW if item.get_closest_marker(kind))
    places = dict.fromkeys(kinds, 1.0)
    for kind in _SLOW:
        those = [name for name, found in kinds.items() if kind in found]
        places.update((name, place / len(those)) for place, name in enumerate(those))
    order = {name: place for place, name in enumerate(sorted(kinds, key=places.__getitem__))}
    return sorted(items, key=lambda item: order[portion(item.nodeid)])
