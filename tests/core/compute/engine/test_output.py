"""What is taken of an output, and what is refused, wherever it lies."""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from evaluator.core.compute.engine import output as module
from evaluator.core.compute.engine import volumes
from evaluator.core.compute.engine.docker_client import connect
from evaluator.core.compute.engine.docker_engine import DockerEngine
from evaluator.core.compute.engine.local_volumes import await_program
from evaluator.core.compute.engine.output import (
    OutputFolder,
    Room,
    UnsafeOutputError,
    collect,
    copy_top_files,
    has_link,
    is_full,
    read_regular,
)
from evaluator.core.compute.engine.spec import Engine, Image, RunSpec
from evaluator.core.errors import PlatformError
from evaluator.core.formats.extension import Limits
from evaluator.core.formats.settings import Settings
from evaluator.plugins.host.subprocess_engine import SubprocessEngine
from tests.chaos import far_engine
from tests.programs import run_program

IMAGE = Image(name="python:3.11-slim", context=None, digest="")
SIZE = 2**20
START = "import os, socket\nos.chdir({!r})\n"
Wrote = Callable[[str], OutputFolder]


@pytest.fixture(
    scope="module",
    params=[
        pytest.param("docker", marks=pytest.mark.docker),
        pytest.param("archives", marks=pytest.mark.docker),
        "subprocess",
    ],
)
def engine(request: pytest.FixtureRequest, environments: Path) -> Iterator[Engine]:
    """Engines of both kinds; Docker's also as if it ran on another machine."""
    client = connect() if request.param != "subprocess" else None
    engine: Engine = (
        DockerEngine(client, Settings(), "a-test-of-outputs")
        if client
        else SubprocessEngine(environments)
    )
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "archives":
            patch.setattr(volumes, "LocalVolumes", far_engine.unreachable)
        yield engine
        engine.close()
    if client:
        client.close()


@pytest.fixture
def wrote(engine: Engine, tmp_path: Path) -> Iterator[Wrote]:
    """The output of a program, whatever it did to it; nothing of it is left after the test."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with ExitStack() as stack:

        def run(program: str) -> OutputFolder:
            (output,) = stack.enter_context(engine.outputs(IMAGE, [Room(SIZE)], scratch))
            if isinstance(engine, SubprocessEngine):
                program = START.format(output.source) + program
                subprocess.run([sys.executable, "-c", program], check=True)
            else:
                report = run_program(engine,
                    RunSpec(
                        image=IMAGE, command=["python3", "-c", START.format("/out") + program],
                        mounts=[], workdir="/", outputs={"/out": output}, limits=Limits(),
                        seconds=60,
                    )
                )  # fmt: skip
                assert report.exit_code == 0, report.log.decode()
            return output

        yield run
    assert list(scratch.iterdir()) == []


def test_plain_files_and_folders_are_taken(wrote: Wrote, tmp_path: Path) -> None:
    output = wrote(
        "os.makedirs('a/b'); os.mkdir('empty'); open('a/b/ä.txt', 'w').write('c' * 5000)\n"
        "open('run', 'w'); os.chmod('run', 0o700)"
    )
    target = tmp_path / "taken"
    target.mkdir()
    collect(output, target)
    assert (target / "a/b/ä.txt").read_text() == "c" * 5000
    assert (target / "empty").is_dir()
    assert (target / "run").stat().st_mode & 0o111 == 0
    assert not has_link(output)
    assert not is_full(output)


@pytest.mark.parametrize(
    ("act", "message"),
    [
        ("os.symlink('/etc/passwd', 'odd')", "'odd' is a link"),
        ("os.symlink('no', 'odd')", "'odd' is a link"),
        ("os.mkdir('deep'); os.symlink('/etc', 'deep/odd')", "'deep/odd' is a link"),
        ("open('a', 'w'); os.link('a', 'b')", "is a hard link"),
        ("os.mkfifo('odd')", "'odd' is a special file"),
        ("open('odd\\x1b', 'w')", r"'odd\\x1b' has a name with characters of control"),
        ("open(b'odd\\xff', 'w')", "'odd.*' has a name with characters of control"),
        ("open('sparse', 'w').truncate(2**29)", "'sparse' is larger than the 1,048,576 bytes"),
        ("os.makedirs('/'.join('d' * 65))", "nested more than 64 deep"),
        ("os.makedirs('/'.join(['n' * 250] * 5))", "longer than 1024 bytes"),
    ],
)
def test_everything_else_is_refused(wrote: Wrote, tmp_path: Path, act: str, message: str) -> None:
    output = wrote(act)
    target = tmp_path / "taken"
    target.mkdir()
    with pytest.raises(UnsafeOutputError, match=message):
        collect(output, target)


@pytest.mark.parametrize("depth", [500, 6000])
def test_a_deep_tree_is_refused_and_goes(wrote: Wrote, tmp_path: Path, depth: int) -> None:
    output = wrote(f"for _ in range({depth}): os.mkdir('deep'); os.chdir('deep')")
    (tmp_path / "taken").mkdir()
    with pytest.raises(UnsafeOutputError, match="nested more than 64 deep"):
        collect(output, tmp_path / "taken")
    with pytest.raises(UnsafeOutputError, match="nested more than 64 deep"):
        has_link(output)
    assert not is_full(output)


def test_nothing_hides_below_a_path_that_cannot_be_opened(wrote: Wrote, tmp_path: Path) -> None:
    output = wrote(
        "for _ in range(20): os.mkdir('n' * 250); os.chdir('n' * 250)\n"
        "open('large', 'wb').write(bytes(2**19))"
    )
    with pytest.raises(UnsafeOutputError, match="longer than 1024 bytes"):
        collect(output, tmp_path)


def test_rights_do_not_matter_in_a_container(wrote: Wrote, engine: Engine, tmp_path: Path) -> None:
    output = wrote("open('file', 'w').write('x'); os.mkdir('d'); open('d/f', 'w')\n"
                   "os.chmod('file', 0); os.chmod('d', 0)")  # fmt: skip
    if engine.isolation == "docker":
        collect(output, tmp_path)
        assert (tmp_path / "file").read_text() == "x"
        assert (tmp_path / "d/f").exists()


def test_too_many_files(wrote: Wrote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_FILES", 10)
    output = wrote("for number in range(11): open(str(number), 'w')")
    with pytest.raises(UnsafeOutputError, match="more than 10 files"):
        collect(output, tmp_path)


def test_a_full_output(wrote: Wrote) -> None:
    output = wrote(
        "try:\n    open('large', 'wb', 0).write(bytes(2**20 - 2**15))\nexcept OSError: pass"
    )
    assert is_full(output)


def test_files_at_the_top_are_taken_and_all_else_is_passed_over(
    wrote: Wrote, tmp_path: Path
) -> None:
    output = wrote(
        "open('scores.json', 'w').write('{}'); os.symlink('/etc/passwd', 'rejected.txt')\n"
        "os.makedirs('/'.join('d' * 70)); open('page.html', 'w').write('long')"
    )
    copy_top_files(output, tmp_path / "taken", 2)
    assert {path.name: path.read_text() for path in (tmp_path / "taken").iterdir()} == {
        "scores.json": "{}",
        "page.html": "lon",
    }


@pytest.mark.docker
@pytest.mark.parametrize("engine", ["docker"], indirect=True)
def test_an_output_is_open_on_this_machine_whoever_runs_the_command(wrote: Wrote) -> None:
    free = wrote("open('file', 'wb').write(bytes(2**16))").free()
    assert free is not None
    assert free[0] == SIZE - 2**16


@pytest.mark.docker
@pytest.mark.parametrize("engine", ["docker"], indirect=True)
def test_the_kernel_bounds_it(wrote: Wrote) -> None:
    """Bytes, files, devices, set-uid programs and executables, whoever runs the command."""
    wrote(
        "import errno, subprocess\n"
        "def fails(name, act):\n"
        "    try: act()\n"
        "    except OSError as error: assert errno.errorcode[error.errno] == name, error\n"
        "    else: raise SystemExit(name)\n"
        "fails('ENOSPC', lambda: open('large', 'wb').write(bytes(2**21)))\n"
        "os.unlink('large')\n"
        "open('run', 'w').write('#!/bin/sh\\n'); os.chmod('run', 0o4755)\n"
        "fails('EACCES', lambda: subprocess.run(['/out/run']))\n"
        "fails('EPERM', lambda: os.mknod('device', 0o60644, os.makedev(1, 3)))\n"
        "(line,) = [line for line in open('/proc/mounts') if ' /out ' in line]\n"
        "assert {'nosuid', 'nodev', 'noexec'} <= set(line.split()[3].split(',')), line\n"
        "def many():\n"
        "    for number in range(20_000): open(str(number), 'w').close()\n"
        "fails('ENOSPC', many)\n"
    )


@pytest.mark.docker
@pytest.mark.parametrize("engine", ["docker"], indirect=True)
def test_a_copy_is_writable_for_the_program(engine: Engine, tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "folder").mkdir(parents=True)
    (source / "folder/file").write_text("before")
    (source / "run").write_text("#!/bin/sh\n")
    (source / "run").chmod(0o755)
    long = "n" * 150
    (source / long / long).mkdir(parents=True)
    (source / long / long / "ä").write_bytes(bytes(3 * 2**20))
    room = Room(2**23, executable=True)
    with engine.outputs(IMAGE, [room], tmp_path) as (output,):
        output.fill(source)
        program = (
            "import os, subprocess, sys\nos.chdir('/out')\n"
            "assert open('folder/file').read() == 'before'\n"
            "open('folder/file', 'w').write('after'); open('folder/new', 'w')\n"
            "subprocess.run(['/out/run'], check=True)\n"
            f"assert os.path.getsize('{long}/{long}/ä') == 3 * 2**20\n"
        )
        report = run_program(engine,
            RunSpec(
                image=IMAGE, command=["python3", "-c", program], mounts=[], workdir="/",
                outputs={"/out": output}, limits=Limits(), seconds=60,
            )
        )  # fmt: skip
        assert report.exit_code == 0, report.log.decode()
        (tmp_path / "taken").mkdir()
        collect(output, tmp_path / "taken")
    assert (source / "folder/file").read_text() == "before"
    assert (tmp_path / "taken/folder/file").read_text() == "after"


@pytest.mark.docker
@pytest.mark.parametrize("engine", ["docker"], indirect=True)
def test_an_output_that_is_lost_is_not_an_empty_one(engine: Engine, tmp_path: Path) -> None:
    """The container that holds it was removed: nobody's program wrote nothing."""
    client = connect()
    assert client is not None
    with client, engine.outputs(IMAGE, [Room(SIZE + 1)], tmp_path) as (output,):
        (holder,) = client.package.containers(filters={"volume": output.source})
        client.kill(holder["Id"])
        with pytest.raises(PlatformError, match="was ended from outside"):
            collect(output, tmp_path)


def test_read_regular(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    (tmp_path / "link").symlink_to("file")
    os.mkfifo(tmp_path / "fifo")
    assert read_regular(tmp_path / "file", 5) == b"12345"
    for name in ("link", "fifo", ".", "absent"):
        assert read_regular(tmp_path / name, 5) is None, name
    assert read_regular(tmp_path / "file", 4) is None


def test_engines_own_code_is_awaited(tmp_path: Path) -> None:
    starter = shutil.copy("/bin/sh", tmp_path / "runc")
    with subprocess.Popen(
        [starter, "-c", "read line; exec sleep 60"], stdin=subprocess.PIPE
    ) as process:
        assert process.stdin
        later = threading.Timer(0.2, process.stdin.close)
        later.start()
        await_program(Path(f"/proc/{process.pid}"))
        assert Path(f"/proc/{process.pid}/comm").read_text() == "sleep\n"
        later.join()
        process.kill()
