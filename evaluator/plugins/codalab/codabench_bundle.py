"""``pullbench export``: a bundle's files -> a zip that Codabench takes, and that comes back."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from evaluator.core.errors import Actor, InvalidInputError, Problem
from evaluator.core.formats.bundle import FILE_NAME, Benchmark
from evaluator.core.formats.schema import dump_yaml, read_yaml
from evaluator.core.formats.table_folds import FoldError
from evaluator.core.importers.files import Files, zip_bytes
from evaluator.plugins.codalab.codabench_differences import differences
from evaluator.plugins.codalab.codabench_folds import with_folders
from evaluator.plugins.codalab.codabench_rules import RULES, TASK_PARTS, Bundle
from evaluator.plugins.codalab.references import MANIFEST, Reference, content_sha256, manifest
from evaluator.plugins.codalab.source import MARK

_PHASE_PARTS = ("starting_kit", "public_data")


@dataclass(frozen=True, kw_only=True)
class Exported:
    """A bundle as one file."""

    content: bytes
    parts: dict[str, bytes]
    """Of a light export: key -> zip of what was left out."""
    problems: tuple[Problem, ...]
    """What was mended, and what Codabench does otherwise."""


def export_bundle(
    benchmark: Benchmark, files: Files, *, image: str = "", light: bool = False, as_is: bool = False
) -> Exported:
    """Zip a bundle; paths of ``files`` are from its directory.

    What Codabench would refuse is mended, or refused here: InvalidInputError has all of it.
    ``image`` is written in place of the bundle's. ``as_is`` and ``light`` are for another
    pullbench: nothing is changed, and nothing refused.
    """
    if MANIFEST in files and light:
        raise InvalidInputError([_problem(benchmark, f"holds a file called {MANIFEST}")])
    parts: dict[str, bytes] = {}
    problems: list[Problem] = []
    if light:
        files, parts = _lighten(dict(files))
    elif not as_is:
        files, problems = for_codabench(benchmark, files, image=image)
    return Exported(content=zip_bytes(files, comment=MARK), parts=parts, problems=tuple(problems))


def for_codabench(
    benchmark: Benchmark, files: Files, *, image: str = ""
) -> tuple[Files, list[Problem]]:
    """Return files that Codabench takes, and what was mended or is otherwise there.

    Raises InvalidInputError with everything that only a person can mend.
    """
    document = read_yaml(files[FILE_NAME][0], f"{benchmark.path}/{FILE_NAME}", Actor.ORGANISER)
    bundle = Bundle(data=document.data, files=dict(files))
    if image:
        bundle.data["docker_image"] = image
    is_mended = bool(image)
    try:
        for task in with_folders(benchmark, bundle):
            words = f"the folds of '{task}' are rows of a table: in the zip each has its own files"
            document.report(("pullbench", "repeat_data"), words, severity="note")
            is_mended = True
    except FoldError as error:
        document.report(("pullbench", "repeat_data"), f"finds no folds: {error}")
    for rule in RULES:
        for finding in list(rule.check(bundle)):
            if finding.mend is None:
                hint = f"{finding.hint} (Codabench's {rule.source})".lstrip()
                document.report(finding.at, finding.message, hint)
            else:
                words = f"{finding.message}: in the zip {finding.mend()}"
                document.report(finding.at, words, f"(Codabench's {rule.source})", severity="note")
                is_mended = True
    stopping = [problem for problem in document.problems if problem.severity == "error"]
    if stopping:
        raise InvalidInputError(stopping)
    for finding in differences(benchmark, bundle):
        document.report(finding.at, finding.message, finding.hint, severity="warning")
    if is_mended:
        bundle.files[FILE_NAME] = (dump_yaml(bundle.data), False)
    return bundle.files, document.problems


def _lighten(
    files: dict[str, tuple[bytes, bool]],
) -> tuple[dict[str, tuple[bytes, bool]], dict[str, bytes]]:
    content = files[FILE_NAME][0]
    data = read_yaml(content, FILE_NAME, Actor.ORGANISER).data
    references: dict[str, Reference] = {}
    parts: dict[str, bytes] = {}
    keys: dict[str, str] = {}
    left_out: set[str] = set()
    for entry, name in _named_parts(data):
        written = entry[name]
        path = written.removeprefix("./").rstrip("/")
        inside = {
            file.removeprefix(f"{path}/") if file != path else path.rpartition("/")[2]: file
            for file in files
            if file == path or file.startswith(f"{path}/")
        }
        if not inside:
            continue  # private data of a runner's: it never was in the bundle
        part = {short: files[file] for short, file in inside.items()}
        reference = Reference(
            path=path,
            written=written,
            sha256=content_sha256(part),
            size=sum(len(item) for item, _ in part.values()),
            kind="file" if path in files else "directory",
        )
        references[reference.key] = reference
        parts[reference.key] = zip_bytes(part)
        keys[written] = reference.key
        left_out |= set(inside.values())
    light = {path: item for path, item in files.items() if path not in left_out}
    light[FILE_NAME] = (_with_keys(content, data, keys), False)
    light[MANIFEST] = (manifest(references), False)
    return light, parts


def _named_parts(data: Any) -> Iterator[tuple[dict[str, Any], str]]:
    for section, names in (("tasks", TASK_PARTS), ("phases", _PHASE_PARTS)):
        for entry in data.get(section) or ():
            for name in names:
                if entry.get(name):
                    yield entry, name


def _with_keys(content: bytes, data: Any, keys: dict[str, str]) -> bytes:
    """Write keys for paths, in the text where that is exact: then its comments stay."""
    names = "|".join((*TASK_PARTS, *_PHASE_PARTS))
    text = content.decode("utf-8-sig")
    for written, key in keys.items():
        pattern = rf"""(?m)((?:^|[\s{{,"'])(?:{names})["']?\s*:\s*["']?){re.escape(written)}"""
        text = re.sub(rf"""{pattern}(?=["']?\s*(?:[,}}\]#\r\n]|$))""", rf"\g<1>{key}", text)
    for entry, name in _named_parts(data):
        entry[name] = keys.get(entry[name], entry[name])
    encoded = text.encode()
    if content.startswith(b"\xef\xbb\xbf"):
        encoded = b"\xef\xbb\xbf" + encoded
    read = read_yaml(encoded, FILE_NAME, Actor.ORGANISER)
    return encoded if read.data == data else dump_yaml(data)


def _problem(benchmark: Benchmark, message: str) -> Problem:
    return Problem(file=f"{benchmark.path}/{FILE_NAME}", message=message, actor=Actor.ORGANISER)
