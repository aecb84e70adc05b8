"""Every way in which a file of predictions can be wrong has its own message with its first row."""

import io
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.benchmarks.ogb import NAMES, Desk


@pytest.fixture
def mag(tmp_path: Path) -> Desk:
    return Desk(tmp_path, "mag240m")


@pytest.fixture
def wiki(tmp_path: Path) -> Desk:
    return Desk(tmp_path, "wikikg90mv2")


@pytest.fixture
def pcqm(tmp_path: Path) -> Desk:
    return Desk(tmp_path, "pcqm4mv2")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (70000, "row 3 holds 70000.0, which is not within int16 (overflow)"),  # ogb: 4464
        (2.7, "row 3 holds 2.7, which is not whole"),  # ogb: 2
        (float("nan"), "row 3 holds nan, which is not a number"),  # ogb: 0
        (float("inf"), "row 3 holds inf, which is not finite"),
    ],
)
def test_nothing_is_cast_silently(mag: Desk, value: float, message: str) -> None:
    wrong = mag.good().astype(np.float64)
    wrong[3] = value
    mag.save(wrong)
    start = "y_pred_mag240m_test-dev.npz 'y_pred' has the dtype float64, not int16, and is not cast"
    assert mag.refusal() == f"{start}: {message}\n"


def test_whole_numbers_of_another_width(mag: Desk) -> None:
    wrong = mag.good().astype(np.int64)
    mag.save(wrong)
    assert "every value would fit: save it with .astype('int16')" in mag.refusal()
    wrong[[5, 7]] = 70000
    mag.save(wrong)
    assert "row 5 holds 70000, which is not within int16 (overflow)" in mag.refusal()
    mag.save(np.full(20, 2**63, np.uint64))
    assert "row 0 holds 9223372036854775808, which is not within int16" in mag.refusal()
    mag.save(mag.good().astype(">i2"))
    assert "has the dtype >i2, not int16" in mag.refusal()


def test_float64_that_float32_cannot_hold(pcqm: Desk) -> None:
    """It is saved as infinity by ogb, which then scores inf."""
    wrong = pcqm.good().astype(np.float64)
    wrong[4] = 1e300
    pcqm.save(wrong)
    assert "row 4 holds 1e+300, which is not within float32 (overflow)" in pcqm.refusal()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.nan, "row 2 holds nan, which is not a number (NaN) (1 other row has this fault, too)"),
        (np.inf, "row 2 holds inf, which is infinite (1 other row has this fault, too)"),
        (1223.167, "row 2 holds 1223.1669921875, which is outside -50 to 100 (1 other row"),
    ],
)
def test_gaps_that_are_none(pcqm: Desk, value: float, message: str) -> None:
    wrong = pcqm.good()
    wrong[[2, 9]] = value
    pcqm.save(wrong)
    assert f"y_pred_pcqm4m-v2_test-dev.npz: {message}" in pcqm.refusal()


def test_subjects_out_of_range(mag: Desk) -> None:
    wrong = mag.good()
    wrong[[1, 2, 3]] = 153
    wrong[0] = 152
    mag.save(wrong)
    assert "row 1 holds 153, which is outside 0 to 152 (2 other rows have" in mag.refusal()
    mag.save(np.full(20, -1, np.int16))
    assert "row 0 holds -1, which is outside 0 to 152" in mag.refusal()


def test_one_repeated_id_does_not_cost_all_rows_in_silence(wiki: Desk) -> None:
    """In ogb's evaluator one such row makes the whole score 0."""
    wrong = wiki.good()
    wrong[6, 8] = wrong[6, 2] = 77
    wiki.save(wrong)
    assert wiki.refusal() == "t_pred_wikikg90m-v2_test-dev.npz: row 6 holds the id 77 twice\n"


def test_negative_ids_are_no_padding(wiki: Desk) -> None:
    """ogb takes them as padding: they may repeat, and a truth of -1 would be found among them."""
    wrong = wiki.good()
    wrong[5, 1:] = -1
    wiki.save(wrong)
    told = wiki.refusal()
    assert "row 5 holds -1, which is negative, and no id; padding is not accepted" in told
    assert "twice" not in told
    wrong = wiki.good()
    wrong[8, 9] = 91_230_610
    wiki.save(wrong)
    assert "row 8 holds 91230610, which is outside 0 to 91230609" in wiki.refusal()


@pytest.mark.parametrize("name", NAMES)
def test_file_names(tmp_path: Path, name: str) -> None:
    desk = Desk(tmp_path, name)
    stem = desk.task["stem"]
    assert desk.refusal() == f"the file {stem}_test-dev.npz is missing; its name is ogb's own\n"
    desk.save(desk.good())
    (desk.given / "notes.txt").write_text("kept aside")
    desk.score()
    desk.path().rename(desk.given / "mine.npz")
    told = desk.refusal()
    assert f"{stem}_test-dev.npz is missing" in told
    assert "mine.npz is not a file of this phase; rename or remove it" in told
    (desk.given / "mine.npz").rename(desk.path("test-challenge"))
    told = desk.refusal()
    assert f"{stem}_test-challenge.npz belongs to test-challenge; this phase takes test-d" in told


@pytest.mark.parametrize("name", NAMES)
def test_rows_of_the_other_mode(tmp_path: Path, name: str) -> None:
    """A file for test-challenge under the name of test-dev, and the reverse."""
    desk = Desk(tmp_path / "dev", name)
    desk.save(desk.good()[:13])
    assert "has 13 rows, which is the size of test-challenge, not 20" in desk.refusal()
    desk = Desk(tmp_path / "challenge", name, "test-challenge")
    desk.save(np.concatenate([desk.good("test-challenge")] * 2)[:20], "test-challenge")
    assert "has 20 rows, which is the size of test-dev, not 13" in desk.refusal()
    desk.save(desk.good("test-challenge"), "test-challenge")
    right = 0 if name == "pcqm4mv2" else 1
    assert desk.score()[desk.task["metric"]] == pytest.approx(right, abs=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_shapes_and_row_counts(tmp_path: Path, name: str) -> None:
    desk = Desk(tmp_path, name)
    good = desk.good()
    for wrong, message in (
        (good[:0], "has no rows; 20 are expected"),  # ogb: division by zero, or nan
        (good[:19], "has 19 rows, not 20; row 19 is the first missing"),
        (np.concatenate([good, good[:2]]), "has 22 rows, not 20; row 20 is the first too many"),
        (good[..., None], f"has the shape {good[..., None].shape}, not {good.shape}; reshape"),
        (good.reshape(-1)[0], "has the shape (), not"),
    ):
        desk.save(wrong)
        assert message in desk.refusal()


@pytest.mark.parametrize("name", NAMES)
def test_keys(tmp_path: Path, name: str) -> None:
    desk = Desk(tmp_path, name)
    key = desk.task["key"]
    desk.save(None, other=desk.good())
    assert f"holds the key 'other', not '{key}' alone; name the array '{key}'" in desk.refusal()
    desk.save(desk.good(), more=desk.good())
    assert f"holds the key '{key}', 'more', not '{key}' alone" in desk.refusal()
    np.savez(desk.path())
    assert "holds the key nothing, not" in desk.refusal()


class Trap:
    """What a pickle can do to who reads it."""

    def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
        return (pytest.fail, ("the pickle was read",))


@pytest.mark.parametrize("name", NAMES)
def test_pickles_are_never_read(tmp_path: Path, name: str) -> None:
    desk = Desk(tmp_path, name)
    objects = np.empty(desk.good().shape, object)
    objects[...] = Trap()
    desk.save(objects)
    assert "holds pickled objects, which are never read" in desk.refusal()
    desk.path().write_bytes(pickle.dumps(Trap()))
    assert "is a pickle, which is never read" in desk.refusal()
    with zipfile.ZipFile(desk.path(), "w") as archive:
        archive.writestr(f"{desk.task['key']}.npy", pickle.dumps(Trap()))
    assert "is no array of numpy's" in desk.refusal()


def test_dtypes_that_are_no_numbers(mag: Desk) -> None:
    for wrong in (mag.good().astype(str), mag.good().astype(bool), mag.good().astype(complex)):
        mag.save(wrong)
        assert f"has the dtype {wrong.dtype}, not int16; save it as int16" in mag.refusal()
    mag.save(np.zeros(20, [("x", "<i2")]))
    assert "not int16; save it as int16" in mag.refusal()


@pytest.mark.parametrize("name", NAMES)
def test_truncated_and_damaged_files(tmp_path: Path, name: str) -> None:
    desk = Desk(tmp_path, name)
    whole = desk.save(desk.good()).read_bytes()
    for cut in (2, 30, len(whole) // 2, len(whole) - 1):
        desk.path().write_bytes(whole[:cut])
        assert "is truncated or damaged" in desk.refusal()
    flipped = bytearray(whole)
    flipped[len(whole) // 3] ^= 255
    desk.path().write_bytes(flipped)
    assert desk.refusal()
    desk.path().write_bytes(b"")
    assert "is empty" in desk.refusal()
    desk.path().write_bytes(b"id,label\n1,2\n")
    assert "is no .npz file" in desk.refusal()
    buffer = io.BytesIO()
    np.save(buffer, desk.good())
    desk.path().write_bytes(buffer.getvalue())
    assert "is a single array (.npy)" in desk.refusal()


def test_an_array_shorter_or_longer_than_its_header(mag: Desk) -> None:
    buffer = io.BytesIO()
    np.save(buffer, mag.good())
    for content, message in (
        (buffer.getvalue()[:-4], "'y_pred' is truncated: 36 of 40 bytes"),
        (buffer.getvalue() + b"more", "'y_pred' has more bytes than its header says"),
    ):
        with zipfile.ZipFile(mag.path(), "w") as archive:
            archive.writestr("y_pred.npy", content)
        assert message in mag.refusal()


def test_what_unpacks_to_gigabytes_is_not_unpacked(mag: Desk) -> None:
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "<i2", "fortran_order": False, "shape": (2**40,)}
    )
    with zipfile.ZipFile(mag.path(), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("y_pred.npy", header.getvalue() + bytes(2**20))
    assert "has 1099511627776 rows, not 20" in mag.refusal()


def test_all_faults_at_once(wiki: Desk) -> None:
    wrong = wiki.good()
    wrong[1, 1], wrong[2, 3], wrong[4, 5] = -7, 2**31 - 1, wrong[4, 6]
    wiki.save(wrong)
    wiki.save(wrong[:3], "valid")
    (wiki.given / "other.npz").write_bytes(b"")
    told = wiki.refusal().splitlines()
    assert len(told) == 5
    assert [line.split()[0].rstrip(":") for line in told] == [
        "other.npz",
        *["t_pred_wikikg90m-v2_test-dev.npz"] * 3,
        "t_pred_wikikg90m-v2_valid.npz",
    ]


def test_the_validation_file_is_checked_as_strictly(pcqm: Desk) -> None:
    pcqm.save(pcqm.good())
    wrong = pcqm.good("valid")
    wrong[6] = np.nan
    pcqm.save(wrong, "valid")
    assert pcqm.refusal() == (
        "y_pred_pcqm4m-v2_valid.npz: row 6 holds nan, which is not a number (NaN)\n"
    )
