"""A reference that git itself must refuse."""

from evaluator.ci.opened.heads import PullRequestRef


def attack(forge):
    return PullRequestRef(
        base="main", head="--upload-pack=touch /tmp/pwned", remote="origin", number=None
    )
