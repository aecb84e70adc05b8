"""Packages that only some imports need: an extra of pullbench has them."""

from importlib.util import find_spec

from evaluator.core.errors import UsageError

_PACKAGES = {"arff": "liac-arff", "resvg_py": "resvg-py", "sklearn": "scikit-learn"}
"""Module -> package, where their names differ."""


def need(module: str, *, extra: str) -> None:
    """Refuse to go on without a module of an extra. Raises UsageError.

    The hint does not name pullbench: an index might have something else by that name.
    """
    if find_spec(module) is not None:
        return
    # Loaded here, for hardly any command lacks a package.
    from importlib.metadata import requires

    from packaging.requirements import Requirement

    lines = [Requirement(line) for line in requires("pullbench") or ()]
    wanted = " ".join(
        f"'{line.name}{line.specifier}'"
        for line in lines
        if line.marker is not None and line.marker.evaluate({"extra": extra})
    )
    raise UsageError(
        f"the package {_PACKAGES.get(module, module)} is not installed",
        hint=f"pip install {wanted}",
    )
