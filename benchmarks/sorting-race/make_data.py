"""Write input_data/values.bin and reference_data/sorted.bin: 100,000 seeded integers.

Needs the standard library only. Running it again gives the same bytes.
"""

import random
import struct
from pathlib import Path

HERE = Path(__file__).parent
COUNT = 100_000


def write(path: Path, values: list[int]) -> None:
    path.parent.mkdir(exist_ok=True)
    # Little-endian on every machine, four bytes each.
    path.write_bytes(struct.pack(f"<{len(values)}I", *values))


def main() -> None:
    generator = random.Random(0)
    values = [generator.getrandbits(32) for _ in range(COUNT)]
    write(HERE / "input_data" / "values.bin", values)
    write(HERE / "reference_data" / "sorted.bin", sorted(values))


if __name__ == "__main__":
    main()
