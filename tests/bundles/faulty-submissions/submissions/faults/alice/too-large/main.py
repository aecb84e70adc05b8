import sys
from pathlib import Path

for number in range(8):
    Path(sys.argv[2], f"{number}.bin").write_bytes(bytes(2**20))
