"""Contents of objects, wherever git keeps them."""

import subprocess
from pathlib import Path

from evaluator.core.git.objects import contents

ABSENT = "0" * 40


def git(root: Path, *arguments: str, content: bytes = b"") -> str:
    done = subprocess.run(
        ["git", "-C", str(root), *arguments], input=content, capture_output=True, check=True
    )
    return done.stdout.decode().strip()


def store(root: Path, content: bytes) -> str:
    """Store a file that a commit holds, so that it can be packed."""
    blob = git(root, "hash-object", "-w", "--stdin", content=content)
    git(root, "update-index", "--add", "--cacheinfo", f"100644,{blob},{blob}")
    who = ("-c", "user.name=Test", "-c", "user.email=test@localhost")
    git(root, *who, "commit", "-q", "-m", "Add")
    return blob


def test_packs_come_and_go_while_they_are_read(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    folder = str(tmp_path / ".git")
    loose = store(tmp_path, b"one")
    assert [*contents(folder, [loose, ABSENT])] == [b"one", None]
    git(tmp_path, "repack", "-a", "-d", "-q")
    git(tmp_path, "prune-packed")
    assert [*contents(folder, [loose])] == [b"one"]
    later = store(tmp_path, b"two")
    assert [*contents(folder, [loose, later])] == [b"one", b"two"]
    git(tmp_path, "repack", "-a", "-d", "-q")
    assert [*contents(folder, [later, loose, ABSENT])] == [b"two", b"one", None]


def test_a_damaged_pack_holds_nothing(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    blob = store(tmp_path, bytes(range(256)) * 40)
    git(tmp_path, "repack", "-a", "-d", "-q")
    (pack,) = tmp_path.glob(".git/objects/pack/*.pack")
    content = pack.read_bytes()
    pack.chmod(0o600)
    pack.write_bytes(content[:12] + b"\xff" * (len(content) - 32) + content[-20:])
    assert [*contents(str(tmp_path / ".git"), [blob])] == [None]
