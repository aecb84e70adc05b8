import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.core.errors import Actor
from evaluator.core.formats.quantities import slug, to_bytes, to_datetime, unique_slugs
from evaluator.core.formats.schema import read_yaml


@pytest.mark.parametrize(
    ("text", "size"),
    [
        (1, 1),
        ("10", 10),
        ("512 MiB", 512 * 2**20),
        ("1.5GiB", 3 * 2**29),
        ("2 GB", 2 * 10**9),
        ("64k", 2**16),
        (" 4 m ", 4 * 2**20),
    ],
)
def test_sizes(text: object, size: int) -> None:
    assert to_bytes(text) == size


@pytest.mark.parametrize(
    "text", [0, -1, True, 1.5, None, "", "0", "plenty", "1 XB", "-1 MiB", "1e3"]
)
def test_not_a_size(text: object) -> None:
    with pytest.raises(ValueError, match="must be"):
        to_bytes(text)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-01-31", "2026-01-31T00:00:00+00:00"),
        ("2026-01-31 12:30", "2026-01-31T12:30:00+00:00"),
        ("02/03/2026", "2026-02-03T00:00:00+00:00"),
        ("31/01/2026", "2026-01-31T00:00:00+00:00"),
        ("2026-01-31T12:00:00+02:00", "2026-01-31T10:00:00+00:00"),
        ("March 2026", "2026-03-01T00:00:00+00:00"),
    ],
)
def test_dates_are_read_month_first_and_as_utc(text: str, moment: str) -> None:
    assert to_datetime(text).isoformat() == moment


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("2026-01-31 12:30:00", "2026-01-31T12:30:00+00:00"),
        ("2026-01-31T12:30:00+02:00", "2026-01-31T10:30:00+00:00"),
        ("2026-01-31", "2026-01-31T00:00:00+00:00"),
    ],
)
def test_unquoted_timestamps_keep_their_time(written: str, moment: str) -> None:
    data = read_yaml(f"start: {written}\n".encode(), "a.yaml", Actor.ORGANISER).data
    assert not isinstance(data["start"], str)
    assert to_datetime(data["start"]).isoformat() == moment


@pytest.mark.parametrize("value", [None, 5, "soon", "", "9999999", "0001-01-01 00:00+14:00", ["x"]])
def test_not_a_date(value: object) -> None:
    with pytest.raises(ValueError, match="date"):
        to_datetime(value)


@given(st.text(max_size=30))
def test_any_text_is_a_date_or_refused(text: str) -> None:
    try:
        moment = to_datetime(text)
    except ValueError:
        return
    assert moment.utcoffset() == dt.timedelta(0)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Main phase", "main-phase"),
        ("Größe & Höhe!", "groe-hohe"),
        ("../../etc", "etc"),
        ("", ""),
        ("日本", ""),
        ("x" * 99, "x" * 60),
    ],
)
def test_slug(title: str, name: str) -> None:
    assert slug(title) == name


@given(st.lists(st.sampled_from(["a", "A", "a 1", "a-1", "", "日本", "task-0"]), max_size=8))
def test_slugs_are_unique_names(titles: list[str]) -> None:
    names = unique_slugs(titles, "task")
    assert len(set(names)) == len(titles)
    assert all(name == slug(name) != "" for name in names)
