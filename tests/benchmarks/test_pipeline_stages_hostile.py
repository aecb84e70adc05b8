"""pipeline-stages with real containers: nothing of a stage reaches another one but its arrays."""

import json
import re
import shutil

import pytest

from evaluator.formats.record import Record
from evaluator.formats.record_json import from_json
from tests.benchmarks.leftovers import LEAVES, SEES
from tests.benchmarks.test_pipeline_stages import BUNDLE, ENTRIES
from tests.repository import Repository

CELL = "pipeline-stages/eve/{}/final/breast-cancer"
HONEST_CLEAN = (BUNDLE / "ingestion_program/clean/stage.py").read_text()
HONEST_MODEL = (BUNDLE / "ingestion_program/model/stage.py").read_text()
REFERENCE = from_json(
    (ENTRIES / "organiser/reference/scores/final/breast-cancer.json").read_bytes()
)

# What stood in the container's home ran in the organiser's later processes: it knows the answers.
HOOK = """
import sys
if len(sys.argv) > 3:
    import numpy, sklearn.datasets, sklearn.model_selection
    data = sklearn.datasets.load_breast_cancer()
    labels = sklearn.model_selection.train_test_split(
        data.data, data.target, test_size=0.5, stratify=data.target, random_state=0)[3]
    keep = numpy.savez
    def savez(file, **arrays):
        keep(file, **({"labels": labels} if "labels" in arrays else arrays))
    numpy.savez = savez
"""
PLANTS = f"""
import os, site, sysconfig
HOOK = {HOOK!r}
homes = "/tmp", os.path.expanduser("~")
places = {{site.getusersitepackages(), os.getcwd(), "/tmp"}}
places |= {{home + "/.local/lib/python3.11/site-packages" for home in homes}}
for place in places:
    for name in ("usercustomize.py", "sitecustomize.py", "stage.py", "hook.pth"):
        try:
            os.makedirs(place, exist_ok=True)
            text = "import os; exec(%r)" % HOOK if name == "hook.pth" else HOOK
            open(os.path.join(place, name), "w").write(text)
        except OSError:
            pass
"""
# It answers what it likes for the rows that it must not touch, past every check in its process.
REWRITES = """
import os, sys
import numpy as np

def run(x_train, y_train, x_test):
    after = [word for word in sys.argv if word.endswith("npz")][-1]
    wrong = 1 - y_train
    np.savez(after, x_train=x_train, y_train=wrong, x_test=x_test)
    os._exit(0)
"""
# A process of its own waits for the arrays of the later stages, and for the labels.
WAITS = """
import os, signal, time
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    import numpy as np
    mine = {os.path.join(os.getcwd(), "after.npz"), "/tmp/1.npz"}
    while True:
        for folder, _, names in os.walk("/tmp"):
            for name in names:
                if name.endswith(".npz") and os.path.join(folder, name) not in mine:
                    try:
                        np.savez(os.path.join(folder, name), labels=np.zeros(285, int))
                    except OSError:
                        pass
        try:
            open("/app/output/y_pred.csv", "w").write("label\\n" + "0\\n" * 285)
        except OSError:
            pass
"""


def entry(repo: Repository, name: str, **stages: str) -> None:
    for stage, source in stages.items():
        repo.write(f"submissions/pipeline-stages/eve/{name}/{stage}/stage.py", source)
    repo.write(f"submissions/pipeline-stages/eve/{name}/submission.yaml", "kind: code\n")


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Record]:
    repo = Repository(tmp_path_factory.mktemp("pipeline") / "repo")
    shutil.copytree(
        BUNDLE, repo.path / "benchmarks/pipeline-stages",
        ignore=shutil.ignore_patterns("__pycache__"),
    )  # fmt: skip
    shutil.copytree(
        ENTRIES / "organiser/reference",
        repo.path / "submissions/pipeline-stages/organiser/reference",
    )
    entry(repo, "plants", clean=PLANTS + HONEST_CLEAN)
    entry(repo, "rewrites", features=REWRITES)
    entry(repo, "waits", clean=WAITS + HONEST_CLEAN)
    entry(repo, "leaves", clean=LEAVES + HONEST_CLEAN, model=SEES + HONEST_MODEL)
    repo.commit()
    cells = [CELL.format(name) for name in ("plants", "rewrites", "waits", "leaves")]
    return {cell.split("/")[2]: record for cell, record in repo.run(*cells).items()}


@pytest.mark.docker
@pytest.mark.parametrize("name", ["plants", "rewrites", "waits", "leaves"])
def test_a_stage_does_nothing_within_the_organisers(records: dict[str, Record], name: str) -> None:
    record = records[name]
    assert record.error is None, record.steps[0].log
    assert record.scores == REFERENCE.scores


@pytest.mark.docker
def test_nothing_that_a_stage_leaves_reaches_a_later_one(records: dict[str, Record]) -> None:
    log = records["leaves"].steps[0].log
    (left,) = re.findall(r"^left (.*)", log, re.MULTILINE)
    assert {"/tmp", "/dev/shm", "/dev/mqueue", "/app/output"} <= set(json.loads(left))
    assert {"shm", "msg", "sem", "process"} <= set(json.loads(left))
    assert "/proc/1/mem" not in json.loads(left)
    (sees,) = re.findall(r"^sees (.*)", log, re.MULTILINE)
    assert json.loads(sees) == []
