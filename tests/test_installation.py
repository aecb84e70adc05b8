"""pullbench from an installation alone: built, installed into an empty environment, and used.

No checkout is on the path, so whatever templates or pages need has to be in the package.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

from evaluator import __version__
from evaluator.core.clock import utc_now
from evaluator.plugins.scaffold.benchmark import kinds
from evaluator.site.content.content import Deployment
from evaluator.site.content.reading import installation
from evaluator.site.pages.sharing import reproduction
from tests.locked import LOCK_OF_TESTS, asked, versions
from tests.plain import plain_environment
from tests.plugins.openml.amlb.files import csv
from tests.repository import Repository

ROOT = Path(__file__).parents[1]
SETUP = ROOT / ".github/actions/setup/install.sh"
LOCKED = ("--require-hashes", "--only-binary=:all:", "-r", ROOT / ".github/locks/site.txt")
DEFINITION = """---
- name: kinds
  dataset: {train: '{user}/Train.csv', test: '{user}/Test.csv', target: species}
  folds: 1
"""


def call(*command: str | Path, folder: Path, path: str = os.defpath, code: int = 0) -> str:
    """Run a command with nothing of this environment but what every machine has."""
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=400, check=False,
        env={
            "HOME": str(folder), "PATH": path, "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            **{name: text for name, text in os.environ.items()
               if name.startswith(("GIT_", "PIP_", "DOCKER_", "TMPDIR"))},
        },
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `python -m build` writes: an archive of sources, and a wheel made of that archive."""
    folder = tmp_path_factory.mktemp("dist")
    call(sys.executable, "-m", "build", "--outdir", folder, ROOT, folder=folder)
    return folder


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Programs of an environment with the wheel, what it needs, and nothing else."""
    folder = tmp_path_factory.mktemp("installed")
    call(sys.executable, "-m", "venv", folder / "venv", folder=folder)
    programs = folder / "venv/bin"
    call(SETUP, programs / "python", "--quiet", *LOCKED, folder=folder)
    (wheel,) = built.glob("*.whl")
    call(programs / "pip", "install", "--quiet", "--no-deps", wheel, folder=folder)
    return programs


@pytest.fixture(scope="module")
def plain(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Programs of an environment with the wheel, and the extras of the rooms beside the core."""
    (wheel,) = built.glob("*.whl")
    return plain_environment(tmp_path_factory.mktemp("plain") / "venv", wheel, "ci", "site")


@pytest.mark.docker
def test_the_core_takes_part_without_any_extra(built: Path, tmp_path: Path) -> None:
    """What needs an extra names it."""
    (wheel,) = built.glob("*.whl")
    core, bench = plain_environment(tmp_path / "venv", wheel), tmp_path / "bench"

    def pullbench(*arguments: str, code: int = 0) -> str:
        folder = bench if bench.exists() else tmp_path
        return call(core / "pullbench", *arguments, folder=folder, code=code)

    assert "Called by workflows" in pullbench("--help")
    pullbench("init", "first", "--repository", "bench", "--organiser", "olga")
    repository = Repository(bench)
    repository.commit("Begin")
    assert "0 errors" in pullbench("validate")
    assert "no record yet" in pullbench("plan")
    assert ", 0 failed" in pullbench("run", "--output", "build/try")
    assert "example" in pullbench("leaderboard", "first", "--from", "build/try")
    for verb, package, extra in (
        (("site",), "mkdocs", "site"), (("commit",), "pyrage", "ci"),
        (("keygen", "--signing"), "securesystemslib", "attest"),
        (("import", "openml", "s/99"), "openml", "openml"),
    ):  # fmt: skip
        said = pullbench(*verb, code=2)
        assert f"the package {package} of the extra '{extra}' is not installed" in said
        assert f"pip install '{package}" in said


MODULES = {
    "attest": "plugins.attest.keys",
    "ci": "ci.policy.queue ci.scores.collecting plugins.feedback.archive importing.private_parts",
    "codalab": "plugins.codalab.importer plugins.codalab.codabench_bundle",
    "dask": "plugins.dask.executor plugins.dask.shared_store",
    "keyless": "plugins.attest.keyless",
    "openml": "plugins.openml.tasks.child plugins.openml.suites.importing",
    "site": "site.build.build site.build.mkdocs_plugin site.boards.exports.picture "
    "site.boards.exports.parquet",
    "statistics": "plugins.races.pass_rates plugins.samples.page",
    "tables": "core.formats.table_folds",
    "tabular": "plugins.openml.tabular.writing plugins.openml.amlb.importing",
}
"""Extra -> modules of the package that need it."""


def test_every_extra_is_tried() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["optional-dependencies"].keys() - MODULES.keys() == {"all", "dev", "s3"}


@pytest.mark.slow
@pytest.mark.parametrize("extra", MODULES)
def test_an_extra_has_what_its_modules_import(built: Path, tmp_path: Path, extra: str) -> None:
    """Also what they import within functions."""
    (wheel,) = built.glob("*.whl")
    programs = plain_environment(tmp_path / "venv", wheel, extra)
    modules = [f"evaluator.{name}" for name in MODULES[extra].split()]
    files = [(ROOT / name.replace(".", "/")).with_suffix(".py") for name in modules]
    nodes = [node for file in files for node in ast.walk(ast.parse(file.read_text()))]
    inner = {one.name for node in nodes if isinstance(node, ast.Import) for one in node.names}
    inner |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    code = "\n".join(f"import {name}" for name in [*modules, *sorted(inner)])
    call(programs / "python", "-c", code, folder=tmp_path)


@pytest.mark.docker
@pytest.mark.parametrize(
    "template",
    [pytest.param(one, marks=() if one == "code" else pytest.mark.slow) for one in kinds()],
)
def test_a_plain_installation_does_all_with_what_init_writes(
    plain: Path, tmp_path: Path, template: str
) -> None:
    """Packages of extras are asked for where their keys are used, and nowhere else."""
    bench = tmp_path / "bench"

    def pullbench(*arguments: str, folder: Path = bench, code: int = 0) -> str:
        path = f"{plain}{os.pathsep}{os.defpath}"
        return call(plain / "pullbench", *arguments, folder=folder, path=path, code=code)

    organiser = ("--template", template, "--organiser", "olga")
    pullbench("init", "first", "--repository", "bench", *organiser, folder=tmp_path)
    ignored = (bench / ".gitignore").read_text()
    repository = Repository(bench)
    repository.write(".gitignore", ignored)
    repository.commit("Begin")
    pullbench("enter", "first", "--as", "ann/one")
    entries = bench / "submissions/first"
    shutil.copytree(entries / "example/first", entries / "ann/one", dirs_exist_ok=True)
    repository.commit("Enter")
    assert "0 errors" in pullbench("validate")
    assert "no record yet" in pullbench("plan")
    assert ", 0 failed" in pullbench("run")
    assert "retries: 0" in pullbench("commit")
    assert "ann" in pullbench("leaderboard", "first")
    pullbench("site")
    assert "ann" in (bench / "build/site/benchmarks/first/index.html").read_text()
    assert "bad: 0" in pullbench("verify", "first")
    if template == "code":
        assert "pip install 'securesystemslib" in pullbench("keygen", "--signing", code=2)


def test_the_sources_hold_the_package_and_no_benchmark(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        names = {name.split("/")[1] for name in packed.getnames()}
    assert names == {
        "evaluator", "PKG-INFO", "pyproject.toml", "README.md", "LICENSE", ".gitignore",
    }  # fmt: skip


@pytest.mark.docker
@pytest.mark.slow
def test_the_commands_of_a_submissions_page_lead_to_a_verdict(tmp_path: Path) -> None:
    """Copied as they stand, in an empty folder: clone, installation, evaluation, comparison."""
    forge = "https://forge.example/pullbench/pullbench"
    commit = call("git", "rev-parse", "HEAD", folder=ROOT).strip()
    files = {path.relative_to(ROOT).as_posix() for path in (ROOT / ".github").rglob("*")}
    site = Deployment(
        forge=forge, commit=commit, modified=False, now=utc_now(), installation=installation(files)
    )
    commands = reproduction(site, "tabular-classics/frank/gradient-boosting/final/iris")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python3").symlink_to(sys.executable)
    (tmp_path / ".gitconfig").write_text(f'[url "{ROOT}"]\n\tinsteadOf = {forge}\n')
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.defpath}"
    settings = f"export GIT_CONFIG_GLOBAL={tmp_path / '.gitconfig'}\n"
    said = call("bash", "-ec", settings + commands, folder=tmp_path, path=path)
    assert "compared with the committed records: 1 identical" in said


@pytest.mark.docker
@pytest.mark.slow
def test_a_wheel_inits_imports_and_makes_a_site_from_an_installation_alone(
    installed: Path, tmp_path: Path
) -> None:
    bench = tmp_path / "bench"

    def pullbench(*arguments: str, folder: Path = bench, code: int = 0) -> str:
        path = f"{installed}{os.pathsep}{os.defpath}"
        return call(installed / "pullbench", *arguments, folder=folder, path=path, code=code)

    where = call(
        installed / "python", "-c", "import evaluator; print(evaluator.__file__)", folder=tmp_path
    )
    assert where.startswith(str(installed.parent))
    assert pullbench("--version", folder=tmp_path).split()[-1] == __version__
    pullbench("init", "--repository", "bench", "--organiser", "olga", folder=tmp_path)
    repository = Repository(bench)
    for kind in kinds():
        pullbench("init", f"a-{kind}", "--template", kind)
    pullbench(
        "export", "first", "--image", "python:3.11-slim", "--output", str(tmp_path / "first.zip")
    )
    pullbench("import", str(tmp_path / "first.zip"), "--name", "again")
    (tmp_path / "validation.yaml").write_text(DEFINITION)
    (tmp_path / "Train.csv").write_text(csv(0, 40))
    (tmp_path / "Test.csv").write_text(csv(40, 60))
    # What these need besides is named as the index knows it.
    assert "pip install 'openml==" in pullbench("import", "openml", "s/99", code=2)
    definition = ("import", "amlb", str(tmp_path / "validation.yaml"), "--userdir", str(tmp_path))
    assert "pip install 'pandas>=" in pullbench(*definition, code=2)
    repository.commit("Begin")
    assert "0 errors, 0 warnings" in pullbench("validate")
    assert "1 finished, 0 failed" in pullbench("run", "first")
    pullbench("site")
    site = bench / "build/site"
    board = (site / "benchmarks/first/index.html").read_text()
    assert "5.3895" in board
    for file in re.findall(r'(?:href|src)="(?:\.\./)+(assets/[^"?#]+)', board):
        assert (site / file).is_file(), file
    assert (site / "benchmarks/again/index.html").exists()


INSTALL = re.compile(
    r"\b(?:pip3?|pipx|uvx|uv) (?:[a-z]+ )*(?:[^\n`&;|#]*[ '\"])?"
    r"pullbench(?:\[[a-z,]+\])?(?![\w./\[-])(?! @ )"
)
"""An index is asked for the name; `pullbench @ ADDRESS` asks none."""


def texts() -> dict[str, str]:
    """Whatever in this repository says how to do something, and what generated ones are told."""
    listed = subprocess.run(
        ["git", "ls-files", "--", "*.md", "*.md.in", "*.txt", "*.txt.in", "*.yml", "*.py", "*.in",
         "Makefile", ":!tests", ":!submissions"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    return {path: (ROOT / path).read_text(encoding="utf-8") for path in listed}


def test_nowhere_is_the_name_installed_from_an_index_that_does_not_have_it() -> None:
    """Whoever registered it would run code with others' rights."""
    found = texts()
    assert {"README.md", "site/organisers/github.md", ".github/requirements.txt"} <= found.keys()
    said = [f"{path}: {hit[0]}" for path, text in found.items() for hit in INSTALL.finditer(text)]
    said += [
        f"{path}: {line}"
        for path, text in found.items()
        if Path(path).name.startswith("requirements.txt")
        for line in text.splitlines()
        if re.match(r"pullbench\b(?! @ )", line)
    ]
    assert said == []


@pytest.mark.parametrize(
    ("line", "asks"),
    [
        ("pip install pullbench", True),
        ("pip install 'pullbench[tabular]'", True),
        ("pip install --upgrade pullbench==1.0", True),
        ("uv tool install pullbench", True),
        ("pipx run pullbench", True),
        ("pip install 'pullbench @ git+https://forge.example/a/b@0123'", False),
        ("pip install 'pullbench[dask] @ git+https://forge.example/a/b@0123'", False),
        ("pip install --editable '.[tabular]'", False),
        ("pip install ./pullbench-0.1.0-py3-none-any.whl", False),
        ("pip install --no-deps -r .github/requirements.txt && pullbench run", False),
    ],
)
def test_what_asks_an_index_is_recognised(line: str, asks: bool) -> None:
    assert bool(INSTALL.search(line)) == asks


def test_readme_says_that_the_name_is_not_published() -> None:
    for path in ("README.md", "site/organisers/github.md"):
        assert "not published" in " ".join((ROOT / path).read_text().split()), path


def test_the_package_says_which_pythons_ci_runs_and_that_it_is_typed(built: Path) -> None:
    ci = (ROOT / ".github/workflows/ci.yml").read_text()
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        assert "evaluator/py.typed" in packed.namelist()
        (about,) = (name for name in packed.namelist() if name.endswith("/METADATA"))
        lines = packed.read(about).decode().splitlines()
    said = [
        re.fullmatch(r"Classifier: Programming Language :: Python :: (3\.\d+)", one)
        for one in lines
    ]
    assert {one[1] for one in said if one} == set(re.findall(r'python-version: "(.*)"', ci))
    assert "Project-URL: Source, https://github.com/pullbench/pullbench" in lines


def test_hooks_before_a_commit_run_what_is_locked() -> None:
    locked = versions((ROOT / LOCK_OF_TESTS).read_text())
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    pinned = [one for hook in hooks for one in hook.get("additional_dependencies", ())]
    assert len(pinned) == 3
    assert [one for one in pinned if locked[one.partition("==")[0]] != one.partition("==")[2]] == []


def test_the_oldest_versions_that_ci_tries_are_those_that_pyproject_allows() -> None:
    wanted = asked(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"], ["all"])
    lines = (ROOT / "tests/oldest.txt").read_text().splitlines()
    tried = [line.replace("==", ">=") for line in lines if not line.startswith("#")]
    assert {"pandas", "pillow", "pyarrow"} == {line.partition(">=")[0] for line in tried}
    assert set(tried) <= set(wanted)
    # Who installs pullbench beside other packages gets it in any version from there on.
    assert [line for line in wanted if "==" in line] == ["openml==0.15.1"]
