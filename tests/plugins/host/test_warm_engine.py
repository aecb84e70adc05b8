"""Warm interpreters: libraries are imported once, and yet each program starts as in a fresh one."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from evaluator.core.compute.engine.output import Room
from evaluator.core.compute.engine.spec import ExitReport, Image, Mount, RunSpec
from evaluator.core.formats.extension import Limits
from evaluator.plugins.host import fork_server
from evaluator.plugins.host.fork_server import find_imports
from evaluator.plugins.host.subprocess_engine import SubprocessEngine
from evaluator.plugins.host.warm_engine import WarmEngine
from tests.programs import run_program

IMAGE = Image(name="none", context=None, digest="")
LIBRARY = """
import os
with open({log!r}, "a") as log:
    log.write("imported\\n")
state = []
"""


class Programs:
    """Runs programs of one file, with an engine of either kind."""

    def __init__(self, engine: SubprocessEngine, folder: Path) -> None:
        self.engine = engine
        self.folder = folder
        self.output = folder / "output"
        self.count = 0

    def write(self, name: str, text: str) -> None:
        file = self.folder / "program" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def run(self, *arguments: str, seconds: float = 20, **changed: object) -> ExitReport:
        self.count += 1
        with ExitStack() as stack:
            outputs = self.engine.outputs(IMAGE, [Room(2**20)], self.folder)
            (output,) = stack.enter_context(outputs)
            spec = RunSpec(
                image=IMAGE,
                command=["python3", "/app/program/main.py", *arguments],
                mounts=[
                    Mount(source=self.folder / "program", target="/app/program"),
                ],
                workdir="/app/program",
                outputs={"/app/output": output},
                limits=Limits(),
                seconds=seconds,
            )
            return run_program(self.engine, replace(spec, **changed))  # type: ignore[arg-type]

    def say(self, *arguments: str, **changed: object) -> str:
        report = self.run(*arguments, **changed)  # type: ignore[arg-type]
        assert (report.exit_code, report.stopped_by) == (0, None), report.log.decode()
        return report.log.decode()


@pytest.fixture(params=[SubprocessEngine, WarmEngine])
def programs(
    request: pytest.FixtureRequest, environments: Path, tmp_path: Path
) -> Iterator[Programs]:
    engine = request.param(environments)
    yield Programs(engine, tmp_path)
    engine.close()


@pytest.fixture
def warm(environments: Path, tmp_path: Path) -> Iterator[Programs]:
    engine = WarmEngine(environments)
    yield Programs(engine, tmp_path)
    engine.close()


@pytest.fixture
def library(environments: Path, tmp_path: Path) -> Iterator[Path]:
    """A library in the engine's environment; returns the file in which it notes its imports."""
    SubprocessEngine(environments).prepare(IMAGE)
    (site,) = environments.glob("*/files/lib/python3*/site-packages")
    log = tmp_path / "imports"
    module = site / "a_library.py"
    module.write_text(LIBRARY.format(log=str(log)))
    yield log
    module.unlink()


def test_a_library_is_imported_once_for_all_cells(warm: Programs, library: Path) -> None:
    warm.write("helper.py", "import a_library\n")
    warm.write("main.py", "import helper\nprint(len(helper.a_library.state))\n")
    assert [warm.say() for _ in range(4)] == ["0\n"] * 4
    assert library.read_text() == "imported\n"


def test_programs_of_one_environment_import_a_library_once(warm: Programs, library: Path) -> None:
    for name in ("main.py", "other/main.py"):
        warm.write(name, "import a_library, own\nprint(own.name, len(a_library.state))\n")
        warm.write(str(Path(name).with_name("own.py")), f"name = {name!r}\n")
    for name in ("main.py", "other/main.py") * 2:
        assert warm.say(command=["python3", f"/app/program/{name}"]) == f"{name} 0\n"
    assert library.read_text() == "imported\n"


def test_what_is_imported_late_is_imported_early_from_then_on(
    warm: Programs, environments: Path, library: Path
) -> None:
    (site,) = environments.glob("*/files/lib/python3*/site-packages")
    package = site / "a_package"
    package.mkdir(exist_ok=True)
    (package / "__init__.py").write_text("def late():\n    import a_package.part\n")
    (package / "part.py").write_text(LIBRARY.format(log=str(library)))
    warm.write("main.py", "import a_package\na_package.late()\n")
    for _ in range(6):
        warm.say()
    # By the first program, and by the server after it; a second may have begun before.
    assert 2 <= len(library.read_text().splitlines()) <= 3


def test_nothing_is_left_of_the_cell_before(programs: Programs, library: Path) -> None:
    programs.write("own.py", "seen = []\n")
    programs.write(
        "main.py",
        "import os, sys, a_library, own, random, tempfile\n"
        "print(a_library.state, own.seen, os.environ.get('LEFT'), sys.argv[1:], os.getcwd())\n"
        "print(random.random(), tempfile.gettempdir(), file=sys.stderr)\n"
        "a_library.state.append(1)\nown.seen.append(1)\nos.environ['LEFT'] = 'x'\n"
        "open(os.path.join(tempfile.gettempdir(), 'left'), 'x').close()\n",
    )
    said = [programs.say(str(number)).splitlines() for number in range(3)]
    for number, (first, _) in enumerate(said):
        assert first.startswith(f"[] [] None ['{number}'] /")
        assert first.endswith("/program")
    assert len({second for _, second in said}) == 3, "random numbers and folders are their own"


@pytest.mark.parametrize(
    ("text", "code", "last"),
    [
        ("raise SystemExit\n", 0, ""),
        ("import sys\nsys.exit(3)\n", 3, ""),
        ("import sys\nsys.exit('no more')\n", 1, "no more"),
        ("def f():\n    raise ValueError('why')\nf()\n", 1, "ValueError: why"),
        ("this is no Python\n", 1, "SyntaxError: invalid syntax"),
        ("import nowhere_to_be_found\n", 1, "No module named 'nowhere_to_be_found'"),
        ("import os\nos.abort()\n", -6, ""),
        ("import atexit\natexit.register(print, 'at exit')\n", 0, "at exit"),
        (
            "import threading, time\n"
            "threading.Thread(target=lambda: (time.sleep(0.2), print('late'))).start()\n",
            0, "late",
        ),
        ("if __name__ == '__main__':\n    print(__file__)\n", 0, "program/main.py"),
        (
            "import multiprocessing\n"
            "def f(x):\n    return x + 1\n"
            "if __name__ == '__main__':\n"
            "    with multiprocessing.get_context('spawn').Pool(1) as pool:\n"
            "        print(pool.map(f, [1]))\n",
            0, "[2]",
        ),
    ],
)  # fmt: skip
def test_programs_end_as_in_an_interpreter_of_their_own(
    programs: Programs, text: str, code: int, last: str
) -> None:
    programs.write("main.py", text)
    for _ in range(2):
        report = programs.run()
        assert report.exit_code == code, report.log.decode()
        assert (report.log.decode().splitlines() or [""])[-1].endswith(last)
        assert "fork_server" not in report.log.decode()


def test_a_program_that_hangs_is_stopped(programs: Programs) -> None:
    programs.write("main.py", "import signal, time\nsignal.alarm(0)\nwhile True: time.sleep(9)\n")
    report = programs.run(seconds=1)
    assert (report.stopped_by, report.exit_code) == ("time", None)
    assert 1 <= report.wall_seconds < 5


def test_a_library_that_kills_its_interpreter_kills_that_of_the_program(
    warm: Programs, environments: Path, library: Path
) -> None:
    (site,) = environments.glob("*/files/lib/python3*/site-packages")
    (site / "a_killer.py").write_text("import os\nos._exit(77)\n")
    warm.write("main.py", "import a_killer\n")
    assert [warm.run().exit_code for _ in range(2)] == [77, 77]


def test_what_is_timed_for_its_score_starts_cold(warm: Programs, library: Path) -> None:
    warm.write("main.py", "import a_library\n")
    for _ in range(2):
        warm.say(exclusive=True)
    assert library.read_text() == "imported\n" * 2


def test_other_commands_run_as_ever(warm: Programs) -> None:
    warm.write("main.py", "")
    assert warm.say(command=["echo", "so"]) == "so\n"
    assert warm.say(command=["python3", "-c", "print(1)"]) == "1\n"


def test_no_server_outlives_its_engine(environments: Path, tmp_path: Path) -> None:
    engine = WarmEngine(environments)
    programs = Programs(engine, tmp_path)
    programs.write("main.py", "import os\nprint(os.getppid())\n")
    supervisor = int(programs.say())
    engine.close()
    assert not Path(f"/proc/{supervisor}").exists()
    assert not [
        process for process in os.scandir("/proc")
        if process.name.isdecimal() and str(tmp_path).encode() in _words(process.path)
    ]  # fmt: skip


def _words(process: str) -> bytes:
    try:
        return Path(process, "cmdline").read_bytes()
    except OSError:
        return b""


def test_imports_are_read_from_the_source(tmp_path: Path) -> None:
    files = {
        "main.py": "import os.path\nfrom own import x\nimport kit.tools\nimport numpy as np\n"
        "try:\n    import maybe\nexcept ImportError:\n    maybe = None\n"
        "def f():\n    import late\n",
        "own.py": "from pandas.io import json\nimport main\n",
        "kit/__init__.py": "from . import side\n",
        "kit/tools.py": "import scipy.stats\n",
        "kit/side.py": "from ..own import y\nimport pyarrow\n",
        "unused.py": "import torch\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert sorted(find_imports(tmp_path / "main.py")) == [
        "maybe", "numpy", "os.path", "pandas.io", "pyarrow", "scipy.stats",
    ]  # fmt: skip


def test_what_cannot_be_read_imports_nothing(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_bytes(b"\xff\x00 not python")
    assert find_imports(tmp_path / "main.py") == []
    assert find_imports(tmp_path / "nowhere.py") == []


def test_branches_are_read_once_each(tmp_path: Path) -> None:
    """Each branch once read twice what is below it: sixty of them would never come to an end."""
    branches = "".join(f"elif value == {number}:\n    import b{number}\n" for number in range(60))
    (tmp_path / "main.py").write_text(f"value = 1\nif value == -1:\n    import a\n{branches}")
    assert set(find_imports(tmp_path / "main.py")) == {"a", *(f"b{n}" for n in range(60))}


def test_a_server_ends_with_its_engine_while_it_imports(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("import endless\n")
    library = tmp_path / "library"
    library.mkdir()
    started = tmp_path / "started"
    (library / "endless.py").write_text(
        f"import os, pathlib\npathlib.Path({str(started)!r}).write_text(str(os.getpid()))\n"
        "while True:\n    pass\n"
    )
    server = Path(fork_server.__file__)
    engine = subprocess.Popen(
        [sys.executable, "-c", _ENGINE, str(server), str(tmp_path / "main.py")],
        env={**os.environ, "PYTHONPATH": str(library)},
    )
    wait_for(lambda: started.exists() and bool(started.read_text()))
    process = psutil.Process(int(started.read_text()))
    engine.kill()
    engine.wait()
    process.wait(timeout=20)


_ENGINE = """
import socket, subprocess, sys, time
ours, theirs = socket.socketpair()
subprocess.Popen([sys.executable, *sys.argv[1:]], stdin=theirs.fileno())
time.sleep(600)
"""


def wait_for(ready: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not ready():
        assert time.monotonic() < end
        time.sleep(0.05)
