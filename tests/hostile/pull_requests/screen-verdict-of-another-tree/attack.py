from tests.hostile.screens import StepResult, approved, enter, ran


def attack(forge) -> StepResult:
    source = enter(forge, {"main.py": "add = sum\n"})
    folder = ran(forge, source)
    return approved(forge, enter(forge, {"main.py": "import socket\n"}), folder, by="")
