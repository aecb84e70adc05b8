"""Refuse predictions: the board replays what a paper states.

Usage: refuse.py OUTPUT
"""

import sys
from pathlib import Path

WHY = "this board takes reported results alone; enter predictions to one of the boards ogb-lsc-*"

(Path(sys.argv[1]) / "rejected.txt").write_text(WHY + "\n", encoding="ascii")
sys.exit(WHY)
