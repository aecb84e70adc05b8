"""``[tool.pullbench]`` of pyproject.toml: the settings of one deployment."""

import tomllib
from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationError, model_validator

from evaluator.core.errors import GUIDES, Actor, InvalidInputError, Problem
from evaluator.core.formats.json_reader import UnreadableError
from evaluator.core.formats.parsing import Extensible, Strict
from evaluator.core.formats.quantities import Bytes
from evaluator.core.formats.schema import dotted
from evaluator.core.plugins import Contract

SEAL_IDENTITY = "PULLBENCH_IDENTITY"
"""The organisers' secret key, ``AGE-SECRET-KEY-…``; a secret of the deployment."""


class ExecutorSettings(Strict):
    """Where cells run: ``[tool.pullbench.executors.NAME]``, for ``run --executor NAME``."""

    kind: str = "dask"
    """Name of an executor that a plugin offers."""
    address: str = ""
    """Of a scheduler that runs, such as ``tcp://head:8786``; or else ``cluster``."""
    cluster: Literal[
        "", "HTCondorCluster", "KubeCluster", "LSFCluster", "LocalCluster", "MoabCluster",
        "OARCluster", "PBSCluster", "SGECluster", "SLURMCluster", "SSHCluster",
    ] = ""  # fmt: skip
    """One of Dask's deployers, which is started for the run and ended with it."""
    options: dict[str, Any] = {}
    """Its arguments, as its documentation has them."""
    workers: int | tuple[int, int] = 0
    """How many to start, or the fewest and the most; 0 leaves it to the deployer."""
    wait: int = Field(default=600, ge=1)
    """Seconds for which a worker is waited for, where none comes or none has what cells need."""

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if self.kind == "dask" and bool(self.address) == bool(self.cluster):
            raise ValueError("needs one of 'address' and 'cluster'")
        return self


class Settings(Extensible):
    """Every setting with its default; site/organisers/settings.md lists them."""

    plugin_keys = Contract[Any]("settings")

    forge: str = ""
    """Address of the repository on its forge; links on the site lead there."""
    branch: str = Field(default="main", min_length=1)
    """Branch that submissions go to; forms that the site links to lead there."""
    runtime: Literal["crun", "runc", "runsc"] = "runc"
    """OCI runtime; ``crun`` is what Podman has on many machines, ``runsc`` is gVisor."""
    images: dict[str, str] = {}
    """Image as written in a bundle -> image to use instead."""
    data: str = ""
    """Folder of the runner that holds private data; from the root of the repository, or absolute.
    Data fetched from URLs are stored there too, or else below build/cache."""
    max_data: Bytes = 8 * 2**30
    """Bytes of one item of private data that is fetched or decrypted."""
    predictions: str = "build/predictions"
    """Folder of the store of predictions."""
    store: str = ""
    """Folder or address (fsspec: s3://, http://) through which machines share content and
    predictions; empty is build/store where a run has an executor that needs one."""
    executors: dict[str, ExecutorSettings] = {}
    """Clusters, by a name of one's own."""
    retries: int = Field(default=2, ge=0, le=10)
    """How often a platform fault is tried again at once."""
    engine_wait: int = Field(default=120, ge=0, le=3600)
    """Seconds for which a Docker engine that went away during a run is waited for."""
    organisers: list[str] = []
    """Logins that may change everything but records, and approve evaluations."""
    teams: dict[str, list[str]] = {}
    """Name of a team, which is a participant -> logins of its members."""
    participants: list[str] = []
    """Participants admitted although their name looks like another's."""
    queues: dict[str, list[str]] = {"default": ["ubuntu-latest"]}
    """Queue -> labels of the runners that take its cells (``runs-on``)."""
    price_per_hour: dict[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]] = {}
    """Queue -> price of a machine for an hour; plots of score against cost are drawn with it."""
    currency: Annotated[str, Field(pattern="^([A-Z]{3})?$")] = ""
    """ISO 4217 code of all prices, such as EUR."""
    seal: str = ""
    """age recipient of the organisers, to whom what is hidden of a record is encrypted."""
    ledger: str = "pullbench-ledger"
    """The ledger's branch, with approvals and records; it is only ever appended to."""
    max_files: int = Field(default=2000, ge=1)
    """Files of one submission."""
    max_bytes: Bytes = 50 * 2**20
    """Bytes of one submission; larger data belongs elsewhere, with a digest."""
    progress_hours: float = Field(default=24, gt=0)
    """Hours after which a submission without progress is flagged."""

    @model_validator(mode="after")
    def _prices_have_a_currency(self) -> Self:
        if self.price_per_hour and not self.currency:
            raise ValueError('price_per_hour needs a currency, such as currency = "EUR"')
        return self

    def is_organiser(self, login: str) -> bool:
        return login.casefold() in {name.casefold() for name in self.organisers}


def read_toml(content: bytes) -> dict[str, Any]:
    """Read TOML from outside. Raises UnreadableError."""
    try:
        return tomllib.loads(content.decode("utf-8"))
    except RecursionError:
        raise UnreadableError("is nested too deeply") from None
    except ValueError as error:
        raise UnreadableError(f"is not valid TOML: {error}") from None


def parse_settings(content: bytes | None) -> Settings:
    """Read pyproject.toml; absent means all defaults. Raises InvalidInputError."""
    if content is None:
        return Settings.model_construct()
    file = "pyproject.toml"
    try:
        data = read_toml(content)
    except UnreadableError as error:
        raise InvalidInputError(
            [Problem(file=file, message=str(error), actor=Actor.ORGANISER)]
        ) from None
    try:
        tool = data.get("tool", {})
        return Settings.model_validate(
            tool.get("pullbench", {}) if isinstance(tool, dict) else tool
        )
    except ValidationError as error:
        raise InvalidInputError(
            Problem(
                file=file,
                key=dotted(("tool", "pullbench", *detail["loc"])),
                message=detail["msg"][:1].lower() + detail["msg"][1:],
                hint=f"{GUIDES}/organisers/settings.md lists the settings.",
                actor=Actor.ORGANISER,
            )
            for detail in error.errors(include_url=False)
        ) from None
