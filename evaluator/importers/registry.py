"""Every importer, by the word that follows `pullbench import`."""

from pkgutil import resolve_name

from evaluator.importers.importer import Importer

DEFAULT = "bundle"
"""What is meant where no word is a command."""
IMPORTERS = {
    DEFAULT: "evaluator.importers.codabench:IMPORTER",
    "openml": "evaluator.importers.openml.importing:IMPORTER",
    "amlb": "evaluator.importers.amlb.importing:IMPORTER",
}
"""Where each stands: it is loaded when somebody names it."""


def find_importer(name: str) -> Importer:
    """Load an importer of the registry."""
    importer = resolve_name(IMPORTERS[name])
    assert isinstance(importer, Importer), name  # noqa: S101 a line of the registry is ours
    return importer
