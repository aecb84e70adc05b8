"""Asks ten times, and says how the sixth ends."""

import json
import os
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

answers = []
for _ in range(10):
    body = {"model": "echo", "max_tokens": 20, "messages": [{"role": "user", "content": "hello"}]}
    url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
    request = Request(url, json.dumps(body).encode())  # noqa: S310
    try:
        with urlopen(request) as answer:  # noqa: S310
            answers.append(json.load(answer)["choices"][0]["message"]["content"])
    except HTTPError as error:
        print(error.code, error.headers["x-should-retry"], error.read().decode())
(Path(sys.argv[1]) / "answers.txt").write_text(" ".join(answers))
