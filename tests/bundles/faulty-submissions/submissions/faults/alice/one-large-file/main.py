import sys
from pathlib import Path

Path(sys.argv[2], "large.bin").write_bytes(b"x" * 8 * 2**20)
