from tests.hostile.screens import Step, approved, enter, ran


def attack(forge) -> Step:
    source = enter(forge, {"main.py": "add = sum\n"})
    folder = ran(forge, source)
    return approved(forge, enter(forge, {"main.py": "import socket\n"}), folder, by="")
