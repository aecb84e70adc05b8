"""A member whose LZMA data are broken."""

import io
import struct
import zipfile
from pathlib import Path

from tests.benchmarks.ogb import Desk


def attack(benchmark: Path, folder: Path) -> str:
    desk = Desk(folder, benchmark.name.removeprefix("ogb-lsc-"))
    stream = io.BytesIO()
    header = b"{'descr': '<i2', 'fortran_order': False, 'shape': (20,), }\n"
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_LZMA) as archive:
        start = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header))
        archive.writestr("y_pred.npy", start + header + bytes(64))
    desk.path().write_bytes(
        stream.getvalue().replace(b"\x93", b"\x00").replace(b"\x5d\x00", b"\xff\xff")
    )
    return desk.refusal()
