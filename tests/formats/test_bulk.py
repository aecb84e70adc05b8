"""Many objects at once: what is made meanwhile is neither searched for cycles nor kept for ever."""

import gc
import weakref

import pytest

from evaluator.formats.bulk import without_collection


class Circle:
    """An object that holds itself."""

    def __init__(self) -> None:
        self.own = self


@pytest.fixture(autouse=True)
def collecting() -> None:
    gc.collect()
    assert gc.isenabled()


def test_what_was_made_meanwhile_is_old_afterwards() -> None:
    with without_collection():
        made: list[list[int]] = [[] for _ in range(gc.get_threshold()[0] * 3)]
        assert gc.get_count()[0] > len(made) / 2  # nobody looked
    assert gc.isenabled()
    old = {id(one) for one in gc.get_objects(generation=2)}
    assert {*map(id, made)} <= old


def test_a_cycle_that_was_left_is_found_later() -> None:
    with without_collection():
        gone = weakref.ref(Circle())
        assert gone() is not None
    gc.collect()
    assert gone() is None


def test_within_itself_it_ends_once() -> None:
    with without_collection():
        with without_collection():
            pass
        assert not gc.isenabled()


def test_what_is_kept_out_of_sight_stays_there() -> None:
    gc.freeze()
    try:
        before = gc.get_freeze_count()
        with without_collection():
            pass
        assert gc.get_freeze_count() >= before - 100  # some may be gone by themselves
    finally:
        gc.unfreeze()
