"""``pullbench import harbor``: tasks of Harbor -> a benchmark.

Programs here write to /tmp and their output alone. So the working folder of a task is /tmp/work,
for the entry and for the tests, and texts that name it are changed. The tests run in a container
of their own, which has that folder from the entry and nothing else.
"""

import math
import posixpath
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import msgspec
from pydantic import ValidationError

from evaluator.core.errors import Actor, UsageError, some_of
from evaluator.core.formats.bundle import FILE_NAME
from evaluator.core.formats.quantities import slug, unique_slugs
from evaluator.core.formats.schema import dotted, dump_yaml, read_yaml
from evaluator.core.formats.settings import read_toml
from evaluator.importing.files import PLAIN_LOGO, read_template
from evaluator.importing.folder import SourceFolder
from evaluator.importing.importer import Importer, ImportRequest, ReadBundle
from evaluator.importing.notes import Notes
from evaluator.plugins.harbor.dockerfile import Environment, read_dockerfile
from evaluator.plugins.harbor.task import TaskFile

_TEMPLATES = Path(__file__).with_name("templates")
_FILE = "task.toml"
_PLACES = {"/tests": "/app/input/ref/tests", "/logs/verifier": "/tmp/verifier"}  # noqa: S108
"""Of Harbor, and of the tests here."""
_INSTALLS = re.compile(rb"\b(apt-get|apk|curl|wget|uvx?|pip3?|npm) ")


@dataclass(frozen=True, kw_only=True)
class _Task:
    folder: str
    """In the source, with a slash at its end; empty for the source itself."""
    slug: str
    file: TaskFile
    environment: Environment


def read(
    folder: SourceFolder, request: ImportRequest, *, source: Path, no_network: bool
) -> ReadBundle | None:
    """Bring in tasks of Harbor: a folder of one, or of folders of many.

    The solutions become the oracle control, and an entry that does nothing the empty one. Tests
    run in a container of their own, whatever a task says.
    """
    notes = folder.notes
    harbor = SourceFolder(folder.root.with_name("harbor"), notes)
    harbor.root.mkdir()
    harbor.add_directory(source, source.name)
    harbor.say_faults()
    tasks = [*_read_tasks(harbor, source.resolve().name, no_network=no_network)]
    images = {one.environment.image or str(one.environment.lines): one.slug for one in tasks}
    if len(images) > 1:
        notes.refuse(
            "environment", f"differs: {some_of([*images.values()])} have an image each, and a "
            "benchmark has one", "Bring in the tasks of one image at a time.",
        )  # fmt: skip
    if notes.refused:
        return None
    for path, (content, executable) in read_template(_TEMPLATES).items():
        folder.write(path, content, executable=executable)
    for task in tasks:
        _write_task(harbor, folder, task)
    name = request.name or slug(source.resolve().name)
    _write_bundle(folder, name, tasks)
    if any(task.file.verifier.environment_mode == "shared" for task in tasks):
        notes.warn(
            FILE_NAME, "tests shared the agent's container, and here they have one of their own",
            "What an entry installs or changes outside of the working folder is not there.",
        )  # fmt: skip
    return ReadBundle(
        name=name, note="has its tests and solutions in the repository, where everybody reads them"
    )


IMPORTER = Importer(
    options=(
        click.argument(
            "source", metavar="DIR", type=click.Path(path_type=Path, exists=True, file_okay=False)
        ),
        click.option(
            "--no-network", is_flag=True, help="The tasks need no network, whatever they say."
        ),
    ),
    read=read,
)


def _read_tasks(source: SourceFolder, name: str, *, no_network: bool) -> Iterator[_Task]:
    notes = source.notes
    files = [path for path in source.below("") if re.fullmatch(rf"([^/]+/)?{_FILE}", path)]
    if not files:
        raise UsageError(f"there is no {_FILE} in {name}, nor in a folder of it")
    folders = [path.removesuffix(_FILE) for path in files]
    for folder, short in zip(
        folders, unique_slugs([x or name for x in folders], "task"), strict=True
    ):
        at = f"{folder}{_FILE}"
        try:
            written = read_toml(source.read(at))
            file = TaskFile.model_validate(written)
        except ValidationError as error:
            for detail in error.errors(include_url=False):
                notes.refuse(at, f"{dotted(tuple(detail['loc']))}: {detail['msg']}")
            continue
        except ValueError as error:
            notes.refuse(at, str(error))
            continue
        for fault in file.faults(written):
            notes.refuse(at, fault)
        if file.has_network and not no_network:
            notes.refuse(
                at, "gives its programs a network, and here is none",
                "If they need none, give --no-network. They may ask models by `models:`.",
            )  # fmt: skip
        needed = ("instruction.md", "tests/test.sh", "solution/solve.sh")
        for path in (one for one in needed if not source.is_file(folder + one)):
            notes.refuse(folder + path, "is missing")
        environment = _read_environment(source, folder, file, notes)
        if environment and not notes.refused:
            yield _Task(folder=folder, slug=short, file=file, environment=environment)


def _read_environment(
    source: SourceFolder, folder: str, file: TaskFile, notes: Notes
) -> Environment | None:
    at, compose = (f"{folder}environment/{name}" for name in ("Dockerfile", "docker-compose.yaml"))
    text = source.read(at) if source.is_file(at) else b""
    if image := file.environment.docker_image:
        text = f"FROM {image}".encode()
    if source.is_file(compose):
        notes.refuse(compose, "is not brought in")
    try:
        read = read_dockerfile(text.decode())
    except ValueError as error:
        notes.refuse(at, str(error), "Publish the image, and name it as docker_image.")
        return None
    read.workdir = posixpath.normpath(file.environment.workdir or read.workdir)
    if not re.fullmatch(r"(?!/tmp\b)(/[\w.-]+)+", read.workdir):
        notes.refuse(folder + _FILE, f"works in '{read.workdir}', which is no folder of its own")
    return read


def _write_task(source: SourceFolder, folder: SourceFolder, task: _Task) -> None:
    file, inputs = task.file, f"input_data/{task.slug}"
    reference, oracle = f"reference_data/{task.slug}", f"controls/oracle/{task.slug}"
    places = {
        task.environment.workdir: "/tmp/work", **_PLACES,  # noqa: S108
        "/solution": f"/app/ingested_program/{task.slug}",
    }  # fmt: skip
    either = "|".join(map(re.escape, sorted(places, key=len, reverse=True)))
    pattern = re.compile(rf"(?<![\w./-])({either})(?![\w-]|\.\w)".encode())

    def moved(path: str) -> bytes:
        content = source.read(path)
        return pattern.sub(lambda match: places[match[1].decode()].encode(), content)

    for part, target in (("tests", f"{reference}/tests"), ("solution", oracle)):
        for path in source.below(task.folder + part):
            folder.write(target + path.removeprefix(task.folder + part), moved(path))
    folder.write(f"{inputs}/instruction.md", moved(f"{task.folder}instruction.md"))
    for start, place in task.environment.copies:
        _copy(source, folder, task, start, place)
    env = file.environment.env
    for target, table in (
        (inputs, {"name": task.slug, "workdir": task.environment.workdir,
                  "env": env | file.agent.env}),
        (reference, {"env": env | file.verifier.env}),
    ):  # fmt: skip
        folder.write(f"{target}/task.json", msgspec.json.encode(table) + b"\n")
    lines = [f"export {key}={shlex.quote(text)}\n" for key, text in file.solution.env.items()]
    folder.write(f"{oracle}/env.sh", "".join(lines).encode())
    test = f"{task.folder}tests/test.sh"
    if _INSTALLS.search(source.read(test)):
        source.notes.warn(test, "may install something, and has no network", "See to its image.")


def _copy(source: SourceFolder, folder: SourceFolder, task: _Task, start: str, to: str) -> None:
    """Write a file, or what is in a folder, as COPY does."""
    context, workdir = f"{task.folder}environment", task.environment.workdir
    path, place = posixpath.normpath(f"{context}/{start}"), posixpath.relpath(to, workdir)
    is_file = source.is_file(path)
    files = [path] if is_file else source.below(path)
    if not files or not f"{path}/".startswith(f"{context}/") or place.startswith(".."):
        fault = f"copies '{start}' to {to}: it is not beside it, or that is not in {workdir}"
        source.notes.refuse(f"{context}/Dockerfile", fault)
    for one in files:
        inner = posixpath.basename(one) if is_file else one.removeprefix(f"{path}/")
        is_name = is_file and not to.endswith("/") and place != "."
        target = place if is_name else f"{place}/{inner}"
        if one != f"{context}/Dockerfile" and not source.notes.refused:
            content = source.read(one)
            folder.write(posixpath.normpath(f"input_data/{task.slug}/files/{target}"), content)


def _write_bundle(folder: SourceFolder, name: str, tasks: list[_Task]) -> None:
    bundle = read_yaml(folder.read(FILE_NAME), FILE_NAME, Actor.ORGANISER).data
    environment = tasks[0].environment
    if not environment.image:
        folder.write("Dockerfile", "\n".join([*environment.lines, ""]).encode())
    bundle["title"] = name.replace("-", " ").capitalize()
    bundle["docker_image"] = environment.image or f"localhost/pullbench/{name}:1"
    bundle["tasks"] = [
        {
            "index": index, "name": task.file.task.name or task.slug,
            "ingestion_program": "ingestion_program", "input_data": f"input_data/{task.slug}",
            "scoring_program": "scoring_program", "reference_data": f"reference_data/{task.slug}",
        }
        for index, task in enumerate(tasks)
    ]  # fmt: skip
    bundle["phases"][0]["tasks"] = [*range(len(tasks))]
    limits: dict[int, dict[str, float | str]] = {}
    for index, file in enumerate(task.file for task in tasks):
        seconds = max(file.agent.timeout_sec, file.verifier.timeout_sec)
        limits[index] = {"seconds": math.ceil(seconds)}
        if file.environment.memory_mb:
            limits[index]["memory"] = f"{file.environment.memory_mb} MiB"
        if file.environment.cpus:
            limits[index]["cpus"] = file.environment.cpus
    bundle["pullbench"]["tasks"] = limits
    folder.write(FILE_NAME, dump_yaml(bundle))
    folder.write("logo.png", PLAIN_LOGO.read_bytes())
