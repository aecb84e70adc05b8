"""What is asked of git about commits and branches of a clone."""

import git

from evaluator.core.git.commands import Repo


def ask(repo: Repo, *arguments: str) -> str | None:
    """Return git's short answer; None if it says no (its exit status 1)."""
    try:
        return str(repo.git.execute([repo.git.GIT_PYTHON_GIT_EXECUTABLE, *arguments]))
    except git.GitCommandError as error:
        if error.status == 1:
            return None
        raise


def tree_id(repo: Repo, commit: str) -> str:
    """Return git's own id of everything that a commit holds."""
    # To look at the tree itself would fetch all of it to a partial clone.
    return str(repo.git.log("-1", "--no-show-signature", "--format=%T", commit, "--"))


def base_of(repo: Repo, branch: str) -> tuple[str, str | None]:
    """Return name and commit of the branch that this clone's work goes to, as far as it is here.

    Of a fork that is the branch of the remote `upstream`. None on that branch itself, where no
    remote has it.
    """
    for name in (f"upstream/{branch}", f"origin/{branch}"):
        commit = last_of(repo, f"refs/remotes/{name}")
        if commit is not None:
            return name, commit
    current = None if repo.head.is_detached else str(repo.head.ref.name)
    commit = None if current == branch else last_of(repo, f"refs/heads/{branch}")
    return (branch, commit) if commit is not None else ("", None)


def last_of(repo: Repo, *references: str) -> str | None:
    """Return the commit of some references that holds those of the others, as far as they are here.

    Of several that went apart it is the first.
    """
    out: str = repo.git.for_each_ref("--format=%(objectname)", *references)
    tips = out.split()
    return str(repo.git.merge_base("--independent", *tips).split()[0]) if tips else None
