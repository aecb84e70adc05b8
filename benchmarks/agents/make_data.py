"""Make the tasks from a seed: input_data, reference_data, and digests for the screen."""

import hashlib
import json
import random
from pathlib import Path

HERE = Path(__file__).parent
CITIES = ("Oslo", "Bergen", "Tromso", "Bodo")
THINGS = ("lamps", "chairs", "bowls")


def calculation(draw: random.Random) -> tuple[str, float]:
    a, b, c = draw.randint(12, 99), draw.randint(12, 99), draw.randint(100, 999)
    return f"What is {a} * {b} - {c}?", a * b - c


def sequence(draw: random.Random) -> tuple[str, float]:
    start, step = draw.randint(1, 50), draw.randint(3, 19)
    numbers = ", ".join(str(start + step * place) for place in range(5))
    return f"Which number follows: {numbers}?", start + 5 * step


def table(draw: random.Random) -> tuple[str, float]:
    rows = [
        (city, thing, draw.randint(1, 40), draw.randint(2, 30))
        for city in CITIES
        for thing in THINGS
    ]
    draw.shuffle(rows)
    lines = ["city,thing,units,price", *(",".join(map(str, row)) for row in rows)]
    city, what = draw.choice(CITIES), draw.choice(("units", "price"))
    values = [row[2 if what == "units" else 3] for row in rows if row[0] == city]
    question = f"What is the sum of {what} where city is {city}?"
    return "\n".join([*lines, "", question]), sum(values)


def file(draw: random.Random) -> tuple[str, object]:
    content = {
        "name": f"service-{draw.randint(1, 99)}",
        "ports": [draw.randint(1000, 9999) for _ in range(3)],
        "limits": {"memory": 2 ** draw.randint(6, 12), "debug": draw.random() < 0.5},
    }
    text = json.dumps(content, indent=1)
    fault = draw.choice(("comma", "quotes", "bracket"))
    if fault == "comma":
        text = text.replace("\n }", ",\n }")
    elif fault == "quotes":
        text = text.replace('"name"', "'name'")
    else:
        text = text.removesuffix("}")
    return f"Mend this JSON file:\n{text}", content


def main() -> None:
    draw = random.Random(7)
    kinds = [calculation] * 4 + [sequence] * 3 + [table] * 7 + [file] * 6
    names = {calculation: "puzzle", sequence: "puzzle", table: "table", file: "file"}
    tasks, answers = [], {}
    for number, make in enumerate(kinds, start=1):
        text, answer = make(draw)
        id_ = f"task-{number:02}"
        tasks.append({"id": id_, "kind": names[make], "text": text})
        answers[id_] = {"kind": names[make], "answer": answer}
    lines = "".join(json.dumps(task) + "\n" for task in tasks)
    (HERE / "input_data" / "tasks.jsonl").write_text(lines)
    (HERE / "reference_data" / "answers.json").write_text(json.dumps(answers, indent=1) + "\n")
    words = {
        one["answer"]["name"] if one["kind"] == "file" else str(one["answer"])
        for one in answers.values()
    }
    digests = sorted(hashlib.sha256(word.encode()).hexdigest() for word in words)
    (HERE / "screen" / "answers.json").write_text(json.dumps(digests, indent=1) + "\n")


if __name__ == "__main__":
    main()
