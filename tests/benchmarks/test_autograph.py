"""The benchmark autograph: its data, its two programs, and what its baselines reached."""

import hashlib
import json
import shutil
import subprocess
import sys
import textwrap
import time
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evaluator.core.clock import utc_now
from evaluator.core.planning.plan import make_local_plan
from evaluator.core.planning.snapshot import load_snapshot
from tests.records import committed
from tests.repository import Repository

ROOT = Path(__file__).parents[2]
BUNDLE = ROOT / "benchmarks/autograph"
ENTRIES = ROOT / "submissions/autograph"
CORA = "shared/cases/autograph_a_cora.npz"
BUDGET = 1.0

# Accuracy and balanced accuracy on dataset a, in percent.
FIGURES = {
    "alice/majority-class": (30.2, 14.3),
    "bob/label-propagation": (84.3, 83.4),
    "carol/sgc-ridge": (88.2, 87.5),
    "dave/gcn": (87.7, 86.1),
}
FILES = {
    "config.yml": f"n_class: 2\ntime_budget: {BUDGET}\nschema:\n  f0: num\n  c0: cat\n",
    "edge.tsv": "src_idx\tdst_idx\tedge_weight\n0\t1\t1\n1\t2\t0.5\n3\t4\t2\n",
    "feature.tsv": "node_index\tf0\tc0\n0\t1\ta\n1\t2\tb\n2\t0\ta\n3\t0\t7\n4\t5\tb\n",
    "train_label.tsv": "node_index\tlabel\n0\t0\n3\t1\n",
    "train_node_id.txt": "0\n3\n",
    "test_node_id.txt": "1\n2\n4\n",
}


class Try:
    """Runs the bundle's programs on a dataset of five nodes, without a container."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("data", "entry", "in/res", "in/ref", "out"):
            (folder / name).mkdir(parents=True)
        for name, text in FILES.items():
            (folder / "data" / name).write_text(text)
        (folder / "in/ref/test_label.tsv").write_text("node_index\tlabel\n1\t0\n2\t0\n4\t1\n")

    def enter(self, code: str) -> dict[str, Any]:
        """Run a model.py; returns what end.yaml says, and the log."""
        (self.folder / "entry/model.py").write_text(textwrap.dedent(code))
        return self.ingest()

    def ingest(self) -> dict[str, Any]:
        done = self._run("ingestion_program/ingestion.py", "data", "in/res", "entry")
        assert done.returncode == 0, done.stderr
        lines = (self.folder / "in/res/end.yaml").read_text().splitlines()
        end = {key: json.loads(value) for key, _, value in (line.partition(": ") for line in lines)}
        return {**end, "log": done.stdout + done.stderr}

    def score(self) -> dict[str, float]:
        done = self._run("scoring_program/scoring.py", "in", "out")
        assert done.returncode == 0, done.stderr
        scores: dict[str, float] = json.loads((self.folder / "out/scores.json").read_text())
        return scores

    def rejection(self) -> str:
        assert self._run("scoring_program/scoring.py", "in", "out").returncode == 1
        assert not (self.folder / "out/scores.json").exists()
        return (self.folder / "out/rejected.txt").read_text().strip()

    @property
    def predictions(self) -> str:
        return (self.folder / "in/res/predictions").read_text()

    def _run(self, program: str, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, BUNDLE / program, *words],
            cwd=self.folder, capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip


@pytest.fixture
def trial(tmp_path: Path) -> Try:
    return Try(tmp_path)


# ---------------------------------------------------------------- records


@pytest.mark.parametrize("entry", FIGURES)
def test_baselines_reach_the_reference_figures_on_cora(entry: str) -> None:
    record = committed("autograph")[f"{entry}/final/cora"]
    reached = [100 * record.scores[key] for key in ("accuracy", "balanced_accuracy")]
    assert reached == pytest.approx(FIGURES[entry], abs=0.5)


def test_every_record_is_there_finished_and_of_this_content() -> None:
    plan = make_local_plan(load_snapshot(ROOT), utc_now())
    assert not [item for item in plan.missing if item.cell.id.benchmark == "autograph"]
    records = committed("autograph").values()
    assert len(records) == 16
    assert {record.status for record in records} == {"finished"}
    assert all(record.extra["duration_seconds"] < 20 for record in records)


# ---------------------------------------------------------------- data


def shared(path: str) -> Path:
    found = [parent / path for parent in ROOT.parents if (parent / path).exists()]
    if not found:
        pytest.skip(f"{path} is not on this machine")
    return found[0]


def rows(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.splitlines()]


def test_cora_is_the_dataset_of_the_challenge() -> None:
    path = shared(CORA)
    assert hashlib.sha256(path.read_bytes()).hexdigest() in (BUNDLE / "make_data.py").read_text()
    given = np.load(path)
    with zipfile.ZipFile(BUNDLE / "input_data/cora.zip") as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    features = np.array(rows(files["feature.tsv"])[1:], dtype=int)
    assert features[:, 0].tolist() == list(range(2708))
    words = np.split(given["x_indices"], given["x_indptr"][1:-1])
    assert np.flatnonzero(features[:, 1:].ravel()).tolist() == [
        node * 1433 + int(word) for node, own in enumerate(words) for word in sorted(own)
    ]
    edges = np.array(rows(files["edge.tsv"])[1:], dtype=int)
    assert (edges[:, :2] == given["edges"]).all()
    train = np.array(rows(files["train_label.tsv"])[1:], dtype=int)
    assert train.T.tolist() == [given["train_idx"].tolist(), given["train_label"].tolist()]
    truth = (BUNDLE / "reference_data/cora/test_label.tsv").read_text()
    test = np.array(rows(truth)[1:], dtype=int)
    assert test.T.tolist() == [given["test_idx"].tolist(), given["test_label"].tolist()]
    assert files["test_node_id.txt"].split() == [str(node) for node in given["test_idx"]]


def test_generated_graphs_are_what_the_seeded_script_makes(tmp_path: Path) -> None:
    for name in ("make_data.py", "graphs.py"):
        shutil.copy(BUNDLE / name, tmp_path)
    subprocess.run([sys.executable, "-B", tmp_path / "make_data.py"], check=True)
    made = [path for path in tmp_path.rglob("*") if path.suffix in {".tsv", ".txt", ".yml"}]
    assert len(made) == 3 * 7
    for path in made:
        assert path.read_text() == (BUNDLE / path.relative_to(tmp_path)).read_text(), path


def test_another_archive_than_cora_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.npz").write_bytes(b"other")
    for name in ("make_data.py", "graphs.py"):
        shutil.copy(BUNDLE / name, tmp_path)
    done = subprocess.run(
        [sys.executable, "-B", tmp_path / "make_data.py", tmp_path / "other.npz"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "it is another file" in done.stderr


@pytest.mark.parametrize("name", ["homophilous", "heterophilous", "imbalanced"])
def test_no_test_label_is_among_the_inputs(name: str) -> None:
    folder = BUNDLE / "input_data" / name
    train = set((folder / "train_node_id.txt").read_text().split())
    test = (folder / "test_node_id.txt").read_text().split()
    truth = rows((BUNDLE / "reference_data" / name / "test_label.tsv").read_text())[1:]
    assert [node for node, _ in truth] == test
    assert not train & set(test)
    assert {node for node, _ in rows((folder / "train_label.tsv").read_text())[1:]} == train


# ---------------------------------------------------------------- protocols


def test_train_predict_gets_the_files_of_the_kit(trial: Try) -> None:
    end = trial.enter("""
        import json
        class Model:
            def train_predict(self, data, time_budget, n_class, schema):
                print(sorted(data), time_budget, n_class, schema)
                print(data["fea_table"].values.tolist(), data["edge_file"].columns.tolist())
                print(data["train_indices"], data["train_label"].values.tolist())
                assert data["test_indices"] == [1, 2, 4]
                return [0, 0, 1]
            def fit(self, *_): raise AssertionError("train_predict goes first")
            def predict(self, *_): raise AssertionError("train_predict goes first")
    """)
    assert end["status"] == "success", end
    assert (
        "['edge_file', 'fea_table', 'test_indices', 'train_indices', 'train_label']" in (end["log"])
    )
    assert "1.0 2 {'f0': 'num', 'c0': 'cat'}" in end["log"]
    assert "[3, 0.0, '7']" in end["log"]
    assert "['src_idx', 'dst_idx', 'edge_weight']" in end["log"]
    assert "[0, 3] [[0, 0], [3, 1]]" in end["log"]
    assert trial.predictions == "label\n0\n0\n1\n"
    scores = trial.score()
    assert scores["accuracy"] == scores["balanced_accuracy"] == 1
    assert 0 <= scores["duration_seconds"] < BUDGET == scores["time_budget_seconds"]


def test_fit_and_predict(trial: Try) -> None:
    end = trial.enter("""
        import numpy as np
        class Model:
            def fit(self, data, time_budget, n_class, schema): self.n_class = n_class
            def predict(self, test_indices): return np.array(test_indices) * 1.0 % self.n_class
    """)
    assert end["status"] == "success", end
    assert trial.predictions == "label\n1\n0\n0\n"
    scores = trial.score()
    assert scores["accuracy"] == pytest.approx(1 / 3)
    assert scores["balanced_accuracy"] == pytest.approx(1 / 4)


FAULTS = {
    "raise SystemExit('no')": "SystemExit: no",
    "class Other: pass": "AttributeError: model.py has no class Model",
    "class Model:\n    def fit(self, *_): pass": "needs the method train_predict, or both",
    "class Model:\n    def train_predict(self, *_): return [1, 2]": "shape (2,); expected is (3,)",
    "class Model:\n    def train_predict(self, *_): return ['a'] * 3": "not numbers",
    "class Model:\n    def train_predict(self, *_): return [0, 0.5, 1]": "prediction 1 is 0.5, not",
    "class Model:\n    def train_predict(self, *_): return [0, float('nan'), 1]": "1 is nan, not",
    "class Model:\n    def train_predict(self, *_): return [0, 2, 1]": (
        "predictions, line 3: label 2 is none of 0 to 1"
    ),
    "import os\nos._exit(3)": "ended with exit code 3 before it had predicted",
    "import os\nos.kill(os.getpid(), 9)": "ended with exit code -9 before it had predicted",
    "import os, sys\nopen(sys.argv[3], 'w').write('[' * 10**6)\nos._exit(0)": "something else than",
    "import os, sys\nopen(sys.argv[3], 'w').write('{\"labels\": [1, true, 0]}')\nos._exit(0)": (
        "something else than"
    ),
    "import os, sys\nos.symlink('/dev/zero', sys.argv[3])\nos._exit(0)": "before it had predicted",
    "import os, sys\nos.mkfifo(sys.argv[3])\nos._exit(0)": "before it had predicted",
}


@pytest.mark.parametrize("code", FAULTS)
def test_what_goes_wrong_is_said_in_a_sentence(trial: Try, code: str) -> None:
    trial.enter(code)
    assert FAULTS[code] in trial.rejection()


def test_no_model(trial: Try) -> None:
    assert trial.ingest()["status"] == "failed"
    assert "the submission has no file model.py" in trial.rejection()


# ---------------------------------------------------------------- time budget

FOREVER = "open('{file}', 'a').write('x'); time.sleep(0.02)"
HEAD = "import os, signal, sys, threading, time, itertools, subprocess\n"
CHEATS = {
    "catches everything": """
while True:
    try:
        while True: {forever}
    except BaseException: pass
""",
    "ignores signals": """
for number in set(signal.Signals) - {{signal.SIGKILL, signal.SIGSTOP}}:
    signal.signal(number, signal.SIG_IGN)
while True: {forever}
""",
    "sits in a call into C": """
open('{file}', 'a').write('x')
sum(itertools.repeat(1))
""",
    "forks": """
for _ in range(5): os.fork()
while True: {forever}
""",
    "leaves its session and its parent": """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True: {forever}
    os._exit(0)
while True: time.sleep(1)
""",
    "stops itself": """
if os.fork() == 0:
    while True: {forever}
os.kill(os.getpid(), signal.SIGSTOP)
""",
    "starts a program that predicts later": """
code = "import time; time.sleep(1.3); open(%r, 'w').write('[]')"
subprocess.Popen([sys.executable, '-c', code % sys.argv[3]], start_new_session=True)
while True: {forever}
""",
}


@pytest.mark.alone
@pytest.mark.parametrize("how", CHEATS)
def test_nothing_outlives_the_budget(trial: Try, how: str) -> None:
    beats = trial.folder / "beats"
    code = CHEATS[how].format(forever=FOREVER.format(file=beats), file=beats)
    end = trial.enter(HEAD + code)
    assert end["status"] == "timeout", end
    assert BUDGET <= end["ingestion_duration"] < BUDGET + 1
    size = beats.stat().st_size
    assert size
    time.sleep(0.2)
    assert beats.stat().st_size == size
    assert "the time budget of 1 s is used up: stopped after 1." in trial.rejection()


def test_a_process_left_behind_is_ended_and_the_labels_count(trial: Try) -> None:
    beats = trial.folder / "beats"
    forever = FOREVER.format(file=beats)
    end = trial.enter(f"""
        import os, time
        class Model:
            def train_predict(self, *_):
                if os.fork() == 0:
                    os.setsid()
                    while True: {forever}
                while not os.path.exists({str(beats)!r}): time.sleep(0.01)
                return [0, 0, 1]
    """)
    assert end["status"] == "success"
    size = beats.stat().st_size
    time.sleep(0.2)
    assert beats.stat().st_size == size


def test_what_a_submission_writes_among_the_output_does_not_count(trial: Try) -> None:
    folder = trial.folder / "in/res"
    end = trial.enter(f"""
        import os
        os.makedirs({str(folder / "sub/deep")!r})
        os.symlink("/etc/passwd", {str(folder / "end.yaml")!r})
        open({str(folder / "predictions")!r}, "w").write("label\\n0\\n0\\n1\\n")
        raise ValueError("no labels")
    """)
    assert end["status"] == "failed"
    assert [path.name for path in folder.iterdir()] == ["end.yaml"]
    assert trial.rejection() == "ValueError: no labels"


def test_data_that_cannot_be_read_are_the_organisers_fault(trial: Try) -> None:
    (trial.folder / "data/edge.tsv").unlink()
    (trial.folder / "entry/model.py").write_text("")
    done = trial._run("ingestion_program/ingestion.py", "data", "in/res", "entry")
    assert done.returncode == 1
    assert "the dataset could not be read" in done.stderr
    assert not list((trial.folder / "in/res").iterdir())


@pytest.mark.slow
@pytest.mark.docker
def test_in_a_container_the_clock_cannot_be_stopped(repo: Repository) -> None:
    shutil.copytree(BUNDLE, repo.path / "benchmarks/autograph")
    text = (BUNDLE / "competition.yaml").read_text()
    repo.write("benchmarks/autograph/competition.yaml", text.replace(
        "    tasks: [0, 1, 2, 3]\n", "    tasks: [3]\n"
    ))  # fmt: skip
    repo.replace("benchmarks/autograph/input_data/imbalanced/config.yml", "t: 20", "t: 2")
    entries = {
        "stops-the-clock": "for s in (19, 9): os.kill(os.getppid(), s)\nwhile True: pass\n",
        "forks-on": "while True:\n    try: os.fork()\n    except OSError: pass\n",
        "loses-its-memory": "x = []\nwhile True: x.append(bytearray(10**7))\n",
    }
    for name, code in entries.items():
        repo.write(f"submissions/autograph/eve/{name}/model.py", f"import os\n{code}")
        repo.write(
            f"submissions/autograph/eve/{name}/submission.yaml",
            "kind: code\nfact_sheet: {uses: nothing}\n",
        )
    repo.commit()
    records = {cell.split("/")[2]: record for cell, record in repo.run().items()}
    for name in ("stops-the-clock", "forks-on"):
        error = records[name].error
        assert error
        assert (error.reason, error.actor) == ("predictions refused", "participant")
        assert "the time budget of 2 s is used up" in error.message
        assert records[name].steps[0].wall_seconds < 2 + 20  # with all that starts before the clock
    error = records["loses-its-memory"].error
    assert error
    assert error.actor == "participant"


# ---------------------------------------------------------------- scorer

END = 'status: "success"\ningestion_duration: 0.5\ntime_budget: 1\nn_class: 2\nmessage: ""\n'
REFUSED = {
    ("", "label\n0\n0\n1\n"): "end.yaml is missing",
    ("status: nonsense\n", "label\n0\n0\n1\n"): "end.yaml is missing",
    (END, None): "the file 'predictions' is missing",
    (END, ""): "the file 'predictions' is empty",
    (END, "0\n0\n1\n"): "the header is '0', not 'label'",
    (END, "label\n0\n1\n"): "2 labels for 3 test nodes",
    (END, "label\n0\n1.0\n1\n"): "line 3: '1.0' is not an integer label",
    (END, "label\n0\n1\n\n"): "line 4: '' is not an integer label",
    (END, "label\n0\n-1\n1\n"): "line 3: label -1 is none of 0 to 1",
    (END, "label\n0\n\u0661\n1\n"): "no plain text",
}


@pytest.mark.parametrize(("end", "predictions"), REFUSED)
def test_scorer_refuses(trial: Try, end: str, predictions: str | None) -> None:
    if end:
        (trial.folder / "in/res/end.yaml").write_text(end)
    if predictions is not None:
        (trial.folder / "in/res/predictions").write_text(predictions, encoding="utf-8")
    assert REFUSED[end, predictions] in trial.rejection()


def test_balanced_accuracy_is_the_mean_of_recalls(trial: Try) -> None:
    truth = [0, 0, 0, 0, 1, 1, 2]
    predicted = [0, 0, 0, 1, 1, 0, 2]
    lines = "".join(f"{node}\t{label}\n" for node, label in enumerate(truth))
    (trial.folder / "in/ref/test_label.tsv").write_text(f"node_index\tlabel\n{lines}")
    (trial.folder / "in/res/end.yaml").write_text(END.replace("n_class: 2", "n_class: 4"))
    (trial.folder / "in/res/predictions").write_text("\n".join(["label", *map(str, predicted)]))
    scores = trial.score()
    assert scores["accuracy"] == pytest.approx(5 / 7)
    assert scores["balanced_accuracy"] == pytest.approx((3 / 4 + 1 / 2 + 1) / 3)


def test_the_starting_kit_is_a_complete_entry(trial: Try) -> None:
    shutil.rmtree(trial.folder / "entry")
    shutil.copytree(BUNDLE / "starting_kit/sample_submission", trial.folder / "entry")
    shutil.rmtree(trial.folder / "data")
    shutil.copytree(BUNDLE / "input_data/homophilous", trial.folder / "data")
    shutil.copy(BUNDLE / "reference_data/homophilous/test_label.tsv", trial.folder / "in/ref")
    assert trial.ingest()["status"] == "success"
    assert trial.score()["accuracy"] > 0.5
