"""What is written, what stays, and what goes."""

import math
import os
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from evaluator.core.formats.cache import Cache, cache_key
from evaluator.site.build import output
from evaluator.site.build.output import MANIFEST, Output


def cache_of(site: Path) -> Cache:
    return Cache(site.parent / "cache")


def build(site: Path, files: dict[str, bytes], inputs: str = "") -> Output:
    output = Output(site, cache_of(site))
    for path, content in files.items():
        if not output.has(path, inputs):
            output.put(path, content, inputs)
    output.finish(cache_of(site))
    return output


def times(site: Path) -> dict[str, int]:
    return {
        path.relative_to(site).as_posix(): path.stat().st_mtime_ns
        for path in site.rglob("*")
        if path.is_file()
    }


FILES = {"a/index.html": b"one", "b/index.html": b"two", "c": b""}


def test_nothing_is_written_twice(tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert build(site, FILES).written == 3
    before = times(site)
    assert build(site, FILES).written == 0
    assert times(site) == before


def test_what_changed_is_written_and_what_vanished_goes(tmp_path: Path) -> None:
    site = tmp_path / "site"
    build(site, FILES)
    before = times(site)
    output = build(site, {"a/index.html": b"new", "c": b""})
    assert output.written == 1
    assert (site / "a/index.html").read_bytes() == b"new"
    assert not (site / "b").exists()
    assert times(site)["c"] == before["c"]


def test_a_page_of_the_same_inputs_is_not_made(tmp_path: Path) -> None:
    site = tmp_path / "site"
    build(site, FILES, "of these")
    assert build(site, FILES, "of these").unchanged == 3
    output = build(site, FILES, "of others")
    assert output.unchanged == 0
    assert output.written == 0
    assert build(site, FILES).unchanged == 0, "no inputs are no promise"


@pytest.mark.parametrize("harm", ["delete", "edit", "touch", "link", "manifest"])
def test_harm_by_hand_is_mended(tmp_path: Path, harm: str) -> None:
    site = tmp_path / "site"
    build(site, FILES, "of these")
    file = site / "a/index.html"
    if harm == "delete":
        file.unlink()
    elif harm == "edit":
        file.write_bytes(b"oNe")
    elif harm == "touch":
        os.utime(file, ns=(1, 1))
    elif harm == "link":
        file.unlink()
        file.symlink_to(site / "b/index.html")
    else:
        cache_of(site).put(MANIFEST, b'{"version":1,"files":{"a/index.html":[0]}}')
    build(site, FILES, "of these")
    assert {path: (site / path).read_bytes() for path in FILES} == FILES


def test_a_file_in_the_place_of_a_folder_goes(tmp_path: Path) -> None:
    site = tmp_path / "site"
    build(site, {"a": b"file"})
    build(site, {"a/index.html": b"page"})
    assert times(site).keys() == {"a/index.html"}
    build(site, {"a": b"file"})
    assert (site / "a").read_bytes() == b"file"


def test_parts_of_a_digest_are_told_apart() -> None:
    assert cache_key("ab", "c") != cache_key("a", "bc")
    assert cache_key("a") == cache_key(b"a")


def put_large(site: Path, *parts: bytes) -> Output:
    output = Output(site, cache_of(site))
    output.put_parts(["api/one.json", "one.json", "phases/a/one.json"], iter(parts))
    output.finish(cache_of(site))
    return output


def test_a_large_file_stands_at_each_address(tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert put_large(site, b"a", b"b").written == 3
    before = times(site)
    assert set(before) == {"api/one.json", "one.json", "phases/a/one.json"}
    assert {(site / path).read_bytes() for path in before} == {b"ab"}
    assert len({(site / path).stat().st_ino for path in before}) == 1, "on the disk it is once"
    # However it is cut it is the same, and known as what one piece would be.
    assert put_large(site, b"", b"ab").written == 0
    assert times(site) == before
    build(site, {"one.json": b"ab"})
    assert times(site) == {"one.json": before["one.json"]}
    assert put_large(site, b"ab").written == 2
    assert times(site)["one.json"] == before["one.json"]


def test_of_a_large_file_only_what_differs_is_written(tmp_path: Path) -> None:
    site = tmp_path / "site"
    put_large(site, b"ab")
    (site / "one.json").unlink()
    (site / "one.json").write_bytes(b"xy")
    assert put_large(site, b"ab").written == 1
    (site / "one.json").write_bytes(b"xy")
    assert put_large(site, b"ab").written == 1
    (site / "api/one.json").write_bytes(b"xy")  # and with it whatever shares its place
    assert put_large(site, b"ab").written == 2
    assert {path.read_bytes() for path in site.rglob("*.json")} == {b"ab"}
    assert put_large(site, b"a", b"c").written == 3
    assert {path.read_bytes() for path in site.rglob("*.json")} == {b"ac"}
    (tmp_path / "cache" / MANIFEST).unlink()
    assert put_large(site, b"ac").written == 0


def test_a_file_at_an_address_of_a_large_one_leaves_the_others(tmp_path: Path) -> None:
    site = tmp_path / "site"
    put_large(site, b"ab")
    output = Output(site, cache_of(site))
    output.put_parts(["api/one.json", "phases/a/one.json"], [b"ab"])
    output.put("one.json", b"xy")
    output.finish(cache_of(site))
    assert (site / "one.json").read_bytes() == b"xy"
    assert (site / "api/one.json").read_bytes() == b"ab"


def test_where_files_have_one_name_a_large_one_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(file: str, other: str) -> None:
        raise PermissionError(f"{file} cannot be {other}")

    monkeypatch.setattr(os, "link", refused)
    site = tmp_path / "site"
    assert put_large(site, b"ab").written == 3
    assert {path.read_bytes() for path in site.rglob("*.json")} == {b"ab"}
    assert len({path.stat().st_ino for path in site.rglob("*.json")}) == 3


def test_a_large_file_that_fails_leaves_the_old_one(tmp_path: Path) -> None:
    site = tmp_path / "site"
    put_large(site, b"ab")

    def broken() -> Iterator[bytes]:
        yield b"a"
        raise OSError("no space left")

    output = Output(site, cache_of(site))
    with pytest.raises(OSError, match="no space left"):
        output.put_parts(["one.json"], broken())
    assert (site / "one.json").read_bytes() == b"ab"
    # What was begun goes with the next build.
    assert put_large(site, b"ab").written == 0
    assert set(times(site)) == {"api/one.json", "one.json", "phases/a/one.json"}


def test_a_large_file_is_not_written_through_a_link(tmp_path: Path) -> None:
    site = tmp_path / "site"
    other = tmp_path / "other"
    other.write_bytes(b"mine")
    site.mkdir()
    for name in ("one.json", "one.json.new"):
        (site / name).symlink_to(other)
    put_large(site, b"ab")
    assert other.read_bytes() == b"mine"
    assert not (site / "one.json").is_symlink()
    assert (site / "one.json").read_bytes() == b"ab"


def test_a_build_that_ends_midway_leaves_the_site_as_it_was(tmp_path: Path) -> None:
    site = tmp_path / "site"
    build(site, FILES)
    before = times(site)
    output = Output(site, cache_of(site))
    output.put("a/index.html", b"half of the next")
    assert times(site) == before
    build(site, {**FILES, "a/index.html": b"the next"})
    assert (site / "a/index.html").read_bytes() == b"the next"
    assert {path.name for path in tmp_path.iterdir()} == {"site", ".site.next", "cache"}


def test_a_site_that_was_put_aside_comes_back(tmp_path: Path) -> None:
    site = tmp_path / "site"
    build(site, FILES)
    site.rename(tmp_path / ".site.last")
    (tmp_path / ".site.next").mkdir()
    assert build(site, FILES).written == 0
    assert {path.name for path in tmp_path.iterdir()} == {"site", ".site.next", "cache"}


class Killed(BaseException):
    """Ends a build at some step."""


ROUNDS: list[dict[str, bytes]] = [
    {"a/index.html": b"one", "b/deep/index.html": b"two", "c": b"", "d": b"file"},
    {"a/index.html": b"ONE", "c": b"", "d/index.html": b"folder", "e/f/g": b"new"},
    {"a/index.html": b"One", "b/deep/index.html": b"two", "d": b"file again", "e/f": b"file"},
    {"a/index.html": b"One", "b/deep": b"file", "c/index.html": b"folder", "d": b"file again"},
]


@pytest.mark.parametrize("can_exchange", [True, False])
def test_a_build_that_is_killed_at_any_step_leaves_one_site_and_does_not_hinder_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, can_exchange: bool
) -> None:
    if not can_exchange:
        monkeypatch.setattr(output, "_exchange", lambda *_: False)
    left = math.inf

    def dying(step: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **more: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                raise Killed
            return step(*arguments, **more)

        return call

    for name in ("link", "unlink", "rmdir", "mkdir", "rename"):
        monkeypatch.setattr(os, name, dying(getattr(os, name)))
    site = tmp_path / "site"
    for last, new in pairwise(ROUNDS):
        for step in range(1, 100):
            build(site, ROUNDS[0])
            build(site, last)
            assert whole(site) == last
            left = step
            try:
                build(site, new)
                left = math.inf
                break
            except Killed:
                left = math.inf
            # Between two renames of a system that cannot exchange folders there is none.
            seen = site if site.exists() else tmp_path / ".site.last"
            assert seen == site or not can_exchange
            assert whole(seen) in (last, new)
            build(site, new)
            assert whole(site) == new
        else:
            pytest.fail("it takes more steps than that")
        assert step > 3


def whole(site: Path) -> dict[str, bytes]:
    """Return all files, and folders that hold none with a slash at the end."""
    empty = {
        f"{path.relative_to(site).as_posix()}/": b""
        for path in site.rglob("*")
        if path.is_dir() and not any(path.iterdir())
    }
    return {path: (site / path).read_bytes() for path in times(site)} | empty


def test_only_what_changed_is_linked_and_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    for content in (b"one", b"two", b"three"):
        build(site, {**FILES, "a/index.html": content})
    steps: list[str] = []
    for name in ("link", "unlink", "rmdir", "mkdir"):
        step = getattr(os, name)

        def noted(path: Any, *more: Any, step: Any = step, name: str = name) -> Any:
            steps.append(name)
            return step(path, *more)

        monkeypatch.setattr(os, name, noted)
    build(site, {**FILES, "a/index.html": b"four"})
    # What the second tree lags behind by, and what is written there anew.
    assert steps.count("link") == 1
    assert steps.count("unlink") == 2
    assert (site / "a/index.html").read_bytes() == b"four"
    assert (tmp_path / ".site.next/a/index.html").read_bytes() == b"three"


def test_the_second_tree_is_mended_whatever_it_holds(tmp_path: Path) -> None:
    site, second = tmp_path / "site", tmp_path / ".site.next"
    for content in (b"one", b"two", b"three"):
        build(site, {**FILES, "c": content})
    (second / "a/index.html").unlink()
    (second / "a/index.html").write_bytes(b"oNe")
    (second / "stray/empty").mkdir(parents=True)
    (second / "b/index.html").unlink()
    (second / "b").rmdir()
    (second / "b").symlink_to(site / "a")
    build(site, {**FILES, "c": b"four"})
    assert whole(site) == {**FILES, "c": b"four"}
