"""The few settings of the benchmark application that framework modules ask for."""

import os
import tempfile
from pathlib import Path

from amlb.utils import Namespace


def config() -> Namespace:
    """Return the application's configuration."""
    root = str(Path(__file__).resolve().parents[1])
    scratch = os.environ.get("TMPDIR") or tempfile.gettempdir()
    return Namespace(
        root_dir=root,
        input_dir=scratch,
        output_dir=scratch,
        user_dir=scratch,
        seed="auto",
        run_mode="docker",
        sid="pullbench",
        monitoring=Namespace(interval_seconds=120, statistics=[], verbosity=0),
        inference_time_measurements=Namespace(enabled=False),
        benchmarks=Namespace(overhead_time_seconds=3600, os_mem_size_mb=2048),
        common_dirs=Namespace(input=scratch, output=scratch, user=scratch, root=root),
    )
