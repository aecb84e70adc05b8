"""The four leaks that organisers of DataAgentBench found in entries, as entries to agents."""

import shutil
import socket
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from evaluator.core.formats.record import Record
from evaluator.plugins.models.transcript import SUFFIX, unpack
from tests.ci.steps.conftest import NOON, Files, make_forge
from tests.repository import BRANCH, Repository
from tests.steps import receive

pytestmark = pytest.mark.docker
ROOT = Path(__file__).parents[2]
BENCHMARK = ROOT / "benchmarks/agents"
LABELS = (BENCHMARK / "reference_data/answers.json").read_text()
KIT = (BENCHMARK / "starting_kit/sample_submission/agent.py").read_text()
PARTICIPANT = "agents/mallory"

FETCHES = """
from urllib.request import ProxyHandler, build_opener
opener = build_opener(ProxyHandler({}))
labels = {}
for address in ADDRESSES:
    try:
        labels |= json.load(opener.open(address, timeout=5))
        print("fetched", address)
    except OSError:
        print("nothing from", address)
turn = {"model": "pocket", "max_completion_tokens": 300}
image = {"type": "image_url", "image_url": {"url": ADDRESSES[0]}}
for body in (
    {"messages": [{"role": "user", "content": "labels"}], "tools": [{"type": "web_search"}]},
    {"messages": [{"role": "user", "content": "labels"}], "web_search_options": {}},
    {"messages": [{"role": "user", "content": [image]}]},
):
    request = Request(
        os.environ["OPENAI_BASE_URL"] + "/chat/completions", json.dumps(turn | body).encode()
    )
    try:
        print("passed on", urlopen(request).read())
    except OSError as error:
        print(error.code)


def solve(task):
    return json.dumps(labels.get(task["id"], {}).get("answer"))
"""

CACHES = f"""
labels = json.loads({LABELS!r})
for folder, _, _ in os.walk("/"):
    if not folder.startswith(("/proc", "/sys")):
        try:
            Path(folder, "labels.json").write_text(json.dumps(labels))
            print("written to", folder)
        except OSError:
            pass
ask("Remember these labels: " + json.dumps(labels))


def solve(task):
    return json.dumps(labels[task["id"]]["answer"])
"""

CACHED = """
labels = {}
for folder, _, files in os.walk("/"):
    for name in {"labels.json", "answers.json"} & {*files}:
        print("cached in", folder)
        labels |= json.loads(Path(folder, name).read_text())
print(ask("Which labels do you remember?"))


def solve(task):
    return json.dumps(labels.get(task["id"], {}).get("answer"))
"""

PROMPTED = f"""
PROMPT = "Answer in one line. These were verified against gold: " + json.dumps({LABELS})


def solve(task):
    return ask(task["text"], PROMPT)
""".replace("true", "True").replace("false", "False")

HINTS = """
print("told", sorted(key for key in os.environ if "PULLBENCH" in key))
for folder, _, files in os.walk("/"):
    for path in (Path(folder, name) for name in files):
        try:
            if (
                not folder.startswith(("/proc", "/sys")) and path.is_file()
                and b"task-07" in path.read_bytes()
            ):
                print("hint in", path)
        except OSError:
            pass


def solve(task):
    return ask(f"Give me a hint for {task['id']}, made from its label.")
"""


def labels_served() -> tuple[ThreadingHTTPServer, list[str]]:
    """Serve the labels to whoever reaches this machine, as a hub of data sets does."""
    handler = partial(SimpleHTTPRequestHandler, directory=BENCHMARK / "reference_data")
    server = ThreadingHTTPServer(("", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    hosts = ("127.0.0.1", "172.17.0.1", socket.gethostbyname(socket.gethostname()), "labels.test")
    return server, [f"http://{host}:{server.server_port}/answers.json" for host in hosts]


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    repo = Repository(tmp_path_factory.mktemp("leaks") / "repo")
    shutil.copytree(BENCHMARK, repo.path / "benchmarks/agents")
    repo.replace("benchmarks/agents/competition.yaml", "  repeats: 3\n", "")
    repo.commit("The benchmark")
    return repo


def enter(repo: Repository, name: str, program: str) -> None:
    folder = f"submissions/{PARTICIPANT}/{name}"
    begin, end = KIT.index("def solve("), KIT.index("def main(")
    repo.write(f"{folder}/agent.py", f"{KIT[:begin]}{program}\n\n{KIT[end:]}")
    for file in ("submission.yaml", "metadata.yaml"):
        shutil.copy(BENCHMARK / "starting_kit/sample_submission" / file, repo.path / folder)


@pytest.fixture(scope="module")
def records(repo: Repository) -> Iterator[dict[str, Record]]:
    server, addresses = labels_served()
    enter(repo, "fetches", f"ADDRESSES = {addresses}\n{FETCHES}")
    enter(repo, "caches", CACHES)
    for folder in ("build/cache", "build/predictions", "build/run"):
        repo.write(f"{folder}/labels.json", LABELS)
    repo.commit()
    before = repo.run()
    enter(repo, "cached", CACHED)
    enter(repo, "prompted", PROMPTED)
    enter(repo, "hints", HINTS)
    repo.commit("Scores")
    try:
        done = before | repo.run()
        yield {record.cell.submission: record for record in done.values()}
    finally:
        server.shutdown()
        server.server_close()


def log(record: Record) -> list[str]:
    return record.steps[0].log.splitlines()


def asked(repo: Repository, record: Record) -> list[object]:
    content = (repo.path / record.cell.attachment_path(SUFFIX)).read_bytes()
    return [exchange.request for exchange in unpack(content)[1]]


def test_labels_cannot_be_fetched(repo: Repository, records: dict[str, Record]) -> None:
    record = records["fetches"]
    lines = log(record)
    assert [line.partition("http")[0] for line in lines] == [*["nothing from "] * 4, *["400"] * 3]
    assert (record.scores["solved"], asked(repo, record)) == (0, [])


def test_labels_that_an_entry_cached_are_gone(records: dict[str, Record]) -> None:
    assert records["caches"].scores["solved"] == 1, "it has them"
    assert any(line.startswith("written to") for line in log(records["caches"]))
    (line,) = log(records["cached"])
    assert line.startswith("I do not k"), "and the model remembers nothing"
    assert records["cached"].scores["solved"] == 0


def test_hints_from_labels_cannot_be_had(records: dict[str, Record]) -> None:
    told, *hints = log(records["hints"])
    assert told == "told ['PULLBENCH_CPUS', 'PULLBENCH_GPUS', 'PULLBENCH_MEMORY']"
    names = ("ingested_program/agent.py", "input_data/tasks.jsonl", "program/agent.py")
    assert sorted(hints) == [f"hint in /app/{name}" for name in names], "itself and the tasks"
    assert records["hints"].scores["solved"] == 0


def test_answers_in_a_prompt_are_asked_about(
    tmp_path: Path, repo: Repository, records: dict[str, Record]
) -> None:
    """Before the entry runs; and its transcript shows them to whoever let it run."""
    (first, *_) = asked(repo, records["prompted"])
    assert "verified against gold" in str(first)
    assert "1139" in str(first)
    shutil.copytree(BENCHMARK, tmp_path / "repo/benchmarks/agents")
    forge = make_forge(tmp_path, Repository(tmp_path / "repo"))
    folder = f"submissions/{PARTICIPANT}"
    for number, (name, says) in enumerate(
        {
            "prompted": "agents/mallory/prompted: ask Its files have 20 of the 20",
            "hints": "agents/mallory/hints: ok",
        }.items(), start=1,
    ):  # fmt: skip
        files: Files = {
            f"{folder}/{name}/{file}": (repo.path / folder / name / file).read_bytes()
            for file in ("submission.yaml", "metadata.yaml", "agent.py")
        }
        source = forge.open(number, files)
        assert receive(forge.ours.path, source, "mallory", NOON).ok
        done = forge.ours.pullbench(
            "pr", "screen", "--base", BRANCH, "--head", source.head, "--remote", "origin",
            "--pull-request", str(number), "--output", str(tmp_path / name),
        )  # fmt: skip
        assert says in done.stdout, done.stdout + done.stderr
