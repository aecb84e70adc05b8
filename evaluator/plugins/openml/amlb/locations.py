"""``dataset:`` of a task -> the training and the test file of each fold.

The rules are those of AMLB's definition page: a pair, lists by fold, an even list, a folder or an
archive whose files are named ``NAME_train_0.csv``, or an address of any of these.
"""

import hashlib
import re
import tarfile
import urllib.parse
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from evaluator.core.errors import PullbenchError, UsageError
from evaluator.core.formats.paths import shown
from evaluator.importing.downloads import check_sha256, download

_LINE = re.compile(r"([0-9a-fA-F]{64})[ \t]+\*?(\S+)")


def is_address(text: str) -> bool:
    return text.lower().startswith(("http://", "https://"))


class Downloads:
    """Fetches each address once.

    ``digests`` is a file of lines ``SHA-256  ADDRESS``, as sha256sum writes them. With ``pin``,
    an address that has none is fetched all the same, and its line is added to the file.
    """

    def __init__(self, cache: Path, digests: Path | None, *, pin: bool = False) -> None:
        self._cache = cache
        self._file = digests
        self._pin = pin
        self._digests: dict[str, str] = {}
        if pin and digests is None:
            raise UsageError("--pin needs a file to write to", hint="Give --digests FILE.")
        if digests is not None and (digests.exists() or not pin):
            self._read(digests)

    def _read(self, digests: Path) -> None:
        try:
            lines = digests.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            raise UsageError(f"{shown(str(digests))} cannot be read") from None
        for number, line in enumerate(lines, start=1):
            match = _LINE.fullmatch(line.strip())
            if match:
                self._digests[match[2]] = match[1].lower()
            elif line.strip() and not line.lstrip().startswith("#"):
                raise UsageError(f"{digests.name}, line {number}: not 'SHA-256  ADDRESS'")

    def fetch(self, address: str, folder: str, sha256: str | None = None) -> Path:
        """The file. Raises UsageError without a digest, PullbenchError for a wrong one."""
        wanted = sha256 or self._digests.get(address)
        if wanted is None and not self._pin:
            raise UsageError(
                f"{shown(address)} has no digest, so that nobody could notice a change",
                hint="--digests FILE --pin fetches it once and writes its digest into FILE.",
            )
        name = Path(urllib.parse.unquote(urllib.parse.urlsplit(address).path)).name or "file"
        target = self._cache / folder / name
        if target.exists():  # two addresses may end alike
            target = self._cache / folder / hashlib.sha256(address.encode()).hexdigest()[:12] / name
        if target.exists():
            return target
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            with target.open("wb") as file:
                digest = download(address, file)
            check_sha256(address, digest, wanted or digest)
        except PullbenchError:
            target.unlink()
            raise
        if wanted is None and self._file is not None:
            self._digests[address] = digest
            with self._file.open("a", encoding="utf-8") as lines:
                lines.write(f"{digest}  {address}\n")
        return target


_PART = re.compile(r"(?:(.*)[_-])(train|test)(?:[_-](\d+))?\.\w+")
_ARCHIVES = (".zip", ".tar", ".tgz", ".tar.gz", ".tbz", ".tbz2", ".tar.bz2", ".txz", ".tar.xz")
_WORD = re.compile(r"\{(\w+)\}")
MAX_UNPACKED = 16 * 2**30


class DatasetError(Exception):
    """Why the data of a task cannot be used."""


@dataclass(frozen=True, kw_only=True)
class Places:
    """Where locations begin."""

    folders: Mapping[str, Path]
    """``input``, ``user`` and so on, as written in braces."""
    beside: Path
    """Folder of the definition: where a path is looked for that is not in the current one."""
    work: Path
    """Folder for what is fetched and unpacked."""
    downloads: Downloads


@dataclass(frozen=True, kw_only=True)
class Files:
    """Files by fold; a folder with one file has no test file."""

    train: tuple[Path, ...]
    test: tuple[Path, ...]


def find_files(dataset: Any, task: str, places: Places) -> Files:
    """Find the files of a task. Raises DatasetError, UsageError, PlatformError."""
    digests: Mapping[str, str] = {}
    if isinstance(dataset, dict):
        digest = dataset.get("sha256")
        digests = digest if isinstance(digest, dict) else {}
        if isinstance(digest, str) and isinstance(dataset.get("path"), str):
            digests = {dataset["path"]: digest}
        if "path" in dataset:
            dataset = dataset["path"]
    find = partial(_find, task=task, places=places, digests=digests)
    if isinstance(dataset, list):
        if len(dataset) % 2 or not dataset:
            raise DatasetError(
                "a list of files needs an even number: train_0, test_0, train_1, test_1, …"
            )
        dataset = {"train": dataset[::2], "test": dataset[1::2]}
    if isinstance(dataset, dict):
        if "train" not in dataset or "test" not in dataset:
            raise DatasetError("needs `path`, or both `train` and `test`")
        train, test = (
            tuple(find(item).train[0] for item in (part if isinstance(part, list) else [part]))
            for part in (dataset["train"], dataset["test"])
        )
        return Files(train=train, test=test)
    return find(dataset)


def _find(location: Any, *, task: str, places: Places, digests: Mapping[str, str]) -> Files:
    if not isinstance(location, str):
        raise DatasetError(f"'{shown(str(location))}' is no path")
    if is_address(location):
        path = places.downloads.fetch(location, task, digests.get(location))
    elif re.match(r"\w+://", location):
        raise DatasetError(
            f"'{shown(location)}' is fetched in a way that is not supported; "
            "only http and https are"
        )
    else:
        path = _local_path(location, places)
    if path.is_file():
        if not path.name.lower().endswith(_ARCHIVES):
            return Files(train=(path,), test=())
        path = _unpack(path, places.work)
    return _in_folder(path)


def _local_path(location: str, places: Places) -> Path:
    for name in _WORD.findall(location):
        if name not in places.folders:
            names = ", ".join(sorted(places.folders))
            raise DatasetError(f"'{{{name}}}' is no folder; known are {names}")
    path = Path(_WORD.sub(lambda word: str(places.folders[word[1]]), location)).expanduser()
    if not path.exists() and not path.is_absolute():
        path = places.beside / path
    if not path.exists():
        raise DatasetError(f"'{shown(location)}' is not there")
    return path


def _in_folder(folder: Path) -> Files:
    names = sorted(
        file.relative_to(folder).as_posix()
        for file in folder.rglob("*")
        if file.is_file() and not any(part.startswith((".", "__MACOSX")) for part in file.parts)
    )
    if not names:
        raise DatasetError(f"the folder '{shown(folder.name)}' is empty")
    if len(names) == 1:
        return Files(train=(folder / names[0],), test=())
    parts = [match for name in names if (match := _PART.fullmatch(name))]
    if {match[2] for match in parts} != {"train", "test"}:
        raise DatasetError(
            f"'{shown(folder.name)}' needs files named NAME_train.csv and NAME_test.csv, or "
            "NAME_train_0.csv, NAME_test_0.csv, NAME_train_1.csv, …"
        )
    roots = sorted({match[1] for match in parts})
    if len(roots) > 1:
        raise DatasetError(
            f"'{shown(folder.name)}' holds files of several names: {shown(', '.join(roots))}"
        )
    by_part = {(match[2], match[3]): folder / match[0] for match in reversed(parts)}
    if ("train", None) in by_part and ("test", None) in by_part:
        return Files(train=(by_part["train", None],), test=(by_part["test", None],))
    count = 0
    while ("train", str(count)) in by_part and ("test", str(count)) in by_part:
        count += 1
    if not count:
        raise DatasetError(f"'{shown(folder.name)}' has no fold 0: its numbers begin at 0")
    return Files(
        train=tuple(by_part["train", str(fold)] for fold in range(count)),
        test=tuple(by_part["test", str(fold)] for fold in range(count)),
    )


def _unpack(archive: Path, work: Path) -> Path:
    with archive.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    folder = work / "unpacked" / digest[:16]
    if folder.exists():
        return folder
    folder.mkdir(parents=True)
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as zipped:
                _check_size(sum(item.file_size for item in zipped.infolist()), archive)
                zipped.extractall(folder)  # noqa: S202 names are made harmless by zipfile
        else:
            with tarfile.open(archive) as packed:
                _check_size(sum(item.size for item in packed), archive)
                packed.extractall(folder, filter="data")
    except (OSError, tarfile.TarError, zipfile.BadZipFile, EOFError) as error:
        raise DatasetError(f"'{shown(archive.name)}' cannot be unpacked: {error}") from None
    return folder


def _check_size(size: int, archive: Path) -> None:
    if size > MAX_UNPACKED:
        raise UsageError(f"{shown(archive.name)} unpacks to more than {MAX_UNPACKED:,} bytes")
