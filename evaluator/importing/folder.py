"""The files of a bundle while it is being imported: in a folder of their own, not yet checked."""

import io
import shutil
from pathlib import Path

from evaluator.core.compute.mounts import METADATA
from evaluator.core.errors import counted
from evaluator.core.formats.archive import ArchiveError, entries, is_junk
from evaluator.core.formats.paths import LFS_POINTER, case_clashes, path_fault, shown
from evaluator.importing.links import Fault, Item, make_link, walk
from evaluator.importing.notes import Notes

MAX_UNPACKED = 8 * 2**30
"""Bytes of a bundle, unpacked."""
_POINTER = Fault(
    message="is a Git LFS pointer, not the file",
    hint="Run `git lfs pull` in the clone that it is from, and import again.",
    severity="warning",
)
_SKIPPED = frozenset({"__pycache__", ".git", ".ipynb_checkpoints"})


def is_skipped(path: str) -> bool:
    """Whether a file is left behind: caches, checkpoints, a repository's own files."""
    return is_junk(path) or bool(_SKIPPED & set(path.rstrip("/").split("/")))


class SourceFolder:
    """Plain files below one directory; every path is relative to it, with forward slashes."""

    def __init__(self, root: Path, notes: Notes) -> None:
        self.root = root
        self.notes = notes
        self.exact = False
        """Whether the source is an export of pullbench, which is imported unchanged."""
        self.asides: list[Path] = []
        """Folders with the files that were outside the one that is used."""
        self._budget = MAX_UNPACKED
        self._faults: dict[str, Fault] = {}

    @property
    def files(self) -> frozenset[str]:
        return frozenset(self.below(""))

    def below(self, path: str) -> list[str]:
        start = self.root / path
        return sorted(
            file.relative_to(self.root).as_posix() for file in start.rglob("*") if file.is_file()
        )

    def is_file(self, path: str) -> bool:
        return path_fault(path) is None and (self.root / path).is_file()

    def is_dir(self, path: str) -> bool:
        return path_fault(path) is None and (self.root / path).is_dir()

    def read(self, path: str) -> bytes:
        return (self.root / path).read_bytes()

    def write(self, path: str, content: bytes, *, executable: bool = False) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        target.chmod(0o755 if executable else 0o644)
        if content.startswith(LFS_POINTER):
            self._faults[path] = _POINTER

    def add_zip(self, content: bytes, into: str, name: str) -> None:
        """Unpack a zip into a directory; what is wrong with it is refused by its name."""
        prefix = f"{into}/" if into else ""
        left = 0
        links: list[tuple[str, bytes]] = []

        def skip(member: str) -> bool:
            nonlocal left
            skipped = not self.exact and is_skipped(member)
            left += skipped and not member.endswith("/")
            return skipped

        try:
            for member in entries(
                io.BytesIO(content), max_bytes=self._budget, tolerant=True, links=True, skip=skip
            ):
                path = f"{prefix}{member.name}"
                if member.name.endswith("/"):
                    (self.root / path).mkdir(parents=True, exist_ok=True)
                elif member.link:
                    links.append((path, member.content))
                else:
                    self._budget -= len(member.content)
                    self.write(path, member.content, executable=member.executable)
            for path, target in links:  # after all files, so that none is written through one
                make_link(self.root, path, target)
        except (ArchiveError, ValueError) as error:
            self.notes.refuse(name, str(error), "Make the zip anew from plain files.")
        except (NotADirectoryError, FileExistsError, IsADirectoryError) as error:
            place = Path(error.filename2 or error.filename or "?").name
            self.notes.refuse(name, f"holds '{shown(place)}' both as a file and as a folder")
        if into:
            (self.root / into).mkdir(parents=True, exist_ok=True)
        if links:
            self._follow(into, name)
        self._say_left(name, left)

    def _follow(self, into: str, name: str) -> None:
        base = self.root / into
        linked = [entry for entry in walk(base, is_skipped) if entry.linked]
        for link in [path for path in base.rglob("*") if path.is_symlink()]:
            link.unlink()
        for entry in linked:
            self._add(entry, f"{into}/" if into else "", name)

    def add_directory(self, source: Path, name: str, within: Path | None = None) -> None:
        """Copy a directory. Links in it are followed as long as they stay in it, or ``within``."""
        left = 0
        for entry in walk(source, is_skipped, within):
            if is_skipped(entry.path):
                left += entry.place.is_file()
            else:
                self._add(entry, "", name)
            if self._budget < 0:
                return
        for first, second in case_clashes(self.files):
            self.notes.refuse(shown(second), f"differs only by case from '{shown(first)}'")
        self._say_left(name, left)

    def _add(self, entry: Item, prefix: str, name: str) -> None:
        path = f"{prefix}{entry.path}"
        if self._budget < 0:
            return
        if entry.fault:
            self._faults[path] = entry.fault
        elif entry.place.is_dir():
            (self.root / path).mkdir(parents=True, exist_ok=True)
        else:
            status = entry.place.stat()
            self._budget -= status.st_size
            if self._budget < 0:
                self.notes.refuse(name, f"holds more than {MAX_UNPACKED:,} bytes")
                return
            executable = bool(status.st_mode & 0o100)
            self.write(path, entry.place.read_bytes(), executable=executable)

    def say_faults(self) -> None:
        """Say what was not imported, once it is known which folder is used."""
        for path, fault in self._faults.items():
            say = self.notes.warn if fault.severity == "warning" else self.notes.refuse
            say(shown(path), fault.message, fault.hint)
        self._faults.clear()

    def _say_left(self, name: str, left: int) -> None:
        if left:
            files = counted(left, "files")
            self.notes.note(name, f"{files} of macOS, Windows, Python or git left out")

    def hoist(self, path: str, name: str = "") -> bool:
        """Move the content of a lone inner folder that holds metadata one level up."""
        folder = self.root / path
        inner = list(folder.iterdir()) if folder.is_dir() else []
        if len(inner) != 1 or not any((inner[0] / file).is_file() for file in METADATA):
            return False
        lifted = folder.with_name(f"{folder.name}.lifted")
        inner[0].rename(lifted)
        shutil.rmtree(folder)
        lifted.rename(folder)
        self.notes.note(name or path, f"the content of its only folder, '{inner[0].name}', is used")
        return True

    def lift_to_root(self, path: str) -> list[str]:
        """Make a folder the bundle's root; returns the files that stay behind."""
        outside = sorted(self.files - set(self.below(path)))
        folder = self.root / path
        lifted = self.root.with_name(f"{self.root.name}-lifted")
        folder.rename(lifted)
        self.asides.append(self.root.with_name(f"{self.root.name}-aside{len(self.asides)}"))
        self.root.rename(self.asides[-1])
        lifted.rename(self.root)
        self._faults = {
            name.removeprefix(f"{path}/"): fault
            for name, fault in self._faults.items()
            if name.startswith(f"{path}/")
        }
        return outside
