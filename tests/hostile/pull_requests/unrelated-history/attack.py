"""A commit without a parent."""


def attack(forge):
    source = forge.open(1, {"submissions/adding/mallory/one/submission.yaml": "kind: code\n"})
    root = forge.theirs.git("commit-tree", f"{source.head}^{{tree}}", "-m", "Begin")
    return forge.push(1, root)
