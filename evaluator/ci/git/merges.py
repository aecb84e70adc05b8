"""Pull requests that brought a submission, as far as git alone shows them."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from evaluator.core.formats.repository_status import PullRequest
from evaluator.core.git.commands import Repo
from evaluator.core.git.history import steps

MENTION = r"\(#[0-9]+\)|^Merge pull request #[0-9]+ "
"""Found in each message that may name one; for git, too."""
_NUMBER = "#([1-9][0-9]{0,8})"
_SUBJECTS = (
    # Merged by GitHub, by Gitea, and squashed by either, which add the number themselves: titles
    # are the participant's, so that only what stands behind them counts.
    re.compile(rf"Merge pull request {_NUMBER} from \S+"),
    re.compile(rf"Merge pull request '.*' \({_NUMBER}\) from \S+ into \S+", re.DOTALL),
    re.compile(rf".* \({_NUMBER}\)", re.DOTALL),
)


def number_of(subject: str) -> int | None:
    """Return the number that the first line of a commit's message names; None where it has none."""
    for pattern in _SUBJECTS:
        match = pattern.fullmatch(subject)
        if match:
            return int(match[1])
    return None


MAX_PULL_REQUESTS = 20
"""Of one submission, the latest."""


def pull_requests(repo: Repo, commit: str | None) -> Mapping[str, Sequence[PullRequest]]:
    """Return by submission id the pull requests that changed its own files, the oldest first.

    Scores are not its own. One exchange with git, which compares no files but those of commits
    that name a pull request.
    """
    merges: dict[str, list[PullRequest]] = defaultdict(list)
    # A shallow clone's oldest commit has no parent here, and all files as its own.
    options = ("--diff-filter=d", "--extended-regexp", f"--grep={MENTION}", "--min-parents=1")
    for step, subject in steps(repo, commit, *options) if commit else ():
        number = number_of(subject)
        if number is None:
            continue
        merged = PullRequest(number=number, commit=step.commit, at=step.at)
        for name in {name for path in step.paths if (name := _submission(path))}:
            if len(merges[name]) < MAX_PULL_REQUESTS:
                merges[name].append(merged)
    return {name: merged[::-1] for name, merged in merges.items()}


def _submission(path: str) -> str:
    """Return the submission whose own file it is; empty for any other file."""
    # Git puts a path with odd characters between quotes; those of these folders are plain.
    parts = path.lstrip('"').split("/", 5)
    if parts[0] != "submissions" or len(parts) < 5 or parts[4] == "scores":
        return ""
    return "/".join(parts[1:4])
