"""Compare answers with the right ones.

Usage: scoring.py INPUT OUTPUT, where INPUT holds ref/answers.json and res/answers.jsonl.
"""

import json
import re
import sys
from pathlib import Path
from typing import NoReturn

NUMBER = re.compile(r"\s*[+-]?[0-9]{1,18}\s*")


def refuse(output: Path, message: str) -> NoReturn:
    (output / "rejected.txt").write_text(message + "\n", encoding="utf-8")
    sys.exit(message)


def read_answers(file: Path, output: Path, wanted: set[str]) -> dict[str, str]:
    answers: dict[str, str] = {}
    if not file.is_file():
        refuse(output, "there is no file answers.jsonl")
    for number, line in enumerate(file.read_bytes().splitlines(), start=1):
        try:
            given = json.loads(line)
            id_, answer = given["id"], given["answer"]
        except (ValueError, KeyError, TypeError, RecursionError):
            refuse(output, f"answers.jsonl, line {number}: has no 'id' and 'answer'")
        if not isinstance(answer, str) or id_ not in wanted or id_ in answers:
            refuse(output, f"answers.jsonl, line {number}: is no answer, or one of no open puzzle")
        answers[id_] = answer
    if missing := sorted(wanted - answers.keys()):
        refuse(output, f"answers.jsonl: there is no answer to {', '.join(missing)}")
    return answers


def main(source: Path, output: Path) -> None:
    truth = json.loads((source / "ref" / "answers.json").read_text())
    answers = read_answers(source / "res" / "answers.jsonl", output, set(truth))
    right = {
        id_: bool(NUMBER.fullmatch(answers[id_])) and int(answers[id_]) == number
        for id_, number in truth.items()
    }
    (output / "scores.json").write_text(json.dumps({"solved": sum(right.values()) / len(right)}))
    with (output / "samples.jsonl").open("w") as file:
        for id_, is_right in sorted(right.items()):
            shown = "".join(one if one.isprintable() else " " for one in answers[id_][:100])
            sample = {"id": id_, "scores": {"solved": int(is_right)}, "texts": {"answer": shown}}
            file.write(json.dumps(sample) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
