"""A reference that git itself must refuse."""

from evaluator.ci.opened.heads import PullRequestRef


def attack(forge):
    return PullRequestRef(base="main", head="$(touch /tmp/pwned)", remote="origin", number=1)
