"""A repository: where it is, and the commands that its git runs.

Commands are run here, for GitPython takes longer to load than git to answer. It is loaded for the
few things that it knows without a command.
"""

import os
import subprocess
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import IO, TYPE_CHECKING

from evaluator.core.errors import PlatformError, UsageError, printable
from evaluator.core.plugins import Contract

if TYPE_CHECKING:
    import git

DAMAGED = (
    "If `git gc` ran beside this, run it again. Else `git fsck` names what is damaged or missing: "
    "fetch it again from a clone that has it."
)
ADVICE = Contract[Callable[[str], str]]("git_advice")
"""Each returns what to do about a failure, from the words of git; or nothing."""
_NOTHING: Mapping[str, str] = MappingProxyType({})


class GitFailedError(PlatformError):
    """A command of git that failed."""

    is_public = False

    def __init__(self, status: int, said: str, folder: str) -> None:
        lines = [line for line in said.strip().splitlines() if line.strip()]
        # The first of these says what is wrong; what follows is advice.
        marked = [line for line in lines if "fatal:" in line or "error:" in line]
        first = marked[0] if marked else lines[-1] if lines else "it says nothing"
        advice = (advise(said) for advise in ADVICE.values())
        hint = next(filter(None, advice), "")
        if "dubious ownership" in said:
            hint = (
                "The folder is another user's. If you trust its content: "
                f"`git config --global --add safe.directory {printable(folder)}`."
            )
        words = [line.strip() for line in lines if line.startswith("remote: ") and line != first]
        self.remote_words = "".join(f"; {printable(line)[:200]}" for line in words[-2:])
        """What the remote said, as git marks it."""
        text = f"git failed: {printable(first.strip())[:300]}{self.remote_words}"
        super().__init__(text, hint=hint)
        self.args = (status, said, folder)  # another process makes it of these
        self.status = status
        self.said = said


def _environment() -> dict[str, str]:
    """Let git speak English, and find the repository by the folder, within a hook, too."""
    hooks = ("GIT_DIR", "GIT_WORK_TREE")
    inherited = {name: value for name, value in os.environ.items() if name not in hooks}
    return {**inherited, "LANGUAGE": "C", "LC_ALL": "C"}


class Git:
    """The commands of git in a folder: ``git.merge_base(...)`` is ``git merge-base ...``."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def __getattr__(self, name: str) -> Callable[..., str]:
        if name.startswith("_"):
            raise AttributeError(name)
        return partial(self.text, name.replace("_", "-"))

    def text(self, *arguments: str, stdin: IO[bytes] | None = None,
             env: Mapping[str, str] = _NOTHING) -> str:  # fmt: skip
        output = self.run(*arguments, stdin=stdin, env=env)
        return output.decode("utf-8", "surrogateescape").removesuffix("\n")

    def run(self, *arguments: str, stdin: IO[bytes] | None = None,
            env: Mapping[str, str] = _NOTHING) -> bytes:  # fmt: skip
        process = self.start(*arguments, stdin=stdin, stderr=subprocess.PIPE, env=env)
        output, errors = process.communicate()
        if process.returncode:
            raise GitFailedError(
                process.returncode, errors.decode("utf-8", "replace"), self._folder
            )
        return output

    def start(
        self,
        *arguments: str,
        stdin: IO[bytes] | None = None,
        stdout: IO[bytes] | int = subprocess.PIPE,
        stderr: IO[bytes] | int = subprocess.PIPE,
        env: Mapping[str, str] = _NOTHING,
    ) -> "subprocess.Popen[bytes]":
        """Begin a command, which speaks English. Raises PlatformError if there is no git."""
        try:
            return subprocess.Popen(
                ["git", *arguments], cwd=self._folder, stdin=stdin or subprocess.DEVNULL,
                stdout=stdout, stderr=stderr,
                env={**_environment(), **env},
            )  # fmt: skip
        except FileNotFoundError as error:
            raise PlatformError(f"git cannot be run: {error}", hint="Is it installed?") from None

    def ask(self, *arguments: str) -> str | None:
        """Git's short answer; None if it says no (status 1). Raises GitFailedError."""
        try:
            return self.text(*arguments)
        except GitFailedError as error:
            if error.status == 1:
                return None
            raise


class Repo:
    """A repository whose failures say what to do."""

    def __init__(self, *, git_dir: str, common_dir: str, working_tree_dir: str | None) -> None:
        self.git_dir = git_dir
        self.common_dir = common_dir
        self.working_tree_dir = working_tree_dir
        self.bare = working_tree_dir is None
        self.working_dir = working_tree_dir or git_dir
        self.git = Git(self.working_dir)

    @property
    def branch(self) -> str | None:
        return self.git.ask("symbolic-ref", "--quiet", "--short", "HEAD")

    @cached_property
    def config(self) -> Mapping[str, str]:
        """Settings as they are when first asked for; of one with several values the last."""
        lines = self.git.text("config", "--list", "-z").split("\0")
        pairs = (line.partition("\n") for line in lines if line)
        return {name: value if is_set else "true" for name, is_set, value in pairs}

    @cached_property
    def gitpython(self) -> "git.Repo":
        import git

        return git.Repo(self.working_dir)


def open_repository(start: Path) -> Repo:
    """Open the repository that holds a folder. Raises UsageError, GitFailedError."""
    nowhere = UsageError(
        f"{start} is not in a git repository", hint="Run this inside a clone, or `git init`."
    )
    if not start.is_dir():
        raise nowhere
    # The last of these is none where there is no working tree, and git fails then.
    asked = ("--git-dir", "--git-common-dir", "--is-bare-repository", "--show-toplevel")
    process = Git(str(start)).start("rev-parse", "--path-format=absolute", *asked)
    output, errors = process.communicate()
    git_dir, common_dir, bare, *top = [*os.fsdecode(output).splitlines(), "", "", ""][:4]
    if process.returncode and bare != "true":
        said = errors.decode("utf-8", "replace")
        if "not a git repository" in said:
            raise nowhere
        raise GitFailedError(process.returncode, said, str(start))
    return Repo(git_dir=git_dir, common_dir=common_dir, working_tree_dir=top[0] or None)
