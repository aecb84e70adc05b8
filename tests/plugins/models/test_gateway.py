"""What passes a gateway, in both directions, and what it costs."""

import json
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from evaluator.plugins.models.journal import Journal, answer_size
from evaluator.plugins.models.transcript import pack, unpack
from tests.providers import (
    KEY,
    MESSAGES,
    RESPONSES,
    Door,
    Provider,
    body,
    body_for,
    door,
    model,
    usage,
)

STREAM = {"Content-Type": "text/event-stream"}


def events(*data: object) -> bytes:
    lines = [one if isinstance(one, str) else json.dumps(one) for one in data]
    return "".join(f"data: {line}\n\n" for line in lines).encode()


def test_an_answer_passes_as_it_came(way: Door, provider: Provider) -> None:
    status, headers, content = way.ask()
    assert (status, content) == (200, provider.content)
    assert headers.keys() == {"content-type", "content-length", "connection"}
    (exchange,) = way.journal.exchanges
    assert (exchange.input, exchange.output, exchange.request) == (5, 7, body())


def test_the_request_is_made_anew(way: Door, provider: Provider) -> None:
    theirs = {
        "Authorization": "Bearer theirs", "OpenAI-Organization": "org", "Cookie": "a=b",
        "X-Forwarded-For": "1.2.3.4", "User-Agent": "agent",
    }  # fmt: skip
    way.ask(headers=theirs)
    path, headers, content = provider.asked[0]
    assert (path, json.loads(content)) == ("/v1/chat/completions", body())
    assert headers["Authorization"] == f"Bearer {KEY}"
    names = {name.lower() for name in headers}
    assert names == {
        "host", "accept-encoding", "content-length", "content-type", "connection", "authorization",
    }  # fmt: skip


def test_messages_have_their_own_key_and_version(way: Door, provider: Provider) -> None:
    answer = {"content": [], "usage": {"input_tokens": 3, "output_tokens": 4}}
    provider.content = json.dumps(answer).encode()
    assert way.ask(path=MESSAGES, headers={"anthropic-version": "2024-01-01"})[0] == 200
    way.ask(path=MESSAGES, headers={"anthropic-version": "x\ty"})
    (_, first, _), (_, second, _) = provider.asked
    assert (first["x-api-key"], first["anthropic-version"]) == (KEY, "2024-01-01")
    assert second["anthropic-version"] == "2023-06-01"
    assert first["Authorization"] is None
    assert [(one.input, one.output) for one in way.journal.exchanges] == [(3, 4)] * 2


def test_a_stream_passes_and_is_settled(way: Door, provider: Provider) -> None:
    provider.headers = STREAM
    provider.content = events({"choices": []}, {"choices": [], "usage": usage(2, 3)}, "[DONE]")
    asked = body(stream=True, stream_options={"include_usage": True})
    status, headers, content = way.ask(asked)
    assert (status, headers["content-type"], content) == (
        200, "text/event-stream", provider.content,
    )  # fmt: skip
    assert [(one.input, one.output) for one in way.journal.exchanges] == [(2, 3)]


def test_a_stream_of_messages_counts_what_grows(way: Door, provider: Provider) -> None:
    provider.headers = STREAM
    provider.content = events(
        {"type": "message_start", "message": {"usage": {"input_tokens": 9, "output_tokens": 1}}},
        {"type": "message_delta", "usage": {"output_tokens": 6}},
        {"type": "message_delta", "usage": {"output_tokens": 8}},
        {"type": "message_stop"},
    )
    way.ask(body(stream=True), MESSAGES)
    assert [(one.input, one.output) for one in way.journal.exchanges] == [(9, 8)]


TOOLS = [
    {"type": "function", "name": "f", "parameters": {"type": "object"}, "strict": True},
    {"type": "custom", "name": "g", "format": {"type": "text"}},
]
TURNS = [
    {"role": "developer", "content": "Be brief."},
    {"role": "user", "content": [
        {"type": "input_text", "text": "x"},
        {"type": "input_image", "image_url": "data:image/png;base64,AA==", "detail": "low"}]},
    {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x"},
    {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [
        {"type": "output_text", "text": "x", "annotations": [], "logprobs": []}]},
    {"type": "function_call", "id": "fc_1", "call_id": "c", "name": "f", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "c", "output": "1"},
    {"type": "custom_tool_call", "call_id": "d", "name": "g", "input": "x"},
    {"type": "custom_tool_call_output", "call_id": "d", "output": "2"},
]  # fmt: skip


def test_a_response_with_tools_of_the_program_passes(way: Door, provider: Provider) -> None:
    answer = {"output": [], "usage": {"input_tokens": 3, "output_tokens": 4}}
    provider.content = json.dumps(answer).encode()
    asked = body_for(
        RESPONSES, input=TURNS, tools=TOOLS, store=False, include=["reasoning.encrypted_content"],
        reasoning={"effort": "low"}, text={"format": {"type": "text"}},
    )  # fmt: skip
    status, _, content = way.ask(asked, RESPONSES)
    assert (status, content) == (200, provider.content)
    ((path, headers, sent),) = provider.asked
    assert (path, json.loads(sent)) == (RESPONSES, asked)
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert [(one.input, one.output) for one in way.journal.exchanges] == [(3, 4)]


@pytest.mark.parametrize("end", ["completed", "incomplete", "failed"])
def test_a_stream_of_a_response_says_its_usage_at_its_end(
    end: str, way: Door, provider: Provider
) -> None:
    provider.headers = STREAM
    said = {"usage": {"input_tokens": 9, "output_tokens": 8}}
    begun = events({"type": "response.output_text.delta", "delta": "x"})
    provider.content = begun + events({"type": f"response.{end}", "response": said})
    assert way.ask(body_for(RESPONSES, stream=True), RESPONSES)[2] == provider.content
    provider.content = begun
    way.ask(body_for(RESPONSES, stream=True), RESPONSES)
    first, cut = way.journal.exchanges
    assert (first.input, first.output, cut.output) == (9, 8, 10)


@pytest.mark.parametrize(
    "content",
    [
        events({"choices": []}, "[DONE]"),  # does not say
        events({"choices": [], "usage": usage(1, 1)}),  # was cut off
        events({"choices": [], "usage": {"prompt_tokens": "1", "completion_tokens": -1}}, "[DONE]"),
    ],
)
def test_what_is_not_said_costs_the_reservation(
    content: bytes, way: Door, provider: Provider
) -> None:
    provider.headers, provider.content = STREAM, content
    asked = body(stream=True, stream_options={"include_usage": True})
    way.ask(asked)
    (exchange,) = way.journal.exchanges
    assert exchange.output == 10
    assert exchange.input >= len(json.dumps(asked, separators=(",", ":")))


def test_a_stream_that_cannot_be_settled_is_refused(way: Door, provider: Provider) -> None:
    status, _, content = way.ask(body(stream=True))
    assert status == 400
    assert b'\\"include_usage\\": true' in content
    assert provider.asked == []


def test_errors_of_a_provider_say_nothing_of_the_account(way: Door, provider: Provider) -> None:
    provider.status, provider.content = 401, f"the key {KEY} of org-secret is wrong".encode()
    status, headers, content = way.ask()
    assert (status, headers["x-should-retry"]) == (401, "false")
    assert KEY.encode() not in content
    assert b"org-secret" not in content
    assert [(one.input, one.output) for one in way.journal.exchanges] == [(0, 0)]


def test_a_redirect_leads_nowhere(way: Door, provider: Provider) -> None:
    provider.status, provider.headers = 307, {"Location": f"{provider.address}/elsewhere"}
    assert way.ask()[0] == 502
    assert [path for path, _, _ in provider.asked] == ["/v1/chat/completions"]


def test_a_provider_that_is_away_costs_what_it_may_have_taken(place: Path) -> None:
    with door(place, {"m": model("http://127.0.0.1:9")}) as way:
        assert way.ask()[0] == 502
        assert way.journal.spent("m").tokens > 10


def test_an_answer_has_an_end(way: Door, provider: Provider) -> None:
    provider.content = b"x" * (answer_size(10) + 1)
    status, _, content = way.ask()
    assert (status, b"did not answer" in content) == (502, True)


def test_an_answer_may_hold_any_bytes(way: Door, provider: Provider) -> None:
    provider.content = b'{"usage": {}, "text": "\xff\xfe"}'
    assert way.ask()[2] == provider.content
    (exchange,) = unpack(pack("0" * 64, way.journal.exchanges))[1]
    assert exchange.content == provider.content


def test_a_call_that_does_not_fit_is_refused_in_the_form_of_its_path(
    provider: Provider, place: Path
) -> None:
    with door(place, {"m": model(provider.address, calls=1)}) as way:
        assert way.ask()[0] == 200
        status, headers, content = way.ask()
        assert (status, headers["x-should-retry"]) == (429, "false")
        assert json.loads(content)["error"]["code"] == "insufficient_quota"
        assert json.loads(way.ask(path=MESSAGES)[2])["error"]["type"] == "rate_limit_error"
    assert len(provider.asked) == 1


@pytest.mark.parametrize("limits", [{"tokens": 1000}, {"money": 0.0015}, {"calls": 7}])
def test_many_calls_at_once_spend_at_most_the_cap(
    limits: dict[str, float], provider: Provider, place: Path
) -> None:
    provider.wait = threading.Event()
    provider.content = b"{}"  # does not say what it used
    with door(place, {"m": model(provider.address, **limits)}) as way:
        with ThreadPoolExecutor(64) as pool:
            answers = [pool.submit(way.ask, body(seed=n)) for n in range(64)]
            provider.wait.set()
            statuses = [answer.result()[0] for answer in answers]
        spent = way.journal.spent("m")
    assert set(statuses) == {200, 429}
    assert statuses.count(200) == len(provider.asked) == spent.calls
    (what,) = limits
    assert getattr(spent, what) <= limits[what]
    one = getattr(spent, what) / spent.calls
    assert getattr(spent, what) + 1.1 * one > limits[what], "it is refused for want of room alone"


KILLED = """
import sys
from pathlib import Path
from tests.providers import door, model
with door(Path(sys.argv[2]), {"m": model(sys.argv[1], calls=2)}) as way:
    print("ready", flush=True)
    sys.stdin.read()
"""


def test_a_killed_gateway_spends_at_most_the_cap(provider: Provider, place: Path) -> None:
    """What was answered is answered again, what was under way is spent."""
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, provider.address, str(place)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ},
    ) as process:  # fmt: skip
        assert process.stdout
        assert process.stdout.readline() == b"ready\n"
        way = Door(place / "s", None)  # type: ignore[arg-type]
        first = way.ask(body(seed=1))
        provider.wait = threading.Event()
        with ThreadPoolExecutor(1) as pool:
            cut = pool.submit(way.ask, body(seed=2))
            while len(provider.asked) < 2:
                assert not cut.done()
            process.send_signal(signal.SIGKILL)
            process.wait()
            assert cut.exception() is not None
            provider.wait.set()
    provider.wait = None
    (place / "s" / "socket").unlink()
    (place / "s").rmdir()
    with door(place, {"m": model(provider.address, calls=2)}) as way:
        assert way.ask(body(seed=1))[2] == first[2]
        assert way.ask(body(seed=2))[0] == 429
        assert way.journal.spent("m").calls == 2
    assert len(provider.asked) == 2


def test_a_line_that_was_not_finished_is_no_line(provider: Provider, place: Path) -> None:
    models = {"m": model(provider.address)}
    with door(place, models) as way:
        way.ask()
    file = place / "journal" / "journal.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole[:-5])
    journal = Journal(place / "journal", models, None)
    spent = journal.spent("m")
    journal.close(ended=False)
    assert (spent.calls, spent.tokens) == (1, 10 + len(json.dumps(body(), separators=(",", ":"))))


def test_recorded_answers_come_in_their_order(way: Door, provider: Provider, place: Path) -> None:
    for text in ("one", "two"):
        provider.content = json.dumps({"text": text, "usage": usage()}).encode()
        way.ask()
    head, recorded = unpack(pack("0" * 64, way.journal.exchanges))
    assert head.prediction == "0" * 64
    (place / "again").mkdir()
    with door(place / "again", {"m": model("http://127.0.0.1:9")}, recorded) as again:
        assert [json.loads(again.ask()[2])["text"] for _ in range(2)] == ["one", "two"]
        assert again.journal.divergence == ""
        message = {"role": "user", "content": "hallo"}
        status, _, content = again.ask(body(messages=[message]))
        assert status == 400
        assert "hallo" in again.journal.divergence
        assert "hello" in again.journal.divergence
        assert b"no recorded request is like this one" in content


def test_what_nobody_waited_for_is_on_record(provider: Provider, place: Path) -> None:
    provider.wait = threading.Event()
    with door(place, {"m": model(provider.address)}) as way, ThreadPoolExecutor(1) as pool:
        answer = pool.submit(way.ask)
        while not provider.asked:
            assert not answer.done()
        way.journal.close(ended=True)
        provider.wait.set()
    (exchange,) = way.journal.exchanges
    assert (exchange.status, exchange.output) == (504, 10)
