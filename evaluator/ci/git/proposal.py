"""A pull request laid over the base branch, as a commit that nothing checks out."""

import datetime as dt

import git

from evaluator.ci.git.remote import last_line
from evaluator.core.errors import PlatformError, RefusedError


def merge_commit(repo: git.Repo, base: str, head: str, at: dt.datetime) -> str:
    """Write the merge of two commits into the object database and return its id.

    No working tree, no hook, no filter; the commit bears the time given, since quotas and
    windows are judged by it. Raises RefusedError where the two conflict.
    """
    try:
        tree = str(
            repo.git.execute(
                [
                    repo.git.GIT_PYTHON_GIT_EXECUTABLE, "-c", "merge.renames=false",
                    "merge-tree", "--write-tree", "--no-messages", base, head,
                ]
            )
        ).split("\n")[0]  # fmt: skip
    except git.GitCommandError as error:
        if error.status == 1:
            raise RefusedError(
                "the pull request conflicts with the base branch",
                hint="Rebase onto it, and push again.",
            ) from None
        raise PlatformError(f"git could not merge: {last_line(error)}") from None
    moment = f"{int(at.timestamp())} +0000"
    identity = {
        f"GIT_{role}_{part}": value
        for role in ("AUTHOR", "COMMITTER")
        for part, value in (
            ("NAME", "pullbench"),
            ("EMAIL", "pullbench@localhost"),
            ("DATE", moment),
        )
    }
    return str(
        repo.git.execute(
            [
                repo.git.GIT_PYTHON_GIT_EXECUTABLE, "commit-tree", tree, "-p", base, "-p", head,
                "-m", f"Proposal of {head}",
            ],
            env=identity,
        )
    )  # fmt: skip
