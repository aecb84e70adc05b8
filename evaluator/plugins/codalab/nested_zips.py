"""Zips in a bundle that become folders, so that git can show changes."""

import shutil

from evaluator.importing.folder import Folder


class NestedZips:
    """Unpacks the zips of one bundle."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.targets: dict[str, str] = {}
        """Zip -> the folder that it became."""

    def unpack(self, path: str, *, nested: bool) -> str:
        """Unpack a zip of the bundle to a directory beside it, once, and return its path.

        ``nested`` unpacks zips at its top too, each to a folder of its name, as CodaLab's worker
        did; they stay where they are.
        """
        base = path[:-4] if path.lower().endswith(".zip") else f"{path}-unpacked"
        temporary = f"{base}.unpacking"
        self.folder.add_zip(self.folder.read(path), temporary, path)
        self.folder.say_faults()
        self.folder.hoist(temporary, path)
        if nested:
            for inner in [
                file for file in self.folder.below(temporary) if file.lower().endswith(".zip")
            ]:
                if inner.count("/") == temporary.count("/") + 1:
                    self.folder.add_zip(self.folder.read(inner), inner[:-4], inner)
                    self.folder.say_faults()
                    self.folder.notes.note(
                        path, f"'{inner.rpartition('/')[2]}' in it is unpacked beside itself"
                    )
        target, number = base, 1
        while (self.folder.root / target).exists() and not self._same(temporary, target):
            number += 1
            target = f"{base}-{number}"
        if (self.folder.root / target).exists():
            shutil.rmtree(self.folder.root / temporary)
        else:
            (self.folder.root / temporary).rename(self.folder.root / target)
        (self.folder.root / path).unlink()
        self.folder.notes.note(path, f"is unpacked to '{target}/', so that git can show changes")
        self.targets[path] = target
        return target

    def _same(self, first: str, second: str) -> bool:
        if not self.folder.is_dir(second):
            return False
        left = {file.removeprefix(f"{first}/"): file for file in self.folder.below(first)}
        right = {file.removeprefix(f"{second}/"): file for file in self.folder.below(second)}
        return left.keys() == right.keys() and all(
            self.folder.read(left[name]) == self.folder.read(right[name]) for name in left
        )
