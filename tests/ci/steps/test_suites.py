"""Suites in pull requests: organisers' alone, and checked."""

from tests.ci.steps.conftest import NOON, ORGANISER, Forge
from tests.core.planning.test_suites import GOOD
from tests.steps import judge


def test_a_pull_request_is_judged_by_it(forge: Forge) -> None:
    source = forge.open(1, {"suites/mine.yaml": GOOD.replace("version: 2", "version: no")})
    errors = judge(forge.ours.path, source, ORGANISER, NOON).errors
    assert [(item.file, item.key) for item in errors] == [("suites/mine.yaml", "version")]
    errors = judge(forge.ours.path, source, "mallory", NOON).errors
    assert [item.message for item in errors] == ["is not a participant's to change"]
