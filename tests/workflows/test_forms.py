"""A person without git enters by the form: refused twice, then on the board. Under act."""

import pytest

from evaluator.core.planning.snapshot import load_snapshot
from evaluator.plugins.forms.issue_form import fields_of
from tests.plugins.forms.desk import zipped
from tests.workflows.scene import GOOD, NAME, PARTICIPANT, Scene

pytestmark = pytest.mark.docker
DONE = {"fetch": "success", "open": "success"}
FILE = "/user-attachments/files/77/my-work.zip"
BUNDLE = f"benchmarks/{NAME}/competition.yaml"


def test_who_has_no_git_enters_mends_and_sees_a_rank(scene: Scene) -> None:
    keys = "  form: true\n  policy: {approve: {code: everyone}, merge: true}\n"
    scene.clone.replace(BUNDLE, "pullbench:\n", f"pullbench:\n{keys}")
    scene.clone.pullbench("forms")
    scene.commit("A form")
    scene.forge.files[FILE] = f"{scene.forge.api}/storage"
    labels = [field.label for field in fields_of(
        load_snapshot(scene.clone.path).benchmarks[NAME], b"")]  # fmt: skip
    assert labels == ["Benchmark", "Name of your entry", "Your file"]

    def fill_in(file: str, content: bytes) -> tuple[int, str]:
        scene.forge.files["/storage"] = content
        answers = (NAME, "slope", file)
        texts = zip(labels, answers, strict=True)
        body = "\n\n".join(f"### {label}\n\n{text}" for label, text in texts)
        number, ran = scene.fill_in(body)
        assert ran.results == DONE, ran.log
        assert not [text for text in ran.commands if "evil" in text]
        (said,) = scene.forge.comments_of(number)
        return number, said

    dropped = f"[my-work.zip]({scene.forge.api}{FILE})"
    _, said = fill_in("::error::evil $(echo evil)", b"")
    assert "has to hold one file that you dropped there" in said
    _, said = fill_in(dropped, zipped({"scores/main.json": b"{}", "model.py": GOOD.encode()}))
    assert "which CI alone writes" in said
    assert scene.forge.pulls == {}
    assert scene.forge.dispatched == []

    number, said = fill_in(dropped, zipped({"mine/model.py": GOOD.encode()}))
    assert scene.forge.pulls[1]["html_url"] in said
    assert scene.forge.issues[number]["state"] == "closed"
    scene.act.app = "Iv23abc"
    evaluated = scene.proceed()
    assert evaluated.results["finish"] == "success", evaluated.log
    (said,) = scene.forge.comments_of(number)
    assert PARTICIPANT in said
    assert "example" in said  # the whole board
    assert "#1" in said
    assert "pullbench merged it by itself" in said
    merged = scene.push()
    assert merged.results["site"] == "success", merged.log
    assert scene.record(scene.cell()).error is None
