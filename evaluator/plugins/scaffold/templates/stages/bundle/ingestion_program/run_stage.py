"""The process of one stage.

Usage: run_stage.py FOLDER GIVEN RETURNED: FOLDER holds stage.py; GIVEN and RETURNED are JSON files.
"""

import json
import sys
from pathlib import Path

folder, given, returned = sys.argv[1:4]
sys.path.insert(0, folder)
from stage import run  # noqa: E402 - it is there from here on

Path(returned).write_text(json.dumps(run(*json.loads(Path(given).read_text()))))
