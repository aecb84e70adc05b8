import io
import zipfile

from tests.hostile.screens import StepResult, approved, enter, ran


def attack(forge) -> StepResult:
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("zeros", bytes(2**26))
    files = {"main.py": "(" * 9_000, "bomb.zip": bomb.getvalue(), "/".join("d" * 50): "deep\n"}
    source = enter(forge, files)
    return approved(forge, source, ran(forge, source), by="")
