"""A reference that git itself must refuse."""

from evaluator.ci.opened.heads import Source


def attack(forge):
    return Source(base="main", head="$(touch /tmp/pwned)", remote="origin", pull_request=1)
