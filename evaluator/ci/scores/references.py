"""Records under references of a repository: what `hand-in` pushed."""

from collections.abc import Mapping

from evaluator.core.errors import PlatformError
from evaluator.core.git.commands import Repo, list_entries, read_blobs, sizes
from evaluator.core.git.listing import Entry
from evaluator.core.scores.encryption import SUFFIX, open_envelope
from evaluator.core.scores.uploads import MAX_OVERHEAD, Upload, max_bytes


def read_references(repo: Repo, references: Mapping[str, str]) -> tuple[Upload, list[str]]:
    """Read what references hold, each by itself; return those that are put aside.

    Whoever may push to one may let it name anything: a file, a tag of one, a tree.
    """
    upload = Upload()
    aside: list[str] = []
    for reference, name in references.items():
        one = Upload()
        try:
            entries = list_entries(repo, name, "submissions")
            one.add(_blobs(repo, entries, one))
        except PlatformError as error:  # git's word of an object
            one.put_aside(reference, error)
        if not one.records and not one.malformed:
            one.put_aside(reference, ValueError("holds no records"))
        if one.malformed:
            aside.append(reference)
        for cell, records in one.records.items():
            versions = upload.records.setdefault(cell, [])
            versions += [record for record in records if record not in versions]
        for path, pages in one.pages.items():
            upload.pages.setdefault(path, []).extend(pages)
        upload.malformed += one.malformed
    return upload, aside


def _blobs(repo: Repo, entries: Mapping[str, Entry], upload: Upload) -> dict[str, bytes]:
    """Return the files of scores among some entries, those that can be read."""
    wanted = {path: entry.blob for path, entry in entries.items() if entry.is_regular}
    measured = sizes(repo, list(wanted.values()))
    files: dict[str, bytes] = {}
    for path, blob in sorted(wanted.items()):
        name = path.removesuffix(SUFFIX)

        def content(path: str = path, name: str = name, blob: str = blob) -> bytes:
            limit = max_bytes(name) + (0 if path == name else MAX_OVERHEAD)
            if measured.get(blob, 0) > limit:
                raise ValueError(f"is larger than {limit:,} bytes")
            (read,) = read_blobs(repo, [blob])
            return read if path == name else open_envelope(read)

        read = upload.read(path, (content,))
        if read is not None:
            files[name] = read
    return files
