"""``task.toml`` of Harbor 0.26, schema 1.4: the keys that mean something here."""

from collections.abc import Iterator
from typing import Any, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

_Network = Literal["no-network", "public", "allowlist"]
_NEWEST = (1, 4)
_LEFT_OUT = (
    "steps", "verifier.collect", "verifier.environment.docker_image", "environment.gpus",
    "environment.tpu", "environment.healthcheck", "environment.mcp_servers",
)  # fmt: skip
"""Keys without which a task is another one."""


class _Table(BaseModel):
    """Harbor ignores unknown keys, too."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    env: dict[str, str] = {}
    name: str = ""


class _Step(_Table):
    timeout_sec: float = Field(600, gt=0, le=10**6)
    network_mode: _Network | None = None
    environment_mode: Literal["shared", "separate"] = "shared"


class _Environment(_Table):
    network_mode: _Network = "public"
    allow_internet: bool = True
    docker_image: str = Field("", pattern=r"^\S*$")
    os: Literal["linux"] = "linux"
    cpus: float | None = Field(None, gt=0)
    memory_mb: int | None = Field(None, gt=0)
    workdir: str = ""


class TaskFile(_Table):
    """A task."""

    schema_version: str = Field(
        "1.4", pattern=r"^\d{1,3}\.\d{1,3}$",
        validation_alias=AliasChoices("schema_version", "version"),
    )  # fmt: skip
    task: _Table = _Table()
    agent: _Step = _Step()
    verifier: _Step = _Step()
    environment: _Environment = _Environment()
    solution: _Table = _Table()

    @property
    def has_network(self) -> bool:
        place = self.environment
        whole = place.network_mode if place.allow_internet else "no-network"
        return any(
            (one.network_mode or whole) != "no-network" for one in (self.agent, self.verifier)
        )

    def faults(self, written: dict[str, Any]) -> Iterator[str]:
        """Say what of the file cannot be brought in."""
        if tuple(map(int, self.schema_version.split("."))) > _NEWEST:
            yield f"schema_version: is {self.schema_version}; 1.4 is the newest that is read"
        for key in _LEFT_OUT:
            value: Any = written
            for part in key.split("."):
                value = value.get(part) if isinstance(value, dict) else None
            if value:
                yield f"{key}: is not brought in"
        for name in ("environment", "agent", "verifier", "solution"):
            for variable, text in getattr(self, name).env.items():
                if "${" in text or not variable.isidentifier():
                    yield (
                        f"{name}.env.{variable}: nothing is read from the environment of this "
                        "machine; write the value, or take the key out"
                    )
