"""Programs that talk to their gateway, and want more than the model: none of it goes on."""

import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaluator.plugins.models.requests import MAX_BODY
from tests.providers import (
    CHAT,
    KEY,
    MESSAGES,
    RESPONSES,
    VARIABLE,
    Door,
    Provider,
    body,
    body_for,
    door,
    model,
)
from tests.providers import provider as make_provider


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    monkeypatch.setenv(VARIABLE, KEY)
    with make_provider() as told:
        yield told


@pytest.fixture
def way(provider: Provider) -> Iterator[Door]:
    place = Path(tempfile.mkdtemp())
    with door(place, {"m": model(provider.address)}) as opened:
        yield opened
    shutil.rmtree(place)


def parts(*content: dict[str, Any]) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": [*content]}]}


def tools(*types: str) -> list[dict[str, Any]]:
    return [{"tools": [{"type": one, "name": "x"}]} for one in types]


IN_CHAT: list[dict[str, Any]] = [
    {"web_search_options": {}},
    {"functions": [{"name": "f"}]},
    *tools("web_search", "mcp", "code_interpreter", "file_search", "image_generation"),
    parts({"type": "image_url", "image_url": {"url": "https://evil.example/x"}}),
    parts({"type": "image_url", "image_url": {"url": " data:image/png;base64,"}}),
    parts({"type": "file", "file": {"file_id": "file-1"}}),
    parts({"type": "input_audio", "input_audio": {"data": "", "format": "wav"}}),
    {"store": True},
    {"service_tier": "priority"},
    {"prediction": {"type": "content", "content": "x"}},
    {"audio": {"voice": "a", "format": "wav"}},
    {"modalities": ["audio"]},
    {"moderation": "x"},
    {"prompt_cache_key": "x"},
    {"previous_response_id": "x"},
    {"n": 129},
    {"max_tokens": -1},
    {"max_tokens": None},
    {"max_tokens": "10"},
    {"max_tokens": 10.5},
    {"model": "m:online"},
    {"model": "M"},
    {"model": ["m"]},
    {"unknown": 1},
    {"messages": [{"role": "user", "content": "x", "unknown": 1}]},
]
IN_MESSAGES: list[dict[str, Any]] = [
    *tools(
        "web_search_20250305", "web_fetch_20250910", "code_execution_20250825", "mcp_toolset",
        "tool_search_tool_regex_20251119", "computer_20250124", "advisor_20260101",
        "bash_20250124\n", "xbash_20250124",
    ),
    {"mcp_servers": [{"type": "url", "url": "https://evil.example"}]},
    {"container": "c"},
    {"context_management": {}},
    {"fallbacks": []},
    {"diagnostics": {}},
    {"service_tier": "auto"},
    {"inference_geo": "eu"},
    {"speed": "fast"},
    {"system": [{"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}]},
    parts({"type": "image", "source": {"type": "url", "url": "https://evil.example"}}),
    parts({"type": "document", "source": {"type": "file", "file_id": "f"}}),
    parts({"type": "server_tool_use", "id": "x", "name": "web_search", "input": {}}),
    parts({"type": "container_upload", "file_id": "f"}),
    parts({"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}),
    parts({"type": "tool_result", "tool_use_id": "x", "content": [
        {"type": "document", "source": {"type": "url", "url": "https://evil.example"}}]}),
]  # fmt: skip


def items(*types: str) -> list[dict[str, Any]]:
    return [{"input": [{"type": one, "id": "x"}]} for one in types]


def said(*content: dict[str, Any]) -> dict[str, Any]:
    return {"input": [{"role": "user", "content": [*content]}]}


IN_RESPONSES: list[dict[str, Any]] = [
    *tools(
        "web_search", "web_search_preview", "web_search_2025_08_26", "file_search", "mcp",
        "code_interpreter", "image_generation", "computer", "computer_use_preview", "shell",
        "local_shell", "apply_patch", "programmatic_tool_calling", "tool_search", "namespace",
    ),
    *items(
        "item_reference", "additional_tools", "tool_search_call", "tool_search_output", "mcp_call",
        "mcp_list_tools", "mcp_approval_request", "mcp_approval_response", "program",
        "program_output", "shell_call", "local_shell_call", "web_search_call", "file_search_call",
        "code_interpreter_call", "image_generation_call", "computer_call", "compaction",
    ),
    {"input": [{"id": "msg_1"}]},
    {"input": [{"type": "message", "id": "msg_1", "role": "user"}]},
    {"input": [{"type": "reasoning", "id": "rs_of_others", "summary": []}]},
    {"input": [{"role": "user", "content": "x", "unknown": 1}]},
    said({"type": "input_text", "text": "x", "file_id": "file-1"}),
    {"previous_response_id": "resp_1"},
    {"conversation": "conv_1"},
    {"background": True},
    {"store": True},
    {"context_management": []},
    {"prompt": {"id": "pmpt_1"}},
    {"prompt_cache_key": "x"},
    {"service_tier": "flex"},
    {"moderation": {}},
    {"max_tool_calls": 1},
    {"include": ["file_search_call.results"]},
    {"include": ["web_search_call.action.sources"]},
    {"reasoning": {"effort": "low", "context": "all"}},
    {"stream_options": {"include_usage": True}},
    {"max_output_tokens": None},
    {"max_output_tokens": -1},
    {"tools": [{"type": "function", "name": "x", "defer_loading": True}]},
    {"tools": [{"type": "function", "name": "x", "server_url": "https://evil.example"}]},
    said({"type": "input_image", "image_url": "https://evil.example/x"}),
    said({"type": "input_image", "file_id": "file-1"}),
    said({"type": "input_file", "file_url": "https://evil.example/x"}),
    said({"type": "input_file", "file_id": "file-1"}),
    said({"type": "output_text", "text": "x", "annotations": [{"type": "file_path"}]}),
    {"input": [{"type": "function_call_output", "call_id": "x", "output": [
        {"type": "input_image", "image_url": "https://evil.example"}]}]},
]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "more"),
    [
        *((CHAT, one) for one in IN_CHAT),
        *((MESSAGES, one) for one in IN_MESSAGES),
        *((RESPONSES, one) for one in IN_RESPONSES),
    ],
)
def test_what_acts_at_the_provider_is_refused_by_name(
    path: str, more: dict[str, Any], way: Door, provider: Provider
) -> None:
    status, headers, content = way.ask(body_for(path, **more), path)
    assert (status, headers["x-should-retry"]) == (400, "false")
    assert json.loads(content)["error"]["type"] == "invalid_request_error"
    assert provider.asked == []
    assert way.journal.spent("m").calls == 0


@pytest.mark.parametrize(
    "content",
    [
        b'{"model":"m","messages":[],"max_tokens":1,"max_tokens":9}',
        b'{"model":"m","messages":[],"max_tokens":1,"tools":[],"tools":[{"type":"mcp"}]}',
        b'{"model":"m","messages":[],"max_tokens":1,"to\\u006fls":[],"tools":[]}',
        b'{"model":"m","messages":[],"max_tokens":NaN}',
        b'{"model":"m","messages":[],"max_tokens":1}{}',
        b"[" * 100_000,
        b'{"model":"m","messages":[' + b"{}," * 200_000 + b"{}]}",
        b"\xff\xfe",
        b"",
        b"null",
    ],
)
def test_a_body_that_two_readers_may_read_differently(
    content: bytes, way: Door, provider: Provider
) -> None:
    assert way.ask(content)[0] == 400
    assert provider.asked == []


GOOD = json.dumps(body()).encode()
LENGTH = f"Content-Length: {len(GOOD)}\r\n"


def request(first: str, *headers: str, content: bytes = GOOD) -> bytes:
    return f"{first}\r\n{''.join(headers)}\r\n".encode() + content


@pytest.mark.parametrize(
    "raw",
    [
        request(f"GET {CHAT} HTTP/1.1", LENGTH),
        request(f"PUT {CHAT} HTTP/1.1", LENGTH),
        request("POST /v1/files HTTP/1.1", LENGTH),
        request(f"POST {RESPONSES}/resp_1/cancel HTTP/1.1", LENGTH),
        request(f"GET {RESPONSES}/resp_1 HTTP/1.1", LENGTH),
        request(f"POST {CHAT}/../../v1/files HTTP/1.1", LENGTH),
        request(f"POST {CHAT}%2f..%2ffiles HTTP/1.1", LENGTH),
        request(f"POST {CHAT}?x=1 HTTP/1.1", LENGTH),
        request(f"POST {CHAT}/ HTTP/1.1", LENGTH),
        request(f"POST {CHAT}#x HTTP/1.1", LENGTH),
        request(f"POST https://evil.example{CHAT} HTTP/1.1", LENGTH),
        request("CONNECT evil.example:443 HTTP/1.1", LENGTH),
        request(f"POST {CHAT} HTTP/1.1"),
        request(f"POST {CHAT} HTTP/1.1", LENGTH, LENGTH),
        request(f"POST {CHAT} HTTP/1.1", LENGTH, "Content-Length: 0\r\n"),
        request(f"POST {CHAT} HTTP/1.1", f"Content-Length: +{len(GOOD)}\r\n"),
        request(f"POST {CHAT} HTTP/1.1", "Content-Length: 0x10\r\n"),
        request(f"POST {CHAT} HTTP/1.1", f"Content-Length: {len(GOOD)}, {len(GOOD)}\r\n"),
        request(f"POST {CHAT} HTTP/1.1", f"Content-Length: {len(GOOD) + 1}\r\n"),
        request(f"POST {CHAT} HTTP/1.1", f"Content-Length: {MAX_BODY + 1}\r\n"),
        request(f"POST {CHAT} HTTP/1.1", "Transfer-Encoding: chunked\r\n",
                content=b"%x\r\n%s\r\n0\r\n\r\n" % (len(GOOD), GOOD)),
        request(f"POST {CHAT} HTTP/1.1", LENGTH, "Transfer-Encoding: chunked\r\n"),
        request(f"POST {CHAT} HTTP/1.1", LENGTH, "Transfer-Encoding: xchunked\r\n"),
        request(f"POST {CHAT} HTTP/1.1", LENGTH, "transfer-encoding:\tchunked\r\n"),
        request(f"POST {CHAT} HTTP/1.1", LENGTH, "Content-Encoding: gzip\r\n"),
        request(f"POST {CHAT} HTTP/1.1", LENGTH, "anthropic-beta: mcp-client-2025-04-04\r\n"),
        request(f"POST {CHAT} HTTP/1.1", LENGTH, f"X: {'x' * 70_000}\r\n"),
        request(f"POST {CHAT} HTTP/1.1", LENGTH, *(f"X-{n}: 1\r\n" for n in range(200))),
        request(f"POST {CHAT} HTTP/2.0", LENGTH),
        request(f"POST {CHAT}"),
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"\x00" * 1000,
        b"\r\n" * 1000,
        b"",
    ],
)  # fmt: skip
def test_a_request_that_is_no_plain_post(raw: bytes, way: Door, provider: Provider) -> None:
    answer = way.send(raw)
    assert b" 200 " not in answer.partition(b"\r\n")[0]
    assert provider.asked == []
    assert way.ask()[0] == 200, "the next one is served"


def test_a_second_request_behind_the_first_is_not_read(way: Door, provider: Provider) -> None:
    smuggled = request("POST /v1/files HTTP/1.1", LENGTH)
    answer = way.send(request(f"POST {CHAT} HTTP/1.1", LENGTH) + smuggled)
    assert answer.count(b"HTTP/1.1 ") == 1
    assert [path for path, _, _ in provider.asked] == [CHAT]
    assert provider.asked[0][2] == json.dumps(body(), separators=(",", ":")).encode()


@pytest.mark.parametrize(
    "header",
    [
        "Host: evil.example\r\n",
        "X-Forwarded-Host: evil.example\r\n",
        "Forwarded: host=evil.example\r\n",
        "X-Original-URL: /v1/files\r\n",
        "Authorization: Bearer theirs\r\n",
        "x-api-key: theirs\r\n",
        "Upgrade: websocket\r\nConnection: Upgrade\r\n",
        "Expect: 100-continue\r\n",
        "A: b\r\n c: d\r\n",
    ],
)
def test_no_header_says_who_asks_or_where(header: str, way: Door, provider: Provider) -> None:
    assert b" 200 OK" in way.send(request(f"POST {CHAT} HTTP/1.1", LENGTH, header))
    ((path, headers, _),) = provider.asked
    assert path == CHAT
    assert headers["Host"] == provider.address.removeprefix("http://")
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert "evil.example" not in str(headers)
    assert "theirs" not in str(headers)


def test_the_key_is_in_nothing_that_is_kept_or_said(way: Door, provider: Provider) -> None:
    said = [way.ask(), way.ask(path=MESSAGES), way.ask({"model": VARIABLE})]
    provider.status = 500
    provider.content = KEY.encode()
    said.append(way.ask())
    kept = b"".join(file.read_bytes() for file in way.folder.parent.rglob("*.jsonl"))
    assert len(provider.asked) == 3
    assert KEY not in str(said)
    assert KEY.encode() not in kept
    assert VARIABLE.encode() not in kept


def test_many_idle_connections_do_not_stop_the_run(way: Door, provider: Provider) -> None:
    from tests.providers import connect

    idle = [connect(way.folder) for _ in range(63)]
    assert way.ask()[0] == 200
    for one in idle:
        one.close()
    assert len(provider.asked) == 1
