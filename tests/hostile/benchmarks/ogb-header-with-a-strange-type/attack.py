"""A header with a type that numpy cannot make."""

import io
import struct
import zipfile
from pathlib import Path

from tests.benchmarks.ogb import Desk


def attack(benchmark: Path, folder: Path) -> str:
    desk = Desk(folder, benchmark.name.removeprefix("ogb-lsc-"))
    stream = io.BytesIO()
    header = b"{'descr': [('a', '<i2', (10000000000000000000000,))], 'fortran_order': False, 'shape': (20,), }\n"
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        start = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header))
        archive.writestr("y_pred.npy", start + header + bytes(64))
    desk.path().write_bytes(stream.getvalue())
    return desk.refusal()
