"""Asks in both forms."""

import json
import os
import sys
from pathlib import Path
from urllib.request import Request, urlopen


def ask(url, **more):
    body = {"model": "echo", "max_tokens": 20, "messages": [{"role": "user", "content": "hello"}]}
    headers = {"Content-Type": "application/json", "Authorization": "Bearer x"}
    request = Request(url, json.dumps(body | more).encode(), headers)  # noqa: S310
    with urlopen(request) as answer:  # noqa: S310
        return json.load(answer)


chat = ask(os.environ["OPENAI_BASE_URL"] + "/chat/completions")
messages = ask(os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages")
answers = [chat["choices"][0]["message"]["content"], messages["content"][0]["text"]]
(Path(sys.argv[1]) / "answers.txt").write_text(" ".join(answers))
