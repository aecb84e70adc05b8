"""Write the tasks: instances of the literature, with seeds of breakdowns for each phase.

Usage: python3 make_data practice
       python3 make_data ranking FOLDER [SECRET]

``practice`` writes into the starting kit, with seeds that everybody knows. ``ranking`` writes what
belongs into a runner's data folder; its seeds follow from the secret. Prints nothing.
Standard library alone.
"""

import hashlib
import hmac
import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
DEMONSTRATION_SECRET = "everybody may know this one"
"""Of the repository in which this benchmark is a demonstration: so anybody can make its board
again. Who means it takes another, publishes it after the end, and pins the digests anew."""
PRACTICE = ("ft06", "ft10", "la03")
EPISODES = 3
"""With breakdowns; one without comes first."""


def seeds(name: str, secret: str) -> list[str | None]:
    drawn = [
        hmac.new(secret.encode(), f"{name}/{episode}".encode(), hashlib.sha256).hexdigest()[:32]
        for episode in range(EPISODES)
    ]
    return [None, *drawn]


def write(folder: Path, name: str, *, secret: str, sealed: bool) -> None:
    known = json.loads((HERE / "instances.json").read_text(encoding="ascii"))[name]
    task = {"instance": name, "sealed": sealed, "seeds": seeds(name, secret), **known}
    (folder / name).mkdir(parents=True, exist_ok=True)
    text = json.dumps(task) + "\n"
    (folder / name / "task.json").write_text(text, encoding="ascii")


def main(arguments: list[str]) -> None:
    if arguments == ["practice"]:
        for name in PRACTICE:
            write(HERE.parent / "starting_kit/practice", name, secret="practice", sealed=False)
    elif arguments[:1] == ["ranking"] and len(arguments) in (2, 3):
        secret = arguments[2] if len(arguments) == 3 else DEMONSTRATION_SECRET
        names = json.loads((HERE / "instances.json").read_text(encoding="ascii"))
        for name in names:
            folder = Path(arguments[1]) / "autorl-jobshop/ranking"
            write(folder, name, secret=secret, sealed=True)
    else:
        raise SystemExit("usage: make_data practice | make_data ranking FOLDER [SECRET]")


if __name__ == "__main__":
    main(sys.argv[1:])
