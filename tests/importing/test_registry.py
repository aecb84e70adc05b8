"""An importer is one object and one line of the registry; all else holds for every one."""

import click
import pytest

from evaluator.core.formats.schema import dump_yaml
from evaluator.core.plugins import Plugin
from evaluator.importing.folder import SourceFolder
from evaluator.importing.importer import Importer, ImportRequest, ReadBundle
from evaluator.importing.verb import IMPORTERS, RESULTS_IMPORTERS
from tests.importing.calling import pullbench
from tests.importing.sources import V2_FILES, v2
from tests.plugging import plug_in
from tests.repository import Repository


def read(
    folder: SourceFolder, request: ImportRequest, *, text: str, title: str
) -> ReadBundle | None:
    """Bring in a SUM to be worked out."""
    if not text.isdecimal():
        folder.notes.refuse(text, "is no sum", "Write it in digits.")
        return None
    for path, content in V2_FILES.items():
        folder.write(path, content if isinstance(content, bytes) else content.encode())
    folder.write("reference_data/sum.txt", text.encode())
    folder.write("competition.yaml", dump_yaml(v2(title=title)))
    return ReadBundle(name=request.name or "sums", note="is made of one sum")


SUMS = Importer(
    options=(
        click.argument("text", metavar="SUM"),
        click.option("--title", default="Sums", help="Title of the benchmark."),
    ),
    read=read,
)


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    plug_in(monkeypatch, Plugin(offers={"importers.sums": f"{__name__}:SUMS"}))


def test_the_command_offers_it_with_its_options(repo: Repository) -> None:
    code, said = pullbench(repo.path, "import", "--help")
    assert code == 0
    assert "  sums " in said
    assert "Bring in a SUM to be worked out." in said
    code, said = pullbench(repo.path, "import", "sums", "--help")
    assert code == 0
    for text in ("import sums [OPTIONS] SUM", "--title", "--name", "--force"):
        assert text in said


def test_what_it_reads_becomes_a_benchmark(repo: Repository) -> None:
    code, said = pullbench(repo.path, "import", "sums", "12", "--title", "Twelve")
    assert code == 0, said
    assert said.splitlines()[0].startswith("note: competition.yaml: is made of one sum")
    assert said.splitlines()[-2] == "benchmarks/sums: 7 files"
    assert repo.snapshot().benchmarks["sums"].title == "Twelve"
    assert (repo.path / "benchmarks/sums/reference_data/sum.txt").read_text() == "12"
    code, said = pullbench(repo.path, "import", "sums", "13")
    assert (code, "benchmarks/sums is there already" in said) == (2, True)
    assert pullbench(repo.path, "import", "sums", "13", "--name", "other")[0] == 0
    assert pullbench(repo.path, "import", "sums", "13", "--force")[0] == 0
    assert (repo.path / "benchmarks/sums/reference_data/sum.txt").read_text() == "13"
    assert not list((repo.path / "build/import").glob("[!.]*"))


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("twelve",), "error: twelve: is no sum. Write it in digits."),
        (("12", "--title", ""), "error: competition.yaml"),
    ],
)
def test_what_is_refused_writes_nothing(
    repo: Repository, arguments: tuple[str, ...], text: str
) -> None:
    code, said = pullbench(repo.path, "import", "sums", *arguments)
    assert code == 1
    assert text in said
    assert said.endswith("refused: nothing was written\n")
    assert not (repo.path / "benchmarks").exists()


@pytest.mark.parametrize("name", sorted(IMPORTERS))
def test_every_line_of_the_registry_names_an_importer(name: str) -> None:
    assert (IMPORTERS[name].read.__doc__ or "").startswith("Bring in ")


@pytest.mark.parametrize("name", sorted(RESULTS_IMPORTERS))
def test_every_other_line_names_an_importer_of_results(name: str) -> None:
    assert (RESULTS_IMPORTERS[name].read.__doc__ or "").startswith("Bring in ")
