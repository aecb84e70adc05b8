"""``pullbench init --repository``: what it writes, what it renews, and what its jobs install."""

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from evaluator import __version__
from evaluator.core.planning.snapshot import load_snapshot
from evaluator.plugins.forms.issue_form import form_path, with_form
from evaluator.plugins.scaffold.benchmark import TEMPLATES
from tests.repository import Repository, command
from tests.workflows import events
from tests.workflows.act import Act
from tests.workflows.forge import REPOSITORY, LoopbackForge

ROOT = Path(__file__).parents[2]
TEMPLATE = TEMPLATES / "repository"
OPTIONS = ("--forge", "https://forge.example/acme/bench", "--organiser", "olga")
FLOW = ".github/workflows/evaluate.yml"
WORDS = ("PACKAGE", "TITLE", "OWNERS", "FORGE")


def init(folder: Path, *options: str, code: int = 0) -> str:
    done = subprocess.run(
        command(folder.parent, "init", "--repository", folder.name, *options),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def scaffold(tmp_path: Path) -> Repository:
    """A repository as its organiser begins it."""
    init(tmp_path / "bench", *OPTIONS)
    ignored = (tmp_path / "bench" / ".gitignore").read_text()
    repository = Repository(tmp_path / "bench")
    repository.write(".gitignore", ignored)
    repository.commit("Begin")
    return repository


def test_ours_are_the_same_files() -> None:
    files = sorted(path for path in (TEMPLATE / ".github").rglob("*") if path.is_file())
    # Another test may have run one of them.
    same = [path for path in files if path.suffix not in (".in", ".pyc")]
    assert len(same) == 18
    for path in same:
        ours = ROOT / path.relative_to(TEMPLATE)
        assert ours.read_bytes() == path.read_bytes(), ours
    only_ours = {"ci.yml", "release.yml", "release.txt", "CODEOWNERS", "requirements.txt"}
    only_ours |= {form_path(one.name).rpartition("/")[2] for one in with_form(load_snapshot(ROOT))}
    named = {path.name for path in same} | only_ours
    assert {path.name for path in (ROOT / ".github").rglob("*") if path.is_file()} == named


def test_our_own_workflows_run_what_is_here() -> None:
    assert (ROOT / ".github" / "requirements.txt").read_text().splitlines()[2:] == ["."]


def test_what_it_writes(scaffold: Repository) -> None:
    assert not scaffold.problems()
    paths = scaffold.git("ls-files").splitlines()
    assert not [path for path in paths if path.endswith(".in")]
    assert not [path for path in paths if path.startswith(("evaluator", "tests", "site/assets"))]
    (wheel,) = [path for path in paths if path.endswith(".whl")]
    for path in paths:
        text = (scaffold.path / path).read_bytes()
        assert not any(f"@{word}@".encode() in text for word in WORDS) or path == wheel, path
    digest = hashlib.sha256((scaffold.path / wheel).read_bytes()).hexdigest()
    pinned = (scaffold.path / ".github/requirements.txt").read_text().splitlines()
    assert wheel == f".github/packages/pullbench-{__version__}-py3-none-any.whl"
    assert pinned[-1] == f"./{wheel} --hash=sha256:{digest}"
    assert "\n* @olga\n" in (scaffold.path / ".github/CODEOWNERS").read_text()
    settings = scaffold.snapshot().settings
    assert settings.forge == OPTIONS[1]
    assert (scaffold.path / ".github/runner/setup.sh").stat().st_mode & 0o100
    assert "submissions/first/you" in (scaffold.path / "README.md").read_text()


def test_template_name_and_title_can_be_chosen(tmp_path: Path) -> None:
    init(tmp_path / "bench", "labels", "--template", "results", "--title", "Eight labels")
    text = (tmp_path / "bench/benchmarks/labels/competition.yaml").read_text()
    assert "title: Eight labels" in text
    assert "* @" not in (tmp_path / "bench/.github/CODEOWNERS").read_text().replace("# * @you", "")


@pytest.mark.parametrize(
    "options",
    [
        ("--forge", "forge"),
        ("--organiser", 'a"]'),
        ("--from", "first"),
        ("--package", "pullbench"),
        ("--package", "pullbench==1.0"),
        ("--package", "git+https://forge.example/acme/pullbench@main"),
        ("-x",),
        ("../up",),
    ],
)
def test_wrong_use_writes_nothing(tmp_path: Path, options: tuple[str, ...]) -> None:
    init(tmp_path / "bench", *options, code=2)
    assert not (tmp_path / "bench").exists()


def test_options_of_a_repository_need_one(repo: Repository) -> None:
    for options in (("x", "--template", "code", "--forge", "https://a.example/b/c"), ()):
        assert repo.pullbench("init", *options).returncode == 2


def age(repository: Repository, path: str, text: str) -> None:
    """Make a file what an older pullbench wrote."""
    repository.write(path, text)
    listed = json.loads((repository.path / ".github/pullbench.json").read_text())
    listed["files"][path] = hashlib.sha256(text.encode()).hexdigest()
    repository.write(".github/pullbench.json", json.dumps(listed))


def test_an_upgrade_renews_what_nobody_changed(scaffold: Repository) -> None:
    said = init(scaffold.path)
    assert "0 files written, 0 renewed" in said
    assert scaffold.status == ""
    age(scaffold, FLOW, "name: evaluate, of long ago\n")
    old = ".github/packages/pullbench-0.0.9-py3-none-any.whl"
    age(scaffold, old, "a wheel of long ago")
    age(scaffold, ".github/requirements.txt", f"./{old} --hash=sha256:{'0' * 64}\n")
    scaffold.replace("README.md", "# Bench", "# Our own title")
    (scaffold.path / "site/index.md").unlink()
    said = init(scaffold.path)
    assert f"renewed: {FLOW}" in said
    assert "renewed: .github/requirements.txt" in said
    assert (scaffold.path / FLOW).read_bytes() == (ROOT / FLOW).read_bytes()
    assert not (scaffold.path / old).exists()
    # What is a person's stays as the person has it.
    assert (scaffold.path / "README.md").read_text().startswith("# Our own title")
    assert not (scaffold.path / "site/index.md").exists()
    assert scaffold.status.split() == ["M", "README.md", "D", "site/index.md"]


def test_an_upgrade_says_what_it_leaves(scaffold: Repository) -> None:
    scaffold.replace(FLOW, "timeout-minutes: 360", "timeout-minutes: 600")
    mine = (scaffold.path / FLOW).read_bytes()
    for _ in range(2):
        said = init(scaffold.path, code=1)
        assert f"NOT renewed, since somebody changed it: {FLOW}" in said
        assert (scaffold.path / FLOW).read_bytes() == mine
    (scaffold.path / FLOW).unlink()
    assert f"new: {FLOW}" in init(scaffold.path)
    assert scaffold.status == ""


def test_a_broken_list_renews_nothing(scaffold: Repository) -> None:
    scaffold.write(".github/pullbench.json", "[]")
    assert "is not what pullbench wrote" in init(scaffold.path, code=2)


def test_a_folder_with_other_files_keeps_them(tmp_path: Path) -> None:
    folder = tmp_path / "bench"
    folder.mkdir()
    (folder / "README.md").write_text("mine\n")
    init(folder, *OPTIONS)
    assert (folder / "README.md").read_text() == "mine\n"
    assert (folder / FLOW).exists()


@pytest.mark.parametrize("name", ["score.yml", "stuck.yml", "config.yml"])
def test_issue_forms(name: str) -> None:
    kind = "config" if name == "config.yml" else "forms"
    done = subprocess.run(
        [Path(sys.executable).parent / "check-jsonschema",
         "--builtin-schema", f"vendor.github-issue-{kind}", ROOT / ".github/ISSUE_TEMPLATE" / name],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("source", ["wheel", "commit"])
def test_workflows_install_from_nothing(
    tmp_path: Path, empty: Path, forge: LoopbackForge, source: str
) -> None:
    """As on a hosted runner: what is locked by digest, and pullbench from where it really is."""
    commit = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()
    options = ("--package", f"git+file://localhost{ROOT}@{commit}") if source == "commit" else ()
    init(tmp_path / "bench", *OPTIONS, *options)
    repository = Repository(tmp_path / "bench")
    repository.commit("Begin")
    origin = tmp_path / "origin.git"
    repository.git("clone", "--quiet", "--bare", str(repository.path), str(origin))
    repository.git("remote", "add", "origin", f"file://{origin}")
    shutil.copytree(
        repository.path / "submissions/first/example", repository.path / "submissions/first/ann"
    )
    head = repository.commit("Enter")
    repository.git("push", "--quiet", "origin", "HEAD:refs/pull/1/head")
    act = Act(tmp_path, origin, forge=forge.api, repository=REPOSITORY, python=empty)
    payload = events.pull_request("opened", 1, head=head, login="ann", title="Enter", branch="main")
    ran = act.run("pull_request", payload, "validate")
    assert ran.results == {"validate": "success", "controls": "success"}, ran.log
    assert "2 paths changed: 0 errors" in ran.log
    listed = subprocess.run(
        [empty / "python", "-m", "pip", "freeze"], capture_output=True, text=True, check=True
    ).stdout
    (line,) = [line for line in listed.splitlines() if line.startswith("pullbench")]
    assert (commit in line) if source == "commit" else (".whl" in line), line
    subprocess.run(
        [empty / "python", "-m", "pip", "uninstall", "--yes", "--quiet", "pullbench"], check=True
    )
