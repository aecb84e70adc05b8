"""Single files of the repository beside benchmarks and submissions, now or at any commit."""

from pathlib import Path

from evaluator.core.git.commands import commit_id, list_entries, open_repository, read_blobs


def read_file(start: Path, path: str, revision: str | None = None) -> bytes | None:
    """Return a file's content in the working tree, or in a commit; None where it is not there.

    Raises UsageError for a revision that does not exist. Links are not followed.
    """
    repo = open_repository(start)
    if revision is None:
        file = Path(repo.working_tree_dir or start) / path
        return file.read_bytes() if file.is_file() and not file.is_symlink() else None
    commit = commit_id(repo, revision)
    entry = list_entries(repo, commit, path).get(path) if commit else None
    if entry is None or not entry.is_regular:
        return None
    return next(iter(read_blobs(repo, [entry.blob])))
