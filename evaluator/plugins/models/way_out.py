"""Opens the way from a program to its models: relay, gateway, programs of the bundle.

The relay's container comes first, and the program shares its loopback, on which all is ready when
the program begins. There is no other network in it. A model that the bundle brings has a container
of its own, which offers connections through a second socket.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from time import monotonic

from evaluator.core.compute.engine.spec import Engine, ExitReport, Image, Mount, RunSpec
from evaluator.core.compute.gateway import WayOut
from evaluator.core.compute.mounts import (
    INGESTION_SUBSTITUTIONS,
    PROGRAM,
    CellInputs,
    program_root,
    read_command,
)
from evaluator.core.compute.steps import CellFailedError, fail
from evaluator.core.errors import Actor, PlatformError, printable
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.extension import Limits
from evaluator.core.formats.json_reader import read_json
from evaluator.core.formats.phases import clean_path
from evaluator.core.formats.record import Reason, StepName
from evaluator.plugins.models import relay
from evaluator.plugins.models.gateway import GatewayServer, Models, Offers
from evaluator.plugins.models.journal import Journal
from evaluator.plugins.models.keys import Model, models_of
from evaluator.plugins.models.transcript import SUFFIXES, Exchange, pack, unpack

_ADDRESS = f"http://127.0.0.1:{relay.PORT}"
ENVIRONMENT = {
    "OPENAI_BASE_URL": f"{_ADDRESS}/v1", "OPENAI_API_KEY": "none",
    "ANTHROPIC_BASE_URL": _ADDRESS, "ANTHROPIC_API_KEY": "none",
}  # fmt: skip
"""Of the program: a key that means nothing, which SDKs ask for."""
_RELAY = Path(relay.__file__)
_PLACE = str(Path(relay.SOCKET).parent)
_LIMITS = Limits(memory=2**27, cpus=1, pids=32, output_size=2**20, log_size=2**12)
_READY_SECONDS = 120
_TRANSCRIPT = "transcript"


class NoWayOutError(PlatformError):
    """This machine cannot give a program this way out."""

    retryable = False


@dataclass(kw_only=True)
class _Way:
    """Open for one program."""

    network: str
    environment: Mapping[str, str]
    step: StepName
    key: str
    journal: Journal
    recorded: bytes | None
    """What is answered again."""
    is_kept: bool

    def end(self) -> None:
        self.journal.close(ended=True)
        if message := self.journal.divergence:
            raise fail(
                Reason.PLATFORM_FAULT, f"cannot be replayed: {message}"[:4000], step=self.step,
                hint="Let the program ask the same again: no times, no random numbers without a "
                "seed. To ask the models anew, remove its scores in this phase.",
            )  # fmt: skip

    def attachments(self) -> dict[str, bytes]:
        if not self.is_kept:
            return {}
        return {SUFFIXES[self.step]: self.recorded or pack(self.key, self.journal.exchanges)}


class ModelsGateway:
    """Opens ways out for ``models:``."""

    def describe(
        self, benchmark: Benchmark, cell: CellId, part: Callable[[str], str]
    ) -> dict[StepName, WayOut]:
        return {
            step: _describe(benchmark, cell, part, step, models)
            for step in SUFFIXES
            if (models := models_of(benchmark, step))
        }

    @contextmanager
    def open(
        self,
        way: WayOut,
        key: str,
        inputs: CellInputs,
        engine: Engine,
        *,
        folders: Mapping[str, Path],
        scratch: Path,
        unfinished: Path,
    ) -> Iterator[_Way]:
        if engine.isolation not in ("docker", "podman"):
            why = (
                "gVisor gives each container a network of its own, which no relay can join"
                if engine.isolation == "gvisor"
                else "nothing keeps a program without a container from other ways out"
            )
            raise NoWayOutError(
                f"programs that ask models are not run here: {why}",
                hint='Use Docker or Podman with [tool.pullbench] runtime = "runc" or "crun".',
            )
        settings = read_json(way.settings.encode(), max_bytes=2**20)
        models = {name: Model(**one) for name, one in settings["models"].items()}
        limits = Limits(**settings["limits"])
        content, recorded = _recorded(folders.get(_TRANSCRIPT), key)
        with ExitStack() as stack:
            journal = Journal(unfinished, models, recorded)
            stack.callback(journal.close, ended=False)
            reached = Models(models)
            containers = stack.enter_context(_Containers(engine))
            if recorded is None:
                for number, (name, model) in enumerate(models.items()):
                    if model.program:
                        folder = scratch / f"model-{number}"
                        program = program_root(folders[f"program {name}"])
                        offers = Offers(folder)
                        stack.callback(offers.close)
                        reached.programs[name] = offers.offered
                        command = read_command(
                            program, model.program, INGESTION_SUBSTITUTIONS, Actor.ORGANISER
                        )
                        mounts = [Mount(source=program, target=PROGRAM)]
                        spec = _spec(inputs.image, folder, limits, command, mounts)
                        containers.start(spec, offers.is_ready)
            gateway = GatewayServer(scratch / "gateway", reached, journal)
            stack.callback(gateway.close)
            spec = _spec(inputs.image, scratch / "gateway", _LIMITS)
            network = containers.start(spec, gateway.is_ready)
            yield _Way(
                network=network, environment=ENVIRONMENT, step=settings["step"], key=key,
                journal=journal, recorded=content, is_kept=settings["kept"],
            )  # fmt: skip


def _describe(
    benchmark: Benchmark,
    cell: CellId,
    part: Callable[[str], str],
    step: StepName,
    models: Mapping[str, Model],
) -> WayOut:
    phase = benchmark.phase(cell.phase)
    task = next((one for one in phase.tasks if one.slug == cell.task), None) if phase else None
    # A program's requests may hold whatever it sees.
    hidden = phase is None or (
        phase.hides_logs if step == "scoring" else phase.hide_output or phase.hide_prediction_output
    )
    is_kept = not hidden and task is not None and not task.private
    folders = {
        f"program {name}": part(f"{benchmark.path}/{clean_path(model.program)}")
        for name, model in models.items() if model.program
    }  # fmt: skip
    if is_kept:
        folders[_TRANSCRIPT] = part(cell.attachment_path(SUFFIXES[step]))
    settings = {
        "step": step, "kept": is_kept,
        "models": {name: one.model_dump() for name, one in models.items()},
        "limits": dict(benchmark.limits_of(task) if task else benchmark.limits),
    }  # fmt: skip
    return WayOut(
        key="models", settings=json.dumps(settings),
        folders={name: id_ for name, id_ in folders.items() if id_},
    )  # fmt: skip


def _recorded(folder: Path | None, key: str) -> tuple[bytes, list[Exchange]] | tuple[None, None]:
    """What is on record of the same step with the same models and data."""
    with suppress(OSError, ValueError):
        if folder is not None:
            (file,) = folder.iterdir()
            content = file.read_bytes()
            head, exchanges = unpack(content)
            if head.prediction == key:
                return content, exchanges
    return None, None


def _spec(
    image: Image,
    folder: Path,
    limits: Limits,
    command: Sequence[str] = (),
    mounts: Sequence[Mount] = (),
) -> RunSpec:
    script = folder / _RELAY.name
    script.write_bytes(_RELAY.read_bytes())
    script.chmod(0o644)
    return RunSpec(
        image=image,
        command=["python3", f"{_PLACE}/{script.name}", *command],
        mounts=[Mount(source=folder, target=_PLACE, is_plain=True), *mounts],
        workdir=PROGRAM if mounts else "/",
        outputs={},
        limits=limits,
        seconds=0,
        is_ours=True,
    )


class _Containers:
    """Containers beside the program's, which end with it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._stack = ExitStack()

    def __enter__(self) -> "_Containers":
        self._pool = ThreadPoolExecutor(thread_name_prefix="beside")
        self._stack.enter_context(self._pool)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def start(self, spec: RunSpec, is_ready: Event) -> str:
        """Start one, and wait until it is ready. Returns its network."""
        with self._engine.create(spec) as created:
            running = created.start()
        ended = self._pool.submit(running.wait)
        self._stack.callback(running.kill)
        end = monotonic() + _READY_SECONDS
        while not is_ready.wait(0.02):
            if ended.done() or monotonic() > end:
                running.kill()
                raise _not_ready(spec, ended)
        return running.network


def _not_ready(spec: RunSpec, ended: "Future[ExitReport]") -> CellFailedError:
    log = printable(ended.result().log.decode(errors="replace").strip()[-1000:])
    what = "a model's program" if len(spec.command) > 2 else "the relay to models, in Python,"
    return fail(
        Reason.BAD_PROGRAM,
        f"{what} did not begin in the image '{printable(spec.image.name)}': {log or 'no output'}",
        step=None, actor=Actor.ORGANISER,
        hint="The image needs python3; a model's program listens on 127.0.0.1:8000.",
    )  # fmt: skip


GATEWAY = ModelsGateway()
