"""1.8: what Codabench refuses is mended or refused, and what it does otherwise is said."""

import io
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from PIL import Image
from pydantic import BaseModel

from evaluator.core.errors import InvalidInputError
from evaluator.core.formats.bundle import Benchmark, parse_bundle
from evaluator.core.formats.extension import (
    ColumnExtension,
    Extension,
    PhaseExtension,
    QuestionExtension,
    TaskExtension,
)
from evaluator.core.formats.quantities import to_datetime
from evaluator.core.formats.schema import dump_yaml
from evaluator.core.planning.snapshot import read_snapshot
from evaluator.importing.files import Files, bundle_files
from evaluator.plugins.codalab.codabench_bundle import Exported, export_bundle
from evaluator.plugins.codalab.codabench_differences import KEYS
from evaluator.plugins.codalab.codabench_findings import Bundle
from evaluator.plugins.codalab.codabench_logo import logo_fault
from evaluator.plugins.codalab.codabench_rules import RULES, codabench_moment
from tests.importing.sources import BOARD, v2

ROOT = Path(__file__).parents[3]
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"><rect width="8"/></svg>'


def picture(width: int = 8, height: int = 8, kind: str = "PNG", mode: str = "RGB") -> bytes:
    file = io.BytesIO()
    Image.new(mode, (width, height)).save(file, kind)
    return file.getvalue()


FILES: dict[str, bytes] = {
    "logo.png": picture(),
    "terms.md": b"Anyone may enter.\n",
    "overview.md": b"# Overview\n",
    "scoring_program/metadata.yaml": b"command: python3 score.py\n",
    "scoring_program/score.py": b"print(1)\n",
    "reference_data/sum.txt": b"3\n",
}
PHASE = {"index": 0, "name": "Main", "start": "2020-01-01", "tasks": [0]}
TASK = v2()["tasks"][0]


def bundle(
    more: dict[str, bytes | None] | None = None, text: str = "", **changes: Any
) -> tuple[Benchmark, Files]:
    """A bundle of which Codabench takes all but the changes."""
    files = {
        name: content for name, content in {**FILES, **(more or {})}.items() if content is not None
    }
    changes = {"docker_image": "python:3.11-slim", **changes}
    files["competition.yaml"] = text.encode() or dump_yaml(v2(**changes))
    benchmark, problems = parse_bundle("new", files["competition.yaml"], files)
    assert benchmark is not None, problems
    return benchmark, {name: (content, False) for name, content in files.items()}


def inside(exported: Exported) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What is in a zip: competition.yaml as Codabench reads it, and all files."""
    with zipfile.ZipFile(io.BytesIO(exported.content)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    return yaml.safe_load(files["competition.yaml"]), files


def check_nothing_is_left(exported: Exported) -> None:
    data, files = inside(exported)
    mended = Bundle(data=data, files={name: (content, False) for name, content in files.items()})
    assert [finding for rule in RULES for finding in rule.check(mended)] == []


def said(exported: Exported, severity: str) -> str:
    return "\n".join(str(item) for item in exported.problems if item.severity == severity)


def test_what_codabench_takes_is_not_touched() -> None:
    benchmark, files = bundle()
    exported = export_bundle(benchmark, files)
    assert exported.problems == ()
    assert exported.content == export_bundle(benchmark, files, as_is=True).content


TOUCHING = [
    {**PHASE, "name": "A", "end": "2021-01-01"},
    {**PHASE, "index": 1, "name": "B", "start": "2021-01-01"},
]


@pytest.mark.parametrize(
    ("changes", "place", "wanted"),
    [
        ({"phases": TOUCHING}, ("phases", 0, "end"), "2020-12-31 23:59:59"),
        ({"phases": [{**PHASE, "execution_time_limit": 0}]},
         ("phases", 0, "execution_time_limit"), 604800),
        ({"phases": [{**PHASE, "start": "2020-01-01T00:00:00+02:00"}]},
         ("phases", 0, "start"), "2019-12-31 22:00:00"),
        ({"phases": [{**PHASE, "max_submissions": 2**40}]},
         ("phases", 0, "max_submissions"), 2**31 - 1),
        ({"leaderboards": [{**BOARD, "key": "k" * 40}]}, ("leaderboards", 0, "key"), "k" * 36),
        ({"leaderboards": [{**BOARD, "columns": [{**BOARD["columns"][0], "title": "T" * 40}]}]},
         ("leaderboards", 0, "columns", 0, "title"), "T" * 36),
        ({"solutions": [{"index": 0, "path": "scoring_program"}]}, ("solutions", 0, "tasks"), [0]),
        ({"tasks": [{**TASK, "name": ""}]}, ("tasks", 0, "name"), "Task 0"),
        ({"version": "2.0"}, ("version",), 2),
        ({"fact_sheet": {"q": {"key": "q", "type": "text", "title": "Q"}}},
         ("fact_sheet", "q", "is_required"), "false"),
        ({"tasks": [{**TASK, "reference_data": "reference_data/sum.txt"}]},
         ("tasks", 0, "reference_data"), "reference_data/sum.txt.zip"),
    ],
)  # fmt: skip
def test_mended(changes: dict[str, Any], place: tuple[Any, ...], wanted: object) -> None:
    exported = export_bundle(*bundle(**changes))
    data, _ = inside(exported)
    for part in place:
        data = data[part]
    assert data == wanted
    assert "in the zip" in said(exported, "note")
    assert re.search(r"\(Codabench's \S+\.py:\d+", said(exported, "note"))
    check_nothing_is_left(exported)


def test_keys_without_a_value_are_left_out() -> None:
    task = {**TASK, "ingestion_program": None, "input_data": None}
    exported = export_bundle(*bundle(tasks=[task], phases=[{**PHASE, "starting_kit": None}]))
    data, _ = inside(exported)
    assert set(data["tasks"][0]) == set(TASK)
    assert set(data["phases"][0]) == set(PHASE)
    check_nothing_is_left(exported)


def test_an_unquoted_time_of_day_stays_a_time() -> None:
    text = dump_yaml(v2(docker_image="python:3.11-slim", phases=[{**PHASE, "start": "WHEN"}]))
    exported = export_bundle(*bundle(text=text.decode().replace("WHEN", "2020-01-01 15:20:00")))
    start = inside(exported)[0]["phases"][0]["start"]
    assert start == "2020-01-01 15:20:00"
    assert codabench_moment(start) == to_datetime(start)


def test_a_single_file_is_zipped_under_its_name() -> None:
    exported = export_bundle(*bundle(tasks=[{**TASK, "reference_data": "reference_data/sum.txt"}]))
    files = inside(exported)[1]
    assert "reference_data/sum.txt" not in files
    with zipfile.ZipFile(io.BytesIO(files["reference_data/sum.txt.zip"])) as archive:
        assert archive.read("sum.txt") == FILES["reference_data/sum.txt"]


@pytest.mark.parametrize("content", [b"", "Les règles\n".encode("cp1252"), b"a\0b"])
def test_texts_that_cannot_be_read(content: bytes) -> None:
    exported = export_bundle(*bundle({"terms.md": content, "overview.md": content}))
    files = inside(exported)[1]
    assert files["terms.md"].decode().strip()
    assert files["overview.md"].decode().strip()
    check_nothing_is_left(exported)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("logo.svg", SVG),
        ("logo.bmp", picture(kind="BMP")),
        ("logo.png", picture(1000, 4)),
        ("logo.jpg", picture(kind="JPEG", mode="CMYK")),
    ],
)
def test_a_logo_of_another_form_is_drawn_as_png(name: str, content: bytes) -> None:
    if name.endswith("svg"):
        pytest.importorskip("resvg_py")
    exported = export_bundle(*bundle({"logo.png": None, name: content}, image=name))
    data, files = inside(exported)
    assert data["image"] == "logo.png"
    assert logo_fault("logo.png", files["logo.png"]) == ""
    check_nothing_is_left(exported)


COLUMN = {"title": "A", "key": "a" * 40, "index": 0}


@pytest.mark.parametrize(
    ("changes", "more", "wanted"),
    [
        ({"docker_image": "localhost/mine:1"}, {}, "with --image NAME"),
        ({"docker_image": "localhost:5000/mine:1"}, {}, "with --image NAME"),
        ({"leaderboards": [{**BOARD, "columns": [COLUMN]}]}, {}, "40 characters, 36 is the limit"),
        ({}, {"logo.png": b"\x89PNG"}, "cannot be read as a picture"),
        ({"image": "logo.svg"}, {"logo.svg": SVG.replace(b"<rect", b'<image href="/a.png"/><rect')},
         "draws files from elsewhere"),
        *(
            ({"pullbench": {"private": [{"task": 0, "file": "reference_data", **source,
                                         "sha256": "a" * 64}]}},
             {"truth.age": b"age-encryption.org/v1"}, wanted)
            for source, wanted in (
                ({"path": "a"}, "is a runner's and not in the zip"),
                ({"encrypted": "truth.age"}, "is encrypted, which Codabench cannot open"),
                ({"url": "https://example.org/a.zip"}, "is at a URL and not in the zip"),
            )
        ),
    ],
)  # fmt: skip
def test_refused(changes: dict[str, Any], more: dict[str, bytes | None], wanted: str) -> None:
    benchmark, files = bundle(more, **changes)
    with pytest.raises(InvalidInputError, match=re.escape(wanted)) as caught:
        export_bundle(benchmark, files)
    assert re.search(r"\(Codabench's \S+\.py:\d+", str(caught.value))
    assert export_bundle(benchmark, files, as_is=True).problems == ()


def test_an_image_at_a_registry_takes_its_place() -> None:
    exported = export_bundle(
        *bundle(docker_image="localhost/mine:1"), image="registry.example.org/mine:1"
    )
    assert inside(exported)[0]["docker_image"] == "registry.example.org/mine:1"


def test_every_key_without_a_counterpart_is_said() -> None:
    pullbench = {
        "repeats": 3, "aggregate": "mean_rank", "network": "campus", "gpus": 1, "exclusive": True,
        "phases": {0: {"shows": "status", "max_submissions_per_week": 1}},
        "tasks": {0: {"memory": "1 GiB"}}, "limits": {"memory": "2 GiB"},
        "datasets": {"become": "rows"}, "citation": {"doi": "10.1000/182"},
    }  # fmt: skip
    task = {**TASK, "ingestion_program": "scoring_program"}
    exported = export_bundle(*bundle(tasks=[task], pullbench=pullbench))
    warnings = said(exported, "warning")
    for key in (
        "repeats", "aggregate", "network", "gpus", "exclusive", "limits", "datasets",
        "phases.*.shows", "phases.*.max_submissions_per_week", "tasks.*.memory",
    ):  # fmt: skip
        assert f"pullbench.{key}: Codabench " in warnings
    assert "('Main')" in warnings


def test_every_key_of_ours_has_its_words() -> None:
    nested: dict[str, type[BaseModel]] = {
        "columns": ColumnExtension, "phases": PhaseExtension, "tasks": TaskExtension,
        "questions": QuestionExtension,
    }  # fmt: skip
    keys = {key for key in Extension.model_fields if key not in {*nested, "private"}}
    keys |= {f"{name}.{key}" for name, model in nested.items() for key in model.model_fields}
    keys |= Extension.plugin_keys.keys()
    assert set(KEYS) <= keys, "words about keys that are gone"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.source)
def test_every_rule_names_its_place(rule: Any) -> None:
    assert re.fullmatch(r"(\S+\.py:\d[\d, -]*(; )?)+", rule.source)


BENCHMARKS = sorted(path.parent.name for path in ROOT.glob("benchmarks/*/competition.yaml"))


@pytest.mark.parametrize("name", BENCHMARKS)
def test_benchmarks_of_this_repository(name: str) -> None:
    """Each is taken by Codabench's rules, or refused for data that are a runner's alone."""
    pytest.importorskip("resvg_py")
    from evaluator.core.git.tree import open_repository, read_tree

    benchmark, files = bundle_files(
        read_snapshot(read_tree(open_repository(ROOT)), only=name), name
    )
    local = benchmark.docker_image.startswith("localhost/")
    if any(task.private for task in benchmark.tasks):
        with pytest.raises(InvalidInputError, match="not in the zip"):
            export_bundle(benchmark, files)
        return
    if local:
        with pytest.raises(InvalidInputError, match="no worker can pull it"):
            export_bundle(benchmark, files)
    exported = export_bundle(benchmark, files, image="registry.example.org/x:1" if local else "")
    check_nothing_is_left(exported)
    data, zipped = inside(exported)
    assert parse_bundle(name, dump_yaml(data), zipped)[0] is not None


def test_pictures_that_only_the_bundle_has() -> None:
    page = b"![a](fig.png) ![b](https://example.org/b.png)\n<img src='figures/c.svg'>\n"
    benchmark, files = bundle({"overview.md": page, "fig.png": picture()})
    warnings = said(export_bundle(benchmark, files), "warning")
    assert "Codabench shows no pictures of the bundle: fig.png, figures/c.svg" in warnings
