"""Cells whose programs ask models, in containers."""

import gzip
import html
import json
import shutil
import socket
import sys
from pathlib import Path

import pytest

from evaluator.core.formats.json_reader import UnreadableError
from evaluator.core.formats.record import Record
from evaluator.plugins.models.transcript import SUFFIX, unpack
from tests.providers import CHAT, KEY, MESSAGES, RESPONSES, VARIABLE, Provider
from tests.repository import Repository

pytestmark = pytest.mark.docker
NAMES = ("asks", "spends", "looks-around")
BUNDLE = "benchmarks/ask/competition.yaml"


def cell(name: str) -> str:
    return f"ask/alice/{name}/main/words"


def transcript(repo: Repository, name: str, below: str = "") -> bytes:
    place = f"submissions/ask/alice/{name}/scores/main"
    (file,) = (repo.path / below / place).glob(f"*.{SUFFIX}")
    return file.read_bytes()


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return Repository(tmp_path_factory.mktemp("models") / "repo").with_bundle("models")


@pytest.fixture(scope="module")
def records(repo: Repository) -> dict[str, Record]:
    records = repo.run(lanes=2)
    repo.commit("Scores")
    return {record.cell.submission: record for record in records.values()}


def test_programs_ask_in_both_forms(repo: Repository, records: dict[str, Record]) -> None:
    assert records["asks"].scores == {"right": 2}
    exchanges = unpack(transcript(repo, "asks"))[1]
    paths = ["/v1/chat/completions", "/v1/messages"]
    assert [(one.path, one.input, one.output) for one in exchanges] == [(p, 5, 5) for p in paths]
    assert exchanges[0].request["messages"] == [{"role": "user", "content": "hello"}]


def test_a_cell_spends_its_limits_and_no_more(repo: Repository, records: dict[str, Record]) -> None:
    assert records["spends"].scores == {"right": 5}
    log = records["spends"].steps[0].log.splitlines()
    assert [line[:10] for line in log] == ["429 false "] * 5
    assert "insufficient_quota" in log[0]
    exchanges = unpack(transcript(repo, "spends"))[1]
    assert [one.refused for one in exchanges] == [False] * 5 + [True] * 5


def test_what_a_program_sees(records: dict[str, Record]) -> None:
    assert records["looks-around"].steps[0].log.splitlines() == [
        "devices ['lo']",
        "routes 0",
        "gateway False",
        "key ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'] none",
        *(
            f"{address} Network is unreachable"
            for address in ("172.17.0.1", "192.168.0.1", "169.254.169.254", "8.8.8.8")
        ),
    ]


def test_the_board_says_what_was_spent(repo: Repository, records: dict[str, Record]) -> None:
    assert records
    said = repo.pullbench("leaderboard", "ask", "--format", "json")
    (row,) = json.loads(said.stdout)["rows"]
    spent = {key: row["overall"][f"models_{key}"] for key in ("calls", "tokens", "cost")}
    assert (row["submission"], spent) == ("spends", {"calls": 5, "tokens": 50, "cost": 0.000275})


def test_nothing_is_left_behind(repo: Repository, records: dict[str, Record]) -> None:
    assert records
    assert not any((repo.path / "build" / "run").iterdir())
    assert not any((repo.path / "build" / "predictions").rglob("journal.jsonl"))


def test_reproduce_answers_again_and_asks_nobody(tmp_path: Path, provider: Provider) -> None:
    repo = with_address(tmp_path, provider)
    record = repo.run(cell("asks"))[cell("asks")]
    assert record.error is None
    repo.commit("Scores")
    count = len(provider.asked)
    assert count == 2
    done = repo.pullbench("reproduce", "--strict", cell("asks"))
    assert (done.returncode, len(provider.asked)) == (0, count), done.stdout + done.stderr
    assert transcript(repo, "asks", "build/reproduced") == transcript(repo, "asks")


def test_a_corrected_scorer_asks_nobody(tmp_path: Path, provider: Provider) -> None:
    """Also where the predictions are lost, as in a fresh clone."""
    repo = with_address(tmp_path, provider)
    repo.run(cell("asks"))
    before = transcript(repo, "asks")
    repo.commit("Scores")
    for fresh_clone in (False, True):
        with (repo.path / "benchmarks/ask/scoring_program/scoring.py").open("a") as file:
            file.write("# corrected\n")
        repo.commit()
        if fresh_clone:
            repo.git("clean", "-dfxq", "build")
        record = repo.run(cell("asks"))[cell("asks")]
        assert (record.error, len(provider.asked)) == (None, 2)
        assert transcript(repo, "asks") == before
        repo.commit()


def test_the_first_request_that_differs_is_named(tmp_path: Path, provider: Provider) -> None:
    repo = with_address(tmp_path, provider)
    repo.replace(
        "submissions/ask/alice/asks/main.py", '"content": "hello"',
        '"content": f"It is {__import__(\'time\').time_ns()}"',
    )  # fmt: skip
    repo.commit()
    repo.run(cell("asks"))
    repo.commit("Scores")
    count = len(provider.asked)
    done = repo.pullbench("reproduce", "--strict", cell("asks"))
    assert done.returncode == 1
    assert "no recorded request is like this one: it says" in done.stdout + done.stderr
    assert "It is" in done.stdout + done.stderr
    assert len(provider.asked) == count


def test_the_key_is_nowhere(tmp_path: Path, provider: Provider) -> None:
    repo = with_address(tmp_path, provider)
    repo.replace(
        "submissions/ask/alice/asks/main.py", "chat = ask", "print(dict(os.environ))\nchat = ask"
    )
    repo.commit()
    records = repo.run(cell("asks"))
    site = repo.pullbench("site")
    log = records[cell("asks")].steps[0].log
    assert "OPENAI_BASE_URL" in log
    said = log + site.stdout + site.stderr + str(records)
    files = [one for one in repo.path.rglob("*") if one.is_file()]
    assert KEY not in said
    assert [file for file in files if KEY.encode() in file.read_bytes()] == []
    assert provider.asked[0][1]["Authorization"] == f"Bearer {KEY}", "and it was used"


DIRECT = """
import socket, sys
from pathlib import Path
for address in ("127.0.0.1", "172.17.0.1", "0.0.0.0", "::1", *sys.argv[2:]):
    for device in (b"", b"lo", b"eth0"):
        try:
            family = socket.AF_INET6 if ":" in address else socket.AF_INET
            connection = socket.socket(family)
            connection.settimeout(2)
            if device:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, device)
            connection.connect((address, PORT))
            print("connected", address, device)
        except OSError:
            pass
print("tried", [path.name for path in Path("/").iterdir() if path.name in ("gateway", "relay")])
(Path(sys.argv[1]) / "answers.txt").write_text("")
"""


def test_a_program_reaches_the_gateway_and_not_the_host(tmp_path: Path, provider: Provider) -> None:
    """The provider listens on this machine's loopback, and nobody of a container gets there."""
    repo = with_address(tmp_path, provider)
    port = provider.address.rpartition(":")[2]
    repo.write("submissions/ask/alice/asks/main.py", DIRECT.replace("PORT", port))
    own = socket.gethostbyname(socket.gethostname())
    repo.write(
        "submissions/ask/alice/asks/metadata.yaml",
        f"command: python3 $program/main.py $output {own}\n",
    )
    repo.commit()
    record = repo.run(cell("asks"))[cell("asks")]
    assert record.error is None
    assert record.steps[0].log.splitlines() == ["tried []"]
    assert provider.asked == []


def with_address(folder: Path, provider: Provider) -> Repository:
    repo = Repository(folder / "repo").with_bundle("models")
    repo.replace(BUNDLE, "program: model", f"address: {provider.address}\n      key: {VARIABLE}")
    answer = {
        "choices": [{"message": {"content": "olleh"}}], "content": [{"text": "olleh"}],
        "usage": {"input_tokens": 3, "output_tokens": 4},
    }  # fmt: skip
    provider.content = json.dumps(answer).encode()
    plain = (Path(__file__).parents[3] / "mkdocs.yml").read_text().partition("nav:")[0]
    repo.write("mkdocs.yml", plain)
    repo.write("site/index.md", "# Home\n")
    repo.commit("Another model")
    return repo


def test_a_model_that_does_not_begin_is_its_organisers(tmp_path: Path) -> None:
    repo = Repository(tmp_path / "repo").with_bundle("models")
    repo.write("benchmarks/ask/model/model.py", "raise SystemExit('no weights')\n")
    repo.commit()
    error = repo.run(cell("asks"))[cell("asks")].error
    assert error is not None
    assert (error.actor, error.reason) == ("organiser", "program cannot be run")
    assert "no weights" in error.message


def test_without_containers_it_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    repo = Repository(tmp_path / "repo").with_bundle("models")
    error = repo.run(cell("asks"), engine="subprocess")[cell("asks")].error
    assert error is not None
    assert error.actor == "platform"
    assert "programs that ask models are not run here" in error.message


def test_nothing_of_it_is_loaded_for_others(tmp_path: Path) -> None:
    repo = Repository(tmp_path / "repo").with_bundle("tiny")
    code = (
        "import sys; from evaluator.__main__ import main; sys.argv[1:] = ['plan'];\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print([one for one in sys.modules if 'plugins.models.' in one])"
    )
    import subprocess

    done = subprocess.run(
        [sys.executable, "-c", code], cwd=repo.path, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] in ("[]", "['evaluator.plugins.models.plugin']")


STREAMS = """
import json, os, sys
from pathlib import Path
from urllib.request import Request, urlopen
turn = [{"role": "user", "content": "hello"}]
for path, body in {
    "/v1/chat/completions": {"messages": turn, "max_tokens": 9,
                             "stream_options": {"include_usage": True}},
    "/v1/messages": {"messages": turn, "max_tokens": 9},
    "/v1/responses": {"input": [{"type": "function_call_output", "call_id": "c", "output": "41+1"}],
                      "max_output_tokens": 9},
}.items():
    text = json.dumps({"model": "echo", "stream": True, **body}).encode()
    headers = {"Content-Type": "application/json"}
    urlopen(Request(os.environ["ANTHROPIC_BASE_URL"] + path, text, headers)).read()
Path(sys.argv[1], "answers.txt").write_text("")
"""
CALL = {"index": 0, "function": {"name": "look", "arguments": '{"at": "<b>"}'}}
ANSWERS: dict[str, list[object]] = {
    CHAT: [
        {"choices": [{"delta": {"role": "assistant", "content": "Let me "}}]},
        {"choices": [{"delta": {"content": "look. "}}]},
        {"choices": [{"delta": {"tool_calls": [CALL]}}]},
        {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}},
        "[DONE]",
    ],
    MESSAGES: [
        {"type": "message_start", "message": {"usage": {"input_tokens": 5, "output_tokens": 1}}},
        {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "It is "}},
        {"type": "content_block_delta", "delta": {"type": "input_json_delta", "partial_json": "7"}},
        {"type": "message_delta", "delta": {}, "usage": {"output_tokens": 6}},
        {"type": "message_stop"},
    ],
    RESPONSES: [
        {"type": "response.output_text.delta", "delta": "<script>x"},
        {"type": "response.output_text.delta", "delta": "()</script>"},
        {"type": "response.completed", "response": {"output": [], "usage": {
            "input_tokens": 7, "output_tokens": 8}}},
    ],
}  # fmt: skip


def test_the_site_shows_what_was_streamed_as_it_is_read(tmp_path: Path, provider: Provider) -> None:
    """The pieces of a text together, in each of the three forms, and no markup of a model."""
    repo = with_address(tmp_path, provider)
    provider.headers = {"Content-Type": "text/event-stream"}
    provider.by_path = {
        path: "".join(
            f"data: {one if isinstance(one, str) else json.dumps(one)}\n\n" for one in pieces
        ).encode()
        for path, pieces in ANSWERS.items()
    }
    repo.write("submissions/ask/alice/asks/main.py", STREAMS)
    repo.commit()
    assert repo.run(cell("asks"))[cell("asks")].error is None
    repo.commit("Scores")
    assert repo.pullbench("site").returncode == 0
    page = (repo.path / "build/site/benchmarks/ask/transcripts/index.html").read_text()
    text = html.unescape(page)
    for shown in ('Let me look. look {"at": "<b>"}', "It is 7", "<script>x()</script>", "41+1"):
        assert shown in text
    assert "<script>x" not in page
    assert "text_delta" not in page
    assert [used in page for used in ("3 + 4", "5 + 6", "7 + 8")] == [True] * 3


def test_the_site_shows_transcripts_and_no_markup_of_a_model(
    tmp_path: Path, provider: Provider
) -> None:
    repo = with_address(tmp_path, provider)
    evil = "<script>alert(1)</script>\n| a | [x](javascript:alert(1)) {{ 7 * 7 }} <!-- \x1b[31m"
    answer = {
        "choices": [{"message": {"content": evil}}], "content": [{"type": "text", "text": evil}],
        "usage": {"input_tokens": 3, "output_tokens": 4},
    }  # fmt: skip
    provider.content = json.dumps(answer).encode()
    bob = cell("asks").replace("alice", "bob")
    place = repo.path / "submissions/ask"
    shutil.copytree(place / "alice/asks", place / "bob/asks")
    repo.commit("Another one asks the same")
    repo.run(cell("asks"), bob)
    repo.commit("Scores")
    done = repo.pullbench("site")
    assert done.returncode == 0, done.stderr
    page = (repo.path / "build/site/benchmarks/ask/transcripts/index.html").read_text()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script>alert" not in page
    assert 'href="javascript:' not in page
    assert "{{ 7 * 7 }}" in page
    assert "\x1b" not in page
    assert "3 + 4" in page
    beside = page[page.index("side by side</h2>") : page.index("alice/asks, Main, Words</h2>")]
    assert [f"<bdi>{name}</bdi>" in beside for name in ("alice/asks", "bob/asks")] == [True] * 2
    assert beside.count("hello") == 2, "in its cell, and among what is searched"
    assert beside.count("&lt;script&gt;alert(1)") == 8, "two answers to each of two, and the same"
    compare = (repo.path / "build/site/benchmarks/ask/compare/index.html").read_text()
    assert '<a href="../transcripts/">What models said to entries, side by side</a>' in compare


@pytest.mark.parametrize("content", [b"", b"x", b"{}\n", b'{"prediction": 1}\n', b"[" * 10**5])
def test_a_transcript_that_cannot_be_read_ends_nothing(content: bytes) -> None:
    for one in (content, gzip.compress(content), gzip.compress(content)[:-1]):
        with pytest.raises(UnreadableError):
            unpack(one)
