"""Compare answers with the right ones, and let two judges compare the files.

Usage: scoring.py INPUT OUTPUT, where INPUT holds ref/answers.json and res/answers.jsonl.
"""

import json
import math
import os
import sys
from pathlib import Path
from typing import Any, NoReturn
from urllib.request import Request, urlopen

LONGEST = 100_000  # of an answer
JUDGED = 2_000  # characters of a file that a judge reads, so that its budget lasts
JUDGES = {
    "judge_strict": "Compare all signs.",
    "judge_lenient": "Do not mind brackets and spaces.",
}
COLUMNS = {"puzzle": "puzzles", "table": "tables", "file": "files"}


def refuse(output: Path, message: str) -> NoReturn:
    (output / "rejected.txt").write_text(message + "\n", encoding="utf-8")
    sys.exit(message)


def read(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def read_answers(file: Path, output: Path, wanted: set[str]) -> dict[str, str]:
    if not file.is_file():
        refuse(output, "there is no file answers.jsonl")
    answers: dict[str, str] = {}
    for number, line in enumerate(file.read_bytes().splitlines(), start=1):
        given = read(line.decode("utf-8", "replace"))
        id_ = given.get("id") if isinstance(given, dict) else None
        answer = given.get("answer") if isinstance(given, dict) else None
        if not isinstance(id_, str) or not isinstance(answer, str) or len(answer) > LONGEST:
            refuse(output, f"answers.jsonl, line {number}: has no texts 'id' and 'answer'")
        if id_ not in wanted or id_ in answers:
            refuse(output, f"answers.jsonl, line {number}: no such task is open")
        answers[id_] = answer
    if missing := sorted(wanted - answers.keys()):
        refuse(output, f"answers.jsonl: there is no answer for {', '.join(missing)}")
    return answers


def is_right(kind: str, answer: str, truth: Any) -> bool:
    if kind == "file":
        return json.dumps(read(answer), sort_keys=True) == json.dumps(truth, sort_keys=True)
    try:
        return math.isclose(float(answer), truth, rel_tol=0, abs_tol=1e-6)
    except ValueError:
        return False


def says_yes(prompt: str, right: str, given: str) -> bool:
    files = json.dumps({"right": right, "given": given})
    text = f"{prompt} Is the given file the right one?\n{files}"
    body = {
        "model": "judge", "max_completion_tokens": 20,
        "messages": [{"role": "user", "content": text}],
    }  # fmt: skip
    request = Request(
        os.environ["OPENAI_BASE_URL"] + "/chat/completions", json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )  # fmt: skip
    with urlopen(request) as answer:
        said: str = json.load(answer)["choices"][0]["message"]["content"]
    return said.partition("Answer:")[2].strip() == "yes"


def judge(prompt: str, given: str, right: Any, another: Any) -> bool:
    """Whether a judge says that a file is right, and not that it is another one, too.

    A file that talks the judge into it is "right" whatever it is held against.
    """
    content = read(given)
    given = given if content is None else json.dumps(content)
    if len(given) > JUDGED:
        return False
    is_right = says_yes(prompt, json.dumps(right), given)
    return not says_yes(prompt, json.dumps(another), given) and is_right


def shown(answer: str) -> str:
    return "".join(one if one.isprintable() else " " for one in answer[:200])


def main(source: Path, output: Path) -> None:
    truth = json.loads((source / "ref" / "answers.json").read_text())
    answers = read_answers(source / "res" / "answers.jsonl", output, set(truth))
    right = {id_: is_right(one["kind"], answers[id_], one["answer"]) for id_, one in truth.items()}
    scores = {"solved": sum(right.values()) / len(right)}
    for kind, column in COLUMNS.items():
        of_kind = [right[id_] for id_, one in truth.items() if one["kind"] == kind]
        scores[column] = sum(of_kind) / len(of_kind)
    files = [id_ for id_, one in truth.items() if one["kind"] == "file"]
    verdicts = {
        column: [
            judge(prompt, answers[id_], truth[id_]["answer"], truth[other]["answer"])
            for id_, other in zip(files, files[1:] + files[:1], strict=True)
        ]
        for column, prompt in JUDGES.items()
    }
    for column, said in verdicts.items():
        scores[column] = sum(said) / len(said)
    agree = [one == other for one, other in zip(*verdicts.values(), strict=True)]
    scores["agreement"] = sum(agree) / len(agree)
    (output / "scores.json").write_text(json.dumps(scores))
    with (output / "samples.jsonl").open("w") as file:
        for id_, one in sorted(truth.items()):
            sample = {
                "id": id_, "scores": {"solved": float(right[id_])}, "group": one["kind"],
                "texts": {"answer": shown(answers[id_])},
            }  # fmt: skip
            file.write(json.dumps(sample) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
