"""Folders that several machines share, each as one archive in a folder, on S3 or behind HTTP.

Any address of fsspec does. Nothing that comes from it is believed: a tree is compared with its
digest, predictions with their list, as they are laid out.
"""

import shutil
import tarfile
import tempfile
import uuid
from pathlib import Path, PurePosixPath

from evaluator.core.errors import PlatformError, error_name
from evaluator.core.formats.content_cache import ContentCache
from evaluator.core.formats.settings import Settings
from evaluator.core.formats.verified import tree_digest

_CHUNK = 2**20
_MISSING = (FileNotFoundError, NotADirectoryError)


class SharedStore:
    """Folders by name. Safe in threads, and with other machines: what has a name is whole."""

    def __init__(self, address: str) -> None:
        """Open it. Raises PlatformError."""
        import fsspec.core  # most deployments have no store

        self.address = address
        try:
            self._files, root = fsspec.core.url_to_fs(address)
        except (ImportError, ValueError) as error:
            raise PlatformError(
                f"the store '{address}' cannot be used: {error}",
                hint="[tool.pullbench] store is a folder or an address of fsspec; for s3:// "
                "install s3fs, for http:// aiohttp.",
            ) from None
        self._root = root.rstrip("/")
        self._is_local = "file" in self._files.protocol
        self._is_http = "http" in self._files.protocol

    def put(self, name: str, folder: Path | None) -> None:
        """Store a folder of plain files, or an empty one; replaces what has that name."""
        with tempfile.TemporaryDirectory(prefix="pullbench-") as scratch:
            packed = Path(scratch, "archive")
            with tarfile.open(packed, "w", format=tarfile.PAX_FORMAT) as archive:
                if folder is not None:
                    for path in sorted(folder.rglob("*")):
                        archive.add(path, path.relative_to(folder).as_posix(), recursive=False)
            self._write(name, packed)

    def put_tree(self, folder: Path) -> str:
        """Store content, unless it is there, and return the digest of its files."""
        digest = tree_digest(folder)
        if not self.has(_tree_name(digest)):
            self.put(_tree_name(digest), folder)
        return digest

    def get(self, name: str, target: Path) -> bool:
        """Lay a folder out in an empty one; False if the store has none of that name."""
        if not self.has(name):
            return False
        is_there = False
        try:
            with (
                self._files.open(f"{self._root}/{name}", "rb") as file,
                tarfile.open(fileobj=file, mode="r|") as archive,
            ):
                is_there = True
                for member in archive:
                    _extract(archive, member, target)
        except PlatformError:
            raise
        except Exception as error:  # each kind of store has errors of its own
            if isinstance(error, _MISSING) and not is_there:
                return False
            raise self._fault("read", error) from error
        return True

    def has(self, name: str) -> bool:
        try:
            return int(self._files.info(f"{self._root}/{name}")["size"] or 0) > 0
        except _MISSING:
            return False
        except Exception as error:
            raise self._fault("read", error) from error

    def drop(self, name: str) -> None:
        """Remove a folder, if there is one."""
        if self._is_http:  # nothing can be removed there, and an empty file counts as none
            with tempfile.NamedTemporaryFile(prefix="pullbench-") as nothing:
                self._write(name, Path(nothing.name))
            return
        try:
            self._files.rm_file(f"{self._root}/{name}")
        except _MISSING:
            return
        except Exception as error:
            raise self._fault("write to", error) from error

    def _write(self, name: str, source: Path) -> None:
        path = f"{self._root}/{name}"
        try:
            if self._is_local:
                place = Path(path)
                place.parent.mkdir(parents=True, exist_ok=True)
                draft = place.with_name(f".part-{uuid.uuid4().hex}")
                try:
                    shutil.copyfile(source, draft)
                    draft.replace(place)
                finally:
                    draft.unlink(missing_ok=True)
            else:  # whole or not at all
                self._files.put_file(
                    str(source), path, **({"method": "put"} if self._is_http else {})
                )
        except Exception as error:
            raise self._fault("write to", error) from error

    def _fault(self, doing: str, error: Exception) -> PlatformError:
        return PlatformError(
            f"could not {doing} the store of content ({error_name(error)})",
            hint="[tool.pullbench] store names it; this machine needs its address and its keys.",
        )


def shared_store(settings: Settings, build: Path, *, wanted: bool = False) -> SharedStore | None:
    """A deployment's store, or if one is ``wanted`` a folder that machines share."""
    folder = build.absolute() / "store"
    if not settings.store and not wanted and not folder.exists():
        return None
    return SharedStore(settings.store or str(folder))


class SharedTrees:
    """Content by the digest of its files, fetched once for a machine and verified at every use."""

    def __init__(self, store: SharedStore, cache: Path) -> None:
        self._store = store
        self.cache = ContentCache(cache)

    def folder(self, digest: str) -> Path:
        def fill(folder: Path) -> None:
            if not self._store.get(_tree_name(digest), folder):
                raise PlatformError(
                    f"the store has no content {digest[:12]}",
                    hint="Is [tool.pullbench] store the same place on all machines? A folder has "
                    "to lie on a disk that they share.",
                )
            if tree_digest(folder) != digest:
                raise PlatformError(
                    f"the store has something else under the digest {digest[:12]}",
                    hint="Remove it there and run again; see who may write to the store.",
                )

        return self.cache.folder(digest, fill)


def _tree_name(digest: str) -> str:
    return f"trees/{digest[:2]}/{digest}.tar"


def _extract(archive: tarfile.TarFile, member: tarfile.TarInfo, target: Path) -> None:
    """Write a member: a plain file or a folder below ``target``, readable for all."""
    member.name.encode()  # digests are of UTF-8: UnicodeEncodeError
    name = PurePosixPath(member.name)
    # A sparse member of a few bytes fills a disk.
    is_plain = (member.isreg() and not member.issparse()) or member.isdir()
    if name.is_absolute() or ".." in name.parts or not is_plain:
        raise PlatformError(
            "an archive of the store holds more than files", hint="See who may write to the store."
        )
    path = target / name
    if member.isdir():
        path.mkdir(exist_ok=True)
        path.chmod(0o755)
        return
    content = archive.extractfile(member)
    with path.open("xb") as file:
        if content is not None:
            shutil.copyfileobj(content, file, _CHUNK)
    path.chmod(0o755 if member.mode & 0o100 else 0o644)
