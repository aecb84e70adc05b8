"""Where the files of a board's submissions are, on the forge, at the commit of the board."""

from dataclasses import dataclass

from evaluator.core.formats.submission import Submission
from evaluator.site.content import BenchmarkContent, Deployment


@dataclass(frozen=True, kw_only=True)
class CodeLinks:
    """Addresses of submissions of one benchmark."""

    folder: str
    """Of the benchmark's submissions, with a slash at the end; empty where no forge is known."""
    archived: frozenset[str]
    """Ids of those whose files are not in the repository."""

    def has(self, submission: Submission) -> bool:
        """Whether there are files that somebody wrote, and not only scores that are reported."""
        return bool(self.folder and not submission.reported and submission.id not in self.archived)


NO_CODE = CodeLinks(folder="", archived=frozenset())


def code_links(content: BenchmarkContent, site: Deployment) -> CodeLinks:
    """Return the addresses at the commit that the site shows."""
    folder = f"submissions/{content.benchmark.name}"
    at = site.forms and site.commit and site.forms.source(site.commit, folder)
    return CodeLinks(folder=f"{at}/" if at else "", archived=frozenset(content.archived))


def code_text(submission: Submission) -> str:
    """Return what a link to the files says; ``assets/cells.js`` says the same."""
    return "code" if submission.kind_name == "code" else "files"
