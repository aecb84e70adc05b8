"""``pullbench import``: a bundle of Codabench or CodaLab -> one that is valid here."""

import hashlib
import urllib.parse
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from pydantic import ValidationError

from evaluator.core.errors import Actor, UsageError, some_of
from evaluator.core.formats.bundle import parse_bundle
from evaluator.core.formats.competition import IGNORED_KEYS, Competition
from evaluator.core.formats.parsing import parse
from evaluator.core.formats.paths import shown
from evaluator.core.formats.quantities import slug
from evaluator.core.formats.schema import dump_yaml, read_yaml
from evaluator.importing.downloads import check_sha256, content_at
from evaluator.importing.folder import SourceFolder
from evaluator.importing.importer import Importer, ImportRequest, ReadBundle
from evaluator.importing.notes import COMPETITION
from evaluator.plugins.codalab import legacy
from evaluator.plugins.codalab.keys import entries, normalise
from evaluator.plugins.codalab.pages import convert_pages
from evaluator.plugins.codalab.parts import Parts
from evaluator.plugins.codalab.phase_columns import add_phase_columns
from evaluator.plugins.codalab.references import MARK, Resolver, is_url
from evaluator.plugins.codalab.samples import gather_samples

_SPELLINGS = frozenset({"competition.yaml", "competition.yml"})


def read(
    folder: SourceFolder,
    request: ImportRequest,
    *,
    source: str,
    sha256: str | None,
    files: Path | None,
    within: Path | None = None,
    try_samples: bool = False,
    pictures: bool = False,
) -> ReadBundle | None:
    """Bring in a Codabench or CodaLab bundle: a zip, a directory, or an address.

    Says what was changed or could not be kept. What cannot become a valid benchmark is refused,
    and nothing is written.
    """
    fetch(source, folder, sha256=sha256, within=within)
    is_there = not folder.notes.refused and _find_competition(folder)
    folder.say_faults()
    if folder.notes.refused or not is_there:
        return None
    competition = _read_competition(
        folder, Resolver(folder, files, request.data.digest), pictures=pictures
    )
    if competition is None:
        return None
    data, note = competition
    # Git cannot hold a directory without files.
    for path in sorted(folder.root.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()
    trial = None
    if try_samples:
        from evaluator.plugins.codalab.trial import SampleTrial

        trial = SampleTrial(gather_samples(data, folder, folder.root.with_name("samples")))
    name = request.name or slug(str(data.get("title") or ""))
    return ReadBundle(name=name, note=note, trial=trial)


IMPORTER = Importer(
    options=(
        click.argument("source"),
        click.option("--sha256", metavar="DIGEST", help="Digest of SOURCE; needed for an address."),
        click.option(
            "--files", type=click.Path(path_type=Path, file_okay=False),
            help="Folder of what is not in the bundle: KEY/, KEY.zip, or the missing file.",
        ),
        click.option(
            "--within", type=click.Path(path_type=Path, file_okay=False, exists=True),
            help="Follow links of SOURCE, a directory, to anything below this one.",
        ),
        click.option(
            "--pictures", is_flag=True,
            help="Fetch the pictures that its pages show from other servers into the bundle.",
        ),
        click.option(
            "--try", "try_samples", is_flag=True,
            help="Evaluate its sample submissions and solutions, whatever its dates say.",
        ),
    ),
    read=read,
)  # fmt: skip


def _find_competition(folder: SourceFolder) -> bool:
    notes = folder.notes
    while True:
        here = sorted(
            path.name
            for path in folder.root.iterdir()
            if path.is_file() and path.name.lower() in _SPELLINGS
        )
        if here:
            break
        inner = [
            path.relative_to(folder.root).parts[0]
            for path in sorted(folder.root.glob("*/**/*"))
            if path.is_file() and path.name.lower() in _SPELLINGS
        ]
        if len(set(inner)) != 1:
            places = some_of(sorted(set(inner)))
            notes.refuse(
                COMPETITION,
                f"is not at the root, but in {places}" if inner else "is not in the bundle",
                "Name that folder, or zip its content." if inner else "A bundle is read from it.",
            )
            return False
        outside = folder.lift_to_root(inner[0])
        notes.note(COMPETITION, f"the content of the folder '{inner[0]}' is used")
        if outside:
            notes.warn(COMPETITION, f"files beside that folder are left out: {some_of(outside)}")
    chosen = COMPETITION if COMPETITION in here else here[0]
    if chosen != COMPETITION:
        (folder.root / chosen).rename(folder.root / COMPETITION)
        notes.warn(COMPETITION, f"is called '{chosen}' in the source; it is renamed")
    return True


def _read_competition(
    folder: SourceFolder, resolver: Resolver, *, pictures: bool
) -> tuple[dict[str, Any], str] | None:
    notes = folder.notes
    content = folder.read(COMPETITION)
    if folder.exact and parse_bundle("exported", content, folder.files)[0] is not None:
        return read_yaml(content, COMPETITION, Actor.ORGANISER).data, ""
    document = read_yaml(content, COMPETITION, Actor.ORGANISER, lenient=True)
    notes.read(document)
    if notes.refused:
        return None
    data: dict[str, Any] = document.data
    old = legacy.is_legacy(data, notes)
    if notes.refused:
        return None
    ours = "pullbench" in data
    ranking: Mapping[str, Sequence[str]] = {}
    hidden: Sequence[frozenset[str]] = ()
    if old:
        data, ranking, hidden = legacy.convert(data, folder, notes)
    data = normalise(data, notes)
    Parts(folder, resolver, legacy=old).locate(data)
    convert_pages(data, folder, fetch=pictures)
    is_kept = not old and _means_the_same(content, data)
    if not ours:
        add_phase_columns(data, folder, ranking, hidden)
        _let_ingestion_fail(data, folder)
    if is_kept and (longer := _with_extension(content, data)) is not None:
        folder.write(COMPETITION, longer)
        return data, "" if longer == content else "has the key 'pullbench' at its end"
    folder.write(COMPETITION, dump_yaml(data))
    comments = any(line.lstrip().startswith(b"#") for line in content.splitlines())
    return data, "is written anew; its comments are gone" if comments else "is written anew"


def _means_the_same(content: bytes, data: dict[str, Any]) -> bool:
    document = read_yaml(content, COMPETITION, Actor.ORGANISER)
    written = parse(Competition, document, ignored=IGNORED_KEYS)
    if written is None or document.problems:
        return False
    try:
        wanted = Competition.model_validate(data)
    except ValidationError:
        return False  # the check of what is written says why
    same: bool = _plain(written.model_dump()) == _plain(wanted.model_dump())
    return same


def _let_ingestion_fail(data: dict[str, Any], folder: SourceFolder) -> None:
    if any(task.get("ingestion_program") for _, task in entries(data, "tasks")):
        data.setdefault("pullbench", {})["ingestion_may_fail"] = True
        folder.notes.note(
            ("pullbench", "ingestion_may_fail"),
            "is true: what an ingestion program leaves is scored although it ends with an error.",
            "Take it out where an error is to end the evaluation.",
        )


def _with_extension(content: bytes, data: dict[str, Any]) -> bytes | None:
    """The file with the key ``pullbench:`` at its end; None where its form forbids that."""
    if _means_the_same(content, data):
        return content
    text = dump_yaml({"pullbench": data["pullbench"]}).decode()
    line_end = "\r\n" if b"\r\n" in content else "\n"
    if not content.endswith(b"\n"):
        content += line_end.encode()
    longer = content + f"\n{text}".replace("\n", line_end).encode()
    return longer if _means_the_same(longer, data) else None


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value.removeprefix("./").rstrip("/") if isinstance(value, str) else value


def fetch(
    source: str, folder: SourceFolder, *, sha256: str | None = None, within: Path | None = None
) -> None:
    """Bring in files; links stay below ``within``. Raises UsageError, PlatformError."""
    name = shown(source.rstrip("/").rpartition("/")[2] or source)
    if within is not None and not Path(source).resolve().is_relative_to(within.resolve()):
        raise UsageError(f"'{shown(source)}' is not a directory below '{shown(str(within))}'")
    if is_url(source):
        if sha256 is None:
            raise UsageError(
                "a bundle from an address needs its digest",
                hint="Give --sha256; `sha256sum FILE` prints it where the file is known good.",
            )
        _add(_download(source, sha256), folder, name)
        return
    path = Path(source)
    if path.is_dir():
        if sha256 is not None:
            raise UsageError("--sha256 is for files and addresses; a directory has none")
        folder.add_directory(path, name, within)
    elif path.is_file():
        content = path.read_bytes()
        if sha256 is not None:
            check_sha256(source, hashlib.sha256(content).hexdigest(), sha256)
        _add(content, folder, name)
    else:
        raise UsageError(f"there is no file or directory '{shown(source)}'")


def _add(content: bytes, folder: SourceFolder, name: str) -> None:
    folder.exact = content.endswith(MARK)
    folder.add_zip(content, "", name)


def _download(source: str, sha256: str) -> bytes:
    if urllib.parse.urlsplit(source).scheme == "file":
        location = urllib.request.url2pathname(urllib.parse.urlsplit(source).path)
        if not Path(location).is_file():
            raise UsageError(f"there is no file '{shown(location)}'")
    content = content_at(source)
    check_sha256(source, hashlib.sha256(content).hexdigest(), sha256)
    return content
