"""Controls in the job of a pull request, under act: a cheat that pays turns it red."""

import pytest

from tests.workflows.scene import NAME, ORGANISER, Scene

pytestmark = pytest.mark.docker
SCORING = f"benchmarks/{NAME}/scoring_program/scoring.py"
ZIP = "zip(true, predicted, strict=True)"


def test_a_weaker_scorer_turns_the_pull_request_of_an_organiser_red(scene: Scene) -> None:
    text = (scene.clone.path / SCORING).read_text()
    weaker = text.replace(" or not all(abs(y) < 1e100 for y in predicted)", "")
    weaker = weaker.replace(ZIP, f"{ZIP} if p == p")  # what is no number costs nothing
    assert weaker.count("if p == p") == 1
    scene.propose(1, {SCORING: weaker}, login=ORGANISER)
    ran = scene.pull("opened", "validate")
    assert ran.results == {"validate": "success", "controls": "failure"}, ran.log
    assert "no-numbers" in ran.log, ran.log
    scene.propose(2, {SCORING: f"{text}# The same.\n"}, login=ORGANISER)
    ran = scene.pull("opened", "validate", number=2)
    assert ran.results == {"validate": "success", "controls": "success"}, ran.log
