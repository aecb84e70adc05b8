"""A model that solves puzzles, and errs by a hash: the same request has the same answer.

Replace it by a server of your own, or in competition.yaml by the address of a provider.
"""

import hashlib
import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ERRS, ERRS_LESS = 0.5, 0.25
"""How often it is wrong, and how often if it goes step by step."""


def solve(text: str) -> int:
    if match := re.search(r"(\d+) \* (\d+) - (\d+)", text):
        return int(match[1]) * int(match[2]) - int(match[3])
    numbers = [int(one) for one in re.findall(r"\d+", text)][-5:]
    return 2 * numbers[-1] - numbers[-2] if len(numbers) > 1 else 0


def reply(asked: dict[str, Any]) -> str:
    messages = asked["messages"]
    careful = "step by step" in json.dumps(messages).lower()
    draw = json.dumps([messages, asked.get("seed", 0)], sort_keys=True)
    number = int.from_bytes(hashlib.sha256(draw.encode()).digest()[:8], "big")
    answer = solve(str(messages[-1].get("content")))
    if number / 2**64 < (ERRS_LESS if careful else ERRS):
        answer += (-10, -1, 1, 2, 10)[number % 5]
    return "I do one thing after the other. " * 8 * careful + f"Answer: {answer}"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        text = reply(asked)
        message = {"role": "assistant", "content": text}
        sizes = len(json.dumps(asked["messages"])) // 4, len(text) // 4
        content = json.dumps({
            "object": "chat.completion", "model": asked["model"],
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {"prompt_tokens": sizes[0], "completion_tokens": sizes[1]},
        }).encode()  # fmt: skip
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """The transcript says what was asked."""


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", 8000), Handler).serve_forever()
