import pygit2
from pygit2.enums import ObjectType

from evaluator.ci.opened.heads import PullRequestRef
from tests.ci.steps.conftest import Forge, entry


def attack(forge: Forge) -> PullRequestRef:
    """Turn round the entries of the submission's folder, and write the folders above it anew."""
    source = forge.open(1, entry("mallory"))
    objects = pygit2.Repository(str(forge.theirs.path))
    tree = objects.get(source.head).peel(pygit2.Tree)
    parts = ("submissions", "adding", "mallory", "one")
    above = [tree]
    for name in parts:
        above.append(above[-1] / name)
    lowest = objects.get(above.pop().id)
    lines = [raw(item) for item in lowest]
    new = objects.write(ObjectType.TREE, b"".join(reversed(lines)))
    for folder, name in zip(reversed(above), reversed(parts), strict=True):
        builder = objects.TreeBuilder(folder)
        builder.insert(name, new, pygit2.enums.FileMode.TREE)
        new = builder.write()
    head = forge.theirs.git("commit-tree", str(new), "-p", f"{source.head}~1", "-m", "Turned round")
    return forge.push(1, head)


def raw(item: pygit2.Object) -> bytes:
    return b"%o %b\0%b" % (item.filemode, item.name.encode(), item.id.raw)
