"""Commands and the machine, as framework modules ask for them.

Time is limited by the worker, from outside; ``InterruptTimeout`` limits a block besides.
"""

import logging
import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

log = logging.getLogger(__name__)


def run_cmd(cmd: Any, *args: Any, **options: Any) -> tuple[str, str]:
    """Run a command of the submission's own; returns its output and its complaints.

    Options of the AutoML Benchmark begin with an underscore; others are arguments of the command.
    """
    text = " ".join([str(cmd), *map(str, args)])
    for key, value in options.items():
        if not key.startswith("_") and value not in (None, False):
            text += f" -{key}" if len(key) == 1 else f" --{key.replace('_', '-')}"
            text += "" if value is True else f" {value}"
    done = subprocess.run(
        text, shell=True, executable=options.get("_executable_"), cwd=options.get("_cwd_"),
        env=None if options.get("_env_") is None else {**os.environ, **options["_env_"]},
        input=options.get("_input_str_"), capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.stdout:
        print(done.stdout, end="", flush=True)
    if done.returncode != 0:
        print(done.stderr, end="", flush=True)
        raise subprocess.CalledProcessError(done.returncode, text, done.stdout, done.stderr)
    return done.stdout, done.stderr


def call_script_in_same_dir(caller_file: str, script_file: str, *args: Any, **options: Any) -> Any:
    folder = Path(caller_file).resolve().parent
    return run_cmd(folder / script_file, *args, **{"_cwd_": str(folder), **options})


def kill_proc_tree(
    pid: int | None = None, timeout: float | None = None, include_parent: bool = True, **_: Any
) -> None:
    """End the processes that a framework has left."""
    import psutil

    here = psutil.Process(pid)
    processes = here.children(recursive=True) + ([here] if include_parent else [])
    for process in processes:
        process.terminate()
    _, alive = psutil.wait_procs(processes, timeout=timeout or 1)
    for process in alive:
        process.kill()


class InterruptTimeout:
    """Raise an error in a block that lasts longer than so many seconds."""

    def __init__(self, timeout_secs: float, message: str | None = None, **options: Any) -> None:
        self._seconds = timeout_secs
        self._message = message or f"interrupted after {timeout_secs} s"
        signals = options.get("interruptions") or [{}]
        first = signals[0] if isinstance(signals, list) else signals
        wanted = options.get("sig") or first.get("sig")
        is_error = isinstance(wanted, type) and issubclass(wanted, BaseException)
        self._error = wanted if is_error else TimeoutError

    def __enter__(self) -> "InterruptTimeout":
        def stop(*_: object) -> None:
            raise self._error(self._message)

        self._old = signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, max(self._seconds, 0.001))
        return self

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self._old)


def system_cores() -> int:
    return len(os.sched_getaffinity(0))


def system_memory_mb() -> Any:
    import psutil

    from amlb.utils.namespace import Namespace

    memory = psutil.virtual_memory()
    return Namespace(
        total=memory.total / 2**20, available=memory.available / 2**20,
        used_percentage=memory.percent,
    )  # fmt: skip


def system_volume_mb(root: str = "/") -> Any:
    from amlb.utils.namespace import Namespace

    usage = shutil.disk_usage(root)
    return Namespace(
        total=usage.total / 2**20, free=usage.free / 2**20,
        used_percentage=usage.used / usage.total * 100,
    )  # fmt: skip
