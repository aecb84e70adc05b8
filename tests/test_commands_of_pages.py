"""Every command block of README, guides and what `init` writes runs as it is printed.

In a fresh clone, page by page, one block after the other in one shell, as a reader pastes them. A
block that cannot run here says why in a comment before it: ``<!-- not run: REASON -->``. The pages
of runners are tried beside what they describe.
"""

import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from evaluator.plugins.scaffold.benchmark import TEMPLATES

ROOT = Path(__file__).parents[1]
PAGES = {
    path.relative_to(ROOT).as_posix(): path
    for path in (ROOT / "README.md", *sorted((ROOT / "site/participants").rglob("*.md")),
                 *sorted((ROOT / "site/organisers").rglob("*.md")))
}  # fmt: skip
WRITTEN = ("README.md", "site/participants.md", "site/readers.md")
"""By `init --repository`, with blocks of commands."""
BLOCK = re.compile(
    r"(?:^ *<!-- not run: (?P<why>[^\n]*) -->\n)?^(?P<indent> *)```(?:sh|bash|console)\n"
    r"(?P<text>.*?)^ *```$",
    re.MULTILINE | re.DOTALL,
)
BEFORE = {
    # What the reader of a page has already.
    "site/participants/running.md": "pullbench enter tabular-classics --as you/first",
    "site/organisers/amlb.md": "mkdir session tables",
    "site/organisers/private-data.md": (
        "mkdir -p ../data/diabetes && echo 1 >../data/diabetes/truth.csv\n"
        "echo station,place,level >../tides.csv\n"
        "for i in $(seq 40); do echo $i,$((i * i)),$((i % 7)) >>../tides.csv; done"
    ),
    "site/organisers/published.md": (
        "printf 'Method,Test (%%),Row of the table\\nA,61.5,1\\nB,62.5,2\\n' >table2.csv"
    ),
    "site/organisers/openml.md": (
        "mkdir data more\n"
        "for name in data/one more/two more/some-set; do\n"
        "    echo a,class >$name.csv\n"
        "    for i in $(seq 600); do echo $((i * i % ${#name}89)),$((i % 2)); done >>$name.csv\n"
        "done"
    ),
}


@dataclass(frozen=True)
class Block:
    """The commands between two fences."""

    page: str
    text: str
    why_not: str

    @property
    def installs(self) -> bool:
        return "python3 -m venv" in self.text


def blocks(page: str, text: str) -> Iterator[Block]:
    for found in BLOCK.finditer(text):
        yield Block(page, textwrap.dedent(found["indent"] + found["text"]), found["why"] or "")


def of_page(page: str) -> list[Block]:
    return list(blocks(page, PAGES[page].read_text(encoding="utf-8")))


def run(folder: Path, script: str, path: Path = Path(sys.executable).parent) -> str:
    who = {
        f"GIT_{role}_{key}": "you" for role in ("AUTHOR", "COMMITTER") for key in ("NAME", "EMAIL")
    }
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script], cwd=folder,
        env={**os.environ, **who, "PATH": f"{path}:{os.environ['PATH']}"},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{script}\n{done.stdout}{done.stderr}"
    return done.stdout


def clone(source: Path, target: Path) -> Path:
    """Clone a fork of it, whose main is what is at work here: pages tell to push."""
    fork = target.with_name("remote.git")
    run(target.parent, f"git clone --quiet --bare --single-branch {source} {fork}\n"
                       f"git -C {fork} branch --force --no-track new-main HEAD\n"
                       f"git -C {fork} symbolic-ref HEAD refs/heads/new-main\n"
                       f"git -C {fork} branch --force --move new-main main\n"
                       f"git clone --quiet {fork} {target}")  # fmt: skip
    return target


def test_what_cannot_run_here_says_why() -> None:
    """The whole list; what is added to it is added by somebody who read this."""
    found = {
        (block.page.rpartition("/")[2], block.why_not)
        for page in PAGES
        for block in of_page(page)
        if block.why_not
    }
    for name in WRITTEN:
        text = (TEMPLATES / "repository" / f"{name}.in").read_text(encoding="utf-8")
        found |= {(f"init: {name}", block.why_not) for block in blocks(name, text) if block.why_not}
    assert found == {
        ("README.md", "it serves until it is stopped; a job of ci.yml runs each target"),
        ("agents.md", "it needs tasks of Harbor"),
        ("amlb.md", "it needs a checkout of AMLB"),
        ("amlb.md", "it needs definitions of AMLB's and openml.org"),
        ("course.md", "it needs GitHub, and a token"),
        ("github.md", "it needs GitHub"),
        ("github.md", "it needs GitHub, and a token"),
        ("github.md", "it needs GitHub, and an app there"),
        ("how-to.md", "it needs GitHub"),
        ("index.md", "it serves until it is stopped"),
        ("published.md", "it needs records of others"),
        ("published.md", "it needs results of AMLB's and a server of OpenML's"),
        ("init: README.md", "it needs GitHub"),
        ("openml.md", "it needs a server of OpenML's"),
        ("openml.md", "it needs packages, and a server of OpenML's"),
        ("running.md", "it needs a pull request"),
        ("scale.md", "it needs GitHub; how-to.md has an archive that is a file"),
        ("special.md", "it needs the organisers' secret key"),
        ("submission.md", "it needs a file that lies elsewhere"),
        ("submission.md", "it pushes"),
    }


def test_no_block_of_commands_is_overlooked() -> None:
    for page, path in PAGES.items():
        fences = re.findall(r"^ *```(?:sh|bash|console|shell)\n", path.read_text(), re.MULTILINE)
        assert len(fences) == len(of_page(page)), page


@pytest.mark.docker
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=() if page == "README.md" else pytest.mark.slow) for page in PAGES
        # test_how_tos.py looks at what each of its commands does
        if page != "site/organisers/how-to.md"
        and any(not block.why_not and not block.installs for block in of_page(page))
    ],
)  # fmt: skip
def test_every_block_of_a_page_runs(page: str, tmp_path: Path) -> None:
    here = clone(ROOT, tmp_path / "pullbench")
    able = [one.text for one in of_page(page) if not one.why_not and not one.installs]
    run(here, "\n".join([BEFORE.get(page, ""), *able]))


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository that `init` writes, as its commands leave it."""
    folder = tmp_path_factory.mktemp("begun")
    run(folder, "pullbench init --repository bench --forge https://forge.example/a/b\n"
                "cd bench && git init -q -b main && git add . && git commit -qm Begin")  # fmt: skip
    return folder / "bench"


@pytest.mark.docker
@pytest.mark.parametrize("page", WRITTEN)
def test_every_block_that_init_writes_runs(begun: Path, tmp_path: Path, page: str) -> None:
    here = clone(begun, tmp_path / "fork")
    able = [one for one in blocks(page, (here / page).read_text()) if not one.why_not]
    assert page == "site/readers.md" or next(one.installs for one in able)
    run(here, "\n".join(one.text for one in able if not one.installs))


@pytest.mark.slow
def test_a_generated_site_has_guides_for_participants_and_readers(begun: Path) -> None:
    run(begun, "pullbench site")
    guide = (begun / "build/site/participants/index.html").read_text()
    assert "pullbench run first/you" in re.sub(r"<[^>]*>", "", guide)
    home = (begun / "build/site/index.html").read_text()
    assert 'href="participants/"' in home
    assert 'href="readers/"' in home


def test_no_message_names_a_page_that_a_deployment_does_not_have() -> None:
    """`github setup` named one."""
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in (ROOT / "evaluator").rglob("*.py")
        for line in path.read_text().splitlines()
        if re.search(r"[\"' ]site/[a-z]+/[a-z-]+\.md", line) and re.search(r"^[^\"]*\"[^\"]", line)
    ]  # fmt: skip
    assert found == []


def test_the_wheel_beside_it_is_installed_with_what_clusters_need(begun: Path) -> None:
    """Not from an address, where the repository has pullbench itself."""
    page = (ROOT / "site/runners/self-hosted.md").read_text().partition("## Clusters")[2]
    install = next(blocks("self-hosted.md", page)).text
    alone = "export PIP_DRY_RUN=1 PIP_NO_DEPS=1 PIP_FORCE_REINSTALL=1\n"
    said = run(begun, alone + install)
    assert "Would install pullbench-" in said
    assert "does not provide" not in said


@pytest.mark.slow
@pytest.mark.docker
@pytest.mark.parametrize("where", ["site/participants/index.md", *WRITTEN[:2]])
def test_what_installs_and_enters_runs_on_a_bare_machine(
    begun: Path, tmp_path: Path, where: str
) -> None:
    """With the system's own Python, which on Debian installs nothing outside an environment."""
    source = ROOT if where in PAGES and where != "README.md" else begun
    here = clone(source, tmp_path / "fork")
    able = [one for one in blocks(where, (here / where).read_text()) if not one.why_not]
    able.sort(key=lambda one: not one.installs)
    run(here, "\n".join(one.text for one in able), Path("/usr/bin"))
