"""``[tool.pullbench.attest]``: whose statements count."""

from typing import Annotated

from pydantic import Field

from evaluator.core.formats.parsing import Strict


class Identity(Strict):
    """A workflow that signs with no key, by the identity that its forge gives it."""

    workflow: str
    """URI of the workflow, such as
    ``https://github.com/OWNER/NAME/.github/workflows/publish.yml@refs/heads/main``."""
    repository: str
    """Repository in which the workflow runs, such as ``OWNER/NAME``."""


_Key = Annotated[str, Field(pattern="^ed25519:[0-9a-f]{64}$")]
"""As ``pullbench keygen --signing`` prints it."""


class Attest(Strict):
    """A key or identity counts for statements whose base commit lists it."""

    keys: list[_Key] = []
    identities: list[Identity] = []
    auditors: list[_Key] = []
    """Keys that count for what was evaluated again, and for no score that CI accepts."""

    @property
    def asks(self) -> bool:
        """Whether somebody has to sign scores."""
        return bool(self.keys or self.identities)
