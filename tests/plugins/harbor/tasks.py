"""Ten tasks as Harbor has them: what each puts where, and how its tests look at it."""

from pathlib import Path

FILE = """
schema_version = "1.4"
[task]
name = "example/{name}"
[agent]
timeout_sec = 60.0
[verifier]
timeout_sec = 30.0
[environment]
network_mode = "no-network"
"""
IMAGE = "python:3.11-slim"
DOCKERFILE = f"FROM {IMAGE}\nWORKDIR /app\n"
TEST = "python3 /tests/test.py && echo 1 > /logs/verifier/reward.txt \\\n"
TEST += "  || echo 0 > /logs/verifier/reward.txt\n"


def asserts(path: str, text: str) -> str:
    return f"from pathlib import Path\nassert Path({path!r}).read_text() == {text!r}\n"


def task(name: str, solution: str, **files: str) -> dict[str, str]:
    """Files of a task; names of folders are written with two underscores."""
    named = {path.replace("__", "/"): text for path, text in files.items()}
    return {
        "task.toml": FILE.format(name=name), "instruction.md": f"# {name}\n\nWork in /app.\n",
        "environment/Dockerfile": DOCKERFILE, "tests/test.sh": TEST,
        "solution/solve.sh": f"#!/bin/bash\nset -e\n{solution}\n", **named,
    }  # fmt: skip


def with_keys(name: str, more: str, solution: str, **files: str) -> dict[str, str]:
    made = task(name, solution, **files)
    return {**made, "task.toml": made["task.toml"] + more}


TASKS = {
    "hello": task("hello", "echo hello > /app/hello.txt",
                  **{"tests/test.py": asserts("/app/hello.txt", "hello\n")}),
    "count-lines": task(
        "count-lines", "wc -l < data.txt > count.txt",
        **{"environment/Dockerfile": f"{DOCKERFILE}COPY data.txt .\n",
           "environment/data.txt": "a\nb\nc\n",
           "tests/test.py": asserts("/app/count.txt", "3\n")},
    ),
    "sort": task(
        "sort", "sort /workspace/in/names.txt > /workspace/out.txt",
        **{"environment/Dockerfile": f"FROM {IMAGE}\nWORKDIR /workspace\nCOPY names/ in/\n",
           "environment/names/names.txt": "bob\nann\n", "environment/names/more/x.txt": "x\n",
           "tests/test.py": asserts("/workspace/out.txt", "ann\nbob\n")},
    ),
    "mend-json": task(
        "mend-json", "sed -i 's/,}/}/' /app/a.json",
        **{"environment/Dockerfile": f"{DOCKERFILE}COPY . /app\n",
           "environment/a.json": '{"a": 1,}',
           "tests/test.py": "import json\nassert json.load(open('/app/a.json')) == {'a': 1}\n"},
    ),
    "modules": task(
        "modules", "echo 7 > /app/seven",
        **{"tests/test.sh": "cd /tests && python3 -m unittest test_state\n"
           "echo $((1 - ($? != 0))) > /logs/verifier/reward.txt\n",
           "tests/help.py": "def read(name):\n    return open(f'/app/{name}').read()\n",
           "tests/test_state.py": "import unittest\nfrom help import read\n"
           "class Test(unittest.TestCase):\n"
           "    def test(self):\n        self.assertEqual(read('seven'), '7\\n')\n"},
    ),
    "named-rewards": task(
        "named-rewards", "touch /app/done",
        **{"tests/test.sh": "if [ -f /app/done ]; then r=1; else r=0; fi\n"
           "echo \"{\\\"right\\\": $r, \\\"fast\\\": $r}\" > /logs/verifier/reward.json\n"},
    ),
    "variables": with_keys(
        "variables",
        '[environment.env]\nWORD = "w \\"1\\""\n[verifier.env]\nWANTED = "w \\"1\\"\\n"\n',
        'echo "$WORD" > word.txt',
        **{"tests/test.py": "import os\n"
           "assert open('/app/word.txt').read() == os.environ['WANTED']\n"},
    ),
    "of-the-solution": with_keys(
        "of-the-solution", "[solution.env]\nANSWER = \"it's 42\"\n",
        'cp /solution/part.txt . && echo "$ANSWER" >> part.txt',
        **{"solution/part.txt": "so ", "tests/test.py": asserts("/app/part.txt", "so it's 42\n")},
    ),
    "an-image": with_keys(
        "an-image", f'docker_image = "{IMAGE}"\ncpus = 1\nmemory_mb = 256\n',
        "mkdir -p deep/er && echo x > deep/er/x",
        **{"tests/test.py": asserts("deep/er/x", "x\n")},
    ),
    "a-program": task(
        "a-program", "echo 'print(input()[::-1])' > /app/turn.py",
        **{"tests/test.sh": "out=$(echo abc | python3 /app/turn.py)\n"
           'if [ "$out" = cba ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n'},
    ),
}  # fmt: skip


def write(folder: Path, tasks: dict[str, dict[str, str]]) -> Path:
    for name, files in tasks.items():
        for path, text in files.items():
            file = folder / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
    return folder
