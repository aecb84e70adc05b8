"""One array out of an .npz file, without trusting it: no pickles, no cast, nothing read unasked.

``numpy.load`` reads what the file says is there. Here the header is compared with what must be
there first, so that a file of a few kilobytes cannot unpack to gigabytes.
"""

import zipfile
from pathlib import Path

import numpy as np

MAX_HEADER = 10_000


class RefusedError(Exception):
    """What is wrong with a file and what to do about it."""


def read_array(
    path: Path, key: str, dtype: np.dtype, shape: tuple[int, ...], known: dict[str, int]
) -> np.ndarray:
    """Return the array, whose shape and dtype are as given. Raises RefusedError.

    ``known`` are the rows of each mode, to tell which one a wrong number belongs to.
    """
    _check_start(path)
    try:
        with zipfile.ZipFile(path) as archive:
            _check_members(archive, key)
            with archive.open(f"{key}.npy") as member:
                found, fortran, stored = _header(member, key)
                _check_shape(found, shape, key, known)
                _check_kind(stored, dtype, key)
                size = stored.itemsize * int(np.prod(found))
                content = member.read(size)
                if len(content) == size and member.read(1):
                    raise RefusedError(f"'{key}' has more bytes than its header says; save again")
    except RefusedError:
        raise
    # Over a broken file zipfile, its decoders and numpy's header raise a dozen kinds of errors.
    except Exception as error:
        reason = next(iter(str(error).splitlines()), "")[:100] or type(error).__name__
        raise RefusedError(f"is truncated or damaged: {reason}") from None
    if len(content) < size:
        raise RefusedError(f"'{key}' is truncated: {len(content)} of {size} bytes; save it again")
    array = np.frombuffer(content, stored).reshape(found, order="F" if fortran else "C")
    if stored != dtype:
        raise RefusedError(_why_no_cast(array, dtype, key))
    return array


def _check_start(path: Path) -> None:
    with path.open("rb") as file:
        start = file.read(6)
    if not start:
        raise RefusedError("is empty; save it with numpy.savez_compressed")
    if start[:1] == b"\x80":
        raise RefusedError("is a pickle, which is never read; save with numpy.savez_compressed")
    if start == b"\x93NUMPY":
        raise RefusedError("is a single array (.npy); save with numpy.savez_compressed, by its key")
    if start[:2] != b"PK":
        raise RefusedError("is no .npz file; save with numpy.savez_compressed")


def _check_members(archive: zipfile.ZipFile, key: str) -> None:
    names = [name.removesuffix(".npy") for name in archive.namelist()]
    if names != [key]:
        shown = ", ".join(f"'{name[:40]}'" for name in names[:5]) or "nothing"
        raise RefusedError(f"holds the key {shown}, not '{key}' alone; name the array '{key}'")


def _header(member: zipfile.ZipExtFile, key: str) -> tuple[tuple[int, ...], bool, np.dtype]:
    try:
        version = np.lib.format.read_magic(member)
        if version == (1, 0):
            return np.lib.format.read_array_header_1_0(member, max_header_size=MAX_HEADER)
        if version == (2, 0):
            return np.lib.format.read_array_header_2_0(member, max_header_size=MAX_HEADER)
    except ValueError as error:
        reason = str(error).splitlines()[0][:100]
        raise RefusedError(f"'{key}' is no array of numpy's: {reason}") from None
    raise RefusedError(f"'{key}' is in version {version[0]} of numpy's format; save plain numbers")


def _check_shape(
    found: tuple[int, ...], wanted: tuple[int, ...], key: str, known: dict[str, int]
) -> None:
    if found == wanted:
        return
    if found and found[0] == 0:
        raise RefusedError(f"'{key}' has no rows; {wanted[0]} are expected")
    if len(found) != len(wanted) or found[1:] != wanted[1:]:
        raise RefusedError(f"'{key}' has the shape {found}, not {wanted}; reshape it")
    other = next((mode for mode, rows in known.items() if rows == found[0]), "")
    if other:
        raise RefusedError(
            f"'{key}' has {found[0]} rows, which is the size of {other}, not {wanted[0]}; "
            f"predict the rows that the file's name says"
        )
    place = "missing" if found[0] < wanted[0] else "too many"
    raise RefusedError(
        f"'{key}' has {found[0]} rows, not {wanted[0]}; row {min(found[0], wanted[0])} "
        f"is the first {place}"
    )


def _check_kind(stored: np.dtype, dtype: np.dtype, key: str) -> None:
    if stored.hasobject:
        raise RefusedError(f"'{key}' holds pickled objects, which are never read; save {dtype}")
    if stored.kind not in "iuf" or stored.itemsize > 8:
        raise RefusedError(f"'{key}' has the dtype {stored}, not {dtype}; save it as {dtype}")


def _why_no_cast(array: np.ndarray, dtype: np.dtype, key: str) -> str:
    """Say what a cast, which ogb does silently, would change first."""
    wide = array.astype(np.float64) if array.dtype.kind == "f" else array
    lost: list[tuple[int, str]] = []
    if wide.dtype.kind == "f" and dtype.kind == "i":
        lost += _first(np.isnan(wide), wide, "a number")
        lost += _first(np.isinf(wide), wide, "finite")
        lost += _first(np.isfinite(wide) & (wide != np.trunc(wide)), wide, "whole")
    limits = np.iinfo(dtype) if dtype.kind == "i" else np.finfo(dtype)
    # In Python's and float64's numbers, where the limits of both are exact.
    low, high = (int if wide.dtype.kind in "iu" else float)(limits.min), limits.max
    outside = (wide < low) | (wide > (int(high) if wide.dtype.kind in "iu" else float(high)))
    if wide.dtype.kind == "f":
        outside &= np.isfinite(wide)
    lost += _first(outside, wide, f"within {dtype} (overflow)")
    start = f"'{key}' has the dtype {array.dtype}, not {dtype}, and is not cast"
    if not lost:
        return f"{start}; every value would fit: save it with .astype('{dtype}')"
    row, reason = min(lost)
    return f"{start}: row {row} {reason}"


def _first(bad: np.ndarray, values: np.ndarray, wanted: str) -> list[tuple[int, str]]:
    if not bad.any():
        return []
    position = int(np.argmax(bad))
    row = int(np.unravel_index(position, bad.shape)[0])
    return [(row, f"holds {values.reshape(-1)[position]}, which is not {wanted}")]
