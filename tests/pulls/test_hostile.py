"""Hostile pull requests, each with the refusal that it meets. Mallory is no organiser."""

import json
import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import markdown
import pytest

from evaluator import pipeline
from evaluator.board.comment import to_markdown
from evaluator.errors import PullbenchError
from evaluator.pulls import Judged
from tests.pulls.conftest import NOON, Files, Forge, entry
from tests.repository import command

MINE = "submissions/adding/mallory/one"
GOOD = entry("mallory")


def set_rules(forge: Forge, lines: str) -> None:
    """Let the base branch have other settings."""
    forge.ours.replace("pyproject.toml", "[tool.pullbench]\n", f"[tool.pullbench]\n{lines}\n")
    forge.ours.commit("Rules")
    forge.ours.git("push", "--quiet", "origin", "main")


def judged(forge: Forge, files: Files, actor: str = "mallory") -> Judged:
    return pipeline.judge(forge.ours.path, forge.open(1, files), actor, NOON)


def refusals(forge: Forge, files: Files, actor: str = "mallory") -> dict[str, str]:
    """File -> why it is refused; nothing else is wrong."""
    return {problem.file: problem.message for problem in judged(forge, files, actor).errors}


def test_a_good_one(forge: Forge) -> None:
    assert refusals(forge, GOOD) == {}


@pytest.mark.parametrize(
    "path",
    [
        "evaluator/__main__.py",
        ".github/workflows/evaluate.yml",
        ".github/CODEOWNERS",
        "CODEOWNERS",
        "pyproject.toml",
        "mkdocs.yml",
        ".gitattributes",
        "benchmarks/adding/scoring_program/scoring.py",
        "benchmarks/mine/competition.yaml",
        "submissions/README.md",
        "submissions/adding/mallory/loose.txt",
    ],
)
def test_what_is_not_a_participants(forge: Forge, path: str) -> None:
    found = refusals(forge, GOOD | {path: "organisers = ['mallory']\n"})
    assert found[path] == "is not a participant's to change"


def test_anothers_submission(forge: Forge) -> None:
    found = refusals(forge, GOOD | {"submissions/adding/alice/right/main.py": "print(0)\n"})
    assert found == {"submissions/adding/alice/right/main.py": "belongs to the participant 'alice'"}


def test_deleting_anothers_submission(forge: Forge) -> None:
    found = refusals(forge, {"submissions/adding/alice/right": None})
    assert set(found.values()) == {"belongs to the participant 'alice'"}


@pytest.mark.parametrize("actor", ["mallory", "olga"])
def test_a_record(forge: Forge, actor: str) -> None:
    """Not even an organiser writes one: scores come from runs."""
    path = f"submissions/adding/{actor}/one/scores/main/one.json"
    found = refusals(forge, entry(actor) | {path: '{"scores": {"error": 0}}'}, actor)
    assert found[path] == "is a record, which CI alone writes"


def test_a_member_of_a_team(forge: Forge) -> None:
    assert refusals(forge, entry("cats"), "dora") == {}
    assert set(refusals(forge, entry("cats")).values()) == {"belongs to the participant 'cats'"}


@pytest.mark.parametrize(
    ("name", "actor", "message"),
    [
        ("Alice", "Alice", "differs from the participant 'alice' by case alone"),
        ("a1ice", "a1ice", "looks like the participant 'alice'"),
        ("AIice", "AIice", "looks like the participant 'alice'"),
        ("al-ice", "al-ice", "looks like the participant 'alice'"),
        ("\u0430lice", "\u0430lice", "is not accepted"),  # Cyrillic a
        ("b0b", "b0b", "looks like the participant 'bob'"),
    ],
)
def test_names_that_pass_for_anothers(forge: Forge, name: str, actor: str, message: str) -> None:
    found = refusals(forge, entry(name), actor)
    assert any(message in text for text in found.values()), found


def test_a_name_that_an_organiser_admitted(forge: Forge) -> None:
    forge.ours.replace(
        "pyproject.toml", "[tool.pullbench]\n", '[tool.pullbench]\nparticipants = ["a1ice"]\n'
    )
    forge.ours.commit("Admit")
    forge.ours.git("push", "--quiet", "origin", "main")
    assert refusals(forge, entry("a1ice"), "a1ice") == {}


def add_raw(forge: Forge, mode: str, path: str, blob: str) -> None:
    forge.theirs.git("update-index", "--add", "--cacheinfo", f"{mode},{blob},{path}")


@pytest.mark.parametrize("target", ["../../../../pyproject.toml", "/etc/passwd", "main.py"])
def test_links(forge: Forge, target: str) -> None:
    source = forge.open(1, GOOD)
    link = forge.theirs.path / MINE / "data"
    link.symlink_to(target)
    source = forge.push(1, forge.theirs.commit("A link"))
    found = pipeline.judge(forge.ours.path, source, "mallory", NOON)
    assert {p.file: p.message for p in found.errors} == {f"{MINE}/data": "is a link or a submodule"}


def test_a_submodule(forge: Forge) -> None:
    forge.open(1, GOOD)
    add_raw(forge, "160000", f"{MINE}/vendored", "1" * 40)
    forge.theirs.git("commit", "--quiet", "-m", "A submodule")
    source = forge.push(1, forge.theirs.git("rev-parse", "HEAD"))
    found = pipeline.judge(forge.ours.path, source, "mallory", NOON)
    assert f"{MINE}/vendored" in {problem.file for problem in found.errors}


@pytest.mark.parametrize("name", [".gitattributes", ".gitmodules", "deep/.GitIgnore"])
def test_files_that_git_obeys(forge: Forge, name: str) -> None:
    found = refusals(forge, GOOD | {f"{MINE}/{name}": "* filter=evil\n"})
    assert found == {f"{MINE}/{name}": "would change how git treats the repository"}


def test_configuration_of_git(forge: Forge) -> None:
    """git holds no .git of its own making, but a tree written by hand may have one by any case."""
    source = forge.open(1, GOOD)
    blob = forge.theirs.git("hash-object", "-w", str(forge.theirs.path / MINE / "main.py"))

    def tree(*lines: str) -> str:
        return subprocess.run(
            ["git", "mktree"], cwd=forge.theirs.path, input="".join(f"{line}\n" for line in lines),
            capture_output=True, text=True, check=True,
        ).stdout.strip()  # fmt: skip

    hidden = tree(f"100644 blob {blob}\tconfig")
    found = tree(f"040000 tree {hidden}\t.GIT")
    for folder in ("two", "mallory", "adding", "submissions"):
        found = tree(f"040000 tree {found}\t{folder}")
    commit = forge.theirs.git("commit-tree", found, "-p", source.head, "-m", "Hooks")
    found_problems = pipeline.judge(forge.ours.path, forge.push(1, commit), "mallory", NOON)
    messages = {problem.file: problem.message for problem in found_problems.errors}
    path = "submissions/adding/mallory/two/.GIT/config"
    assert messages[path] == "reaches into a .git folder"


def test_a_pointer_to_large_storage(forge: Forge) -> None:
    pointer = (
        "version https://git-lfs.github.com/spec/v1\noid sha256:" + "4" * 64 + "\nsize 12345\n"
    )
    found = refusals(forge, GOOD | {f"{MINE}/weights.bin": pointer})
    assert found == {f"{MINE}/weights.bin": "is a Git LFS pointer, not the file"}


def test_too_much(forge: Forge) -> None:
    forge.ours.replace(
        "pyproject.toml",
        "[tool.pullbench]\n",
        '[tool.pullbench]\nmax_files = 3\nmax_bytes = "1K"\n',
    )
    forge.ours.commit("Limits")
    forge.ours.git("push", "--quiet", "origin", "main")
    found = judged(
        forge, GOOD | {f"{MINE}/big.bin": b"x" * 5000, f"{MINE}/a": "a", f"{MINE}/b": "b"}
    )
    texts = " ".join(problem.message for problem in found.errors)
    assert "has 5 files; the limit is 3" in texts
    assert "the limit is 0.0 MiB" in texts


def test_nothing_at_all(forge: Forge) -> None:
    forge.open(1, GOOD)
    forge.theirs.git("reset", "--quiet", "--hard", "origin/main")
    forge.theirs.git("commit", "--quiet", "--allow-empty", "-m", "Nothing")
    source = forge.push(1, forge.theirs.git("rev-parse", "HEAD"))
    found = pipeline.judge(forge.ours.path, source, "mallory", NOON)
    assert [problem.message for problem in found.errors] == ["nothing is changed"]


def test_rules_of_the_head_count_for_nothing(forge: Forge) -> None:
    found = refusals(
        forge,
        GOOD | {"pyproject.toml": '[tool.pullbench]\norganisers = ["mallory"]\nmax_files = 9\n'},
    )
    assert found == {"pyproject.toml": "is not a participant's to change"}


def test_a_conflict(forge: Forge) -> None:
    source = forge.open(1, {"submissions/adding/alice/right/main.py": "print('theirs')\n"})
    forge.ours.write("submissions/adding/alice/right/main.py", "print('ours')\n")
    forge.ours.commit("Meanwhile")
    forge.ours.git("push", "--quiet", "origin", "main")
    step = pipeline.receive(forge.ours.path, source, "alice", NOON)
    assert (step.ok, step.report.state) == (False, "refused")
    assert "conflicts with the base branch" in step.report.reason


HOSTILE = [
    "$(touch /tmp/pwned)`touch /tmp/pwned`; touch /tmp/pwned #",
    "::set-output name=approved::true",
    "::add-mask::x\n::error file=x::y",
    "##[error]owned",
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "[click](javascript:alert(1)) ![x](https://evil.example/x.png) @everyone fixes #1",
    "{{ 7 * 7 }} {% for x in y %} ${{ secrets.GITHUB_TOKEN }}",
    "<!-- pullbench --> | a | b |\n| --- |",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_text(forge: Forge, text: str, tmp_path: Path) -> None:
    """In a YAML field, where it is shown: in a log of a workflow, and in the comment."""
    fields = f"kind: {json.dumps(text)}\nname: {json.dumps(text)}\n"
    source = forge.open(1, GOOD | {f"{MINE}/submission.yaml": fields})
    output = tmp_path / "output"
    done = subprocess.run(
        [*command(forge.ours.path, "validate"), "--base", "main", "--head", source.head,
         "--actor", "mallory", "--pull-request", "1"],
        capture_output=True, text=True, check=False,
        env={**os.environ, "GITHUB_ACTIONS": "true", "GITHUB_OUTPUT": str(output),
             "GITHUB_STEP_SUMMARY": str(tmp_path / "summary")},
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    commands = [line for line in done.stdout.splitlines() if line.lstrip().startswith("::")]
    assert commands
    for line in commands:
        assert line.startswith(f"::error file={MINE}/submission.yaml,"), line
    assert "##[" not in done.stdout
    assert not output.exists()
    shown = to_markdown(pipeline.receive(forge.ours.path, source, "mallory", NOON).report)
    html = markdown.markdown(shown, extensions=["tables"])
    for element in ("<script", "<img", "<a ", "onerror", "@everyone"):
        assert element not in re.sub(r"<code>.*?</code>", "", html, flags=re.DOTALL)
    assert shown.count("<!-- pullbench -->") == 1
    assert not Path("/tmp/pwned").exists()


@pytest.mark.parametrize("name", ["$(touch pwned)", "a;b", "--output=x", "::error::x", "{{x}}"])
def test_hostile_file_names(forge: Forge, name: str) -> None:
    """Names that become addresses are judged; below them a name is data like any other."""
    found = refusals(forge, entry("mallory", name.replace("/", "")))
    assert any("is not accepted" in text for text in found.values())


def test_a_name_of_a_branch_is_never_read(forge: Forge) -> None:
    """Steps are told a commit and a number; a hostile reference is refused by git itself."""
    source = forge.open(1, GOOD)
    for head in ("--upload-pack=touch /tmp/pwned", "$(touch /tmp/pwned)", "a..b"):
        with pytest.raises(PullbenchError):
            pipeline.judge(forge.ours.path, replace(source, head=head), "mallory", NOON)
        with pytest.raises(PullbenchError):
            pipeline.judge(
                forge.ours.path, replace(source, head=head, pull_request=None), "mallory", NOON
            )
    assert not Path("/tmp/pwned").exists()
