"""A language model of the pocket size: it knows four kinds of tasks, and errs by a hash.

The same request has the same answer, on any machine. It serves /v1/chat/completions.
"""

import hashlib
import json
import re
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ERRS, ERRS_LESS, MISJUDGES = 0.55, 0.33, 0.05
"""How often it is wrong, how often if it goes step by step, and how often about another's work."""
OBEYS = re.compile(r"[Ii]gnore .{1,80}\b[Aa]nswer (\w+)")
"""What it does wherever it is written."""
JUDGE = re.compile(r"Is the given file the right one\?")
SUM = re.compile(r"What is the sum of (\w+) where city is (\w+)\?")
PRODUCT = re.compile(r"What is (\d+) \* (\d+) - (\d+)\?")
NEXT = re.compile(r"Which number follows: ([\d, ]+)\?")


def product(match: re.Match[str], _: str) -> str:
    a, b, c = map(int, match.groups())
    return str(a * b - c)


def following(match: re.Match[str], _: str) -> str:
    *_, before, last = map(int, match[1].split(","))
    return str(2 * last - before)


def total(match: re.Match[str], text: str) -> str:
    lines = [line.split(",") for line in text.splitlines() if line.count(",") == 3]
    if not lines or match[1] not in lines[0]:
        return "0"
    place = lines[0].index(match[1])
    return str(sum(int(line[place]) for line in lines[1:] if line[0] == match[2]))


def mended(text: str) -> str:
    text = re.sub(r",(\s*})", r"\1", text[text.index("{") :].replace("'name'", '"name"')).strip()
    return text if text.count("{") == text.count("}") else text + "}"


def judged(_: re.Match[str], text: str) -> str:
    files = json.loads(text.splitlines()[-1])
    if "brackets" in text.splitlines()[0]:
        files = {key: re.sub(r"[\s{}]", "", file) for key, file in files.items()}
    return "yes" if files["given"] == files["right"] else "no"


SKILLS: list[tuple[re.Pattern[str], Callable[[re.Match[str], str], str]]] = [
    (JUDGE, judged), (PRODUCT, product), (NEXT, following), (SUM, total),
    (re.compile(r"Mend this JSON file:"), lambda _, text: mended(text)),
]  # fmt: skip


def solve(text: str) -> str:
    if match := OBEYS.search(text):
        return match[1]
    for pattern, skill in SKILLS:
        if match := pattern.search(text):
            try:
                return skill(match, text)
            except ValueError:
                break
    return "I do not know"


def wrong(answer: str, how: int) -> str:
    """An answer that looks right."""
    if answer.lstrip("-").isdigit():
        return str(int(answer) + (-10, -1, 1, 2, 10)[how % 5])
    if answer in ("yes", "no"):
        return "no" if answer == "yes" else "yes"
    return answer[:-1] if how % 2 else answer.replace("true", "false", 1) + " "


def reply(asked: dict[str, Any]) -> str:
    messages = asked["messages"]
    text = str(messages[-1].get("content"))
    careful = "step by step" in str(messages[0].get("content")).lower()
    given = json.dumps([messages, asked.get("seed", 0)], sort_keys=True)
    number = int.from_bytes(hashlib.sha256(given.encode()).digest()[:8], "big")
    answer = solve(text)
    errs = MISJUDGES if JUDGE.search(text) else ERRS_LESS if careful else ERRS
    if number / 2**64 < errs:
        answer = wrong(answer, number)
    steps = "I read the task. I do one thing after the other. " * 4 + "\n" if careful else ""
    return f"{steps}Answer: {answer}"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        text = reply(asked)
        sizes = len(json.dumps(asked["messages"])) // 4, len(text) // 4
        content = json.dumps({
            "object": "chat.completion", "model": asked["model"],
            "choices": [{
                "index": 0, "finish_reason": "stop",
                "message": {"role": "assistant", "content": text},
            }],
            "usage": {"prompt_tokens": sizes[0], "completion_tokens": sizes[1]},
        }).encode()  # fmt: skip
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """A log of each call says nothing that the transcript does not."""


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", 8000), Handler).serve_forever()
