"""Forms that `pullbench forms` writes, and what says that one is out of date."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from evaluator.core.errors import Problem
from evaluator.core.planning.snapshot import load_snapshot
from evaluator.importing.edited_yaml import with_value
from evaluator.plugins.forms.issue_form import check_forms, enterable, form_text, terms_of
from tests.ci.policy.test_entrants import BUNDLE
from tests.repository import Repository
from tests.site.conftest import ROOT

FORM = ".github/ISSUE_TEMPLATE/enter-adding.yml"


def put(repo: Repository, value: object, *keys: str | int) -> None:
    file = repo.path / BUNDLE
    file.write_bytes(with_value(file.read_bytes(), value, *keys))


def asks(repo: Repository, key: str, kind: str, *, required: bool = True, **more: object) -> None:
    question = {"key": key, "type": kind, "title": f"What {key}?", "is_required": required} | more
    put(repo, question, "fact_sheet", key)


@pytest.fixture
def repository(small: Repository) -> Repository:
    put(small, True, "pullbench", "form")
    put(small, True, "pullbench", "accept_terms")
    asks(small, "data", "checkbox")  # each is put before the others
    asks(small, "other", "select", selection=["None", "some"], required=False)
    asks(small, "size", "select", selection=["small", "large"])
    asks(small, "method", "text")
    return small


def faults(repo: Repository) -> list[Problem]:
    """Of the form: entries there do not answer the new questions."""
    return [one for one in repo.problems() if one.key == "pullbench.form"]


def check_schema(*files: Path) -> None:
    done = subprocess.run(
        [Path(sys.executable).parent / "check-jsonschema",
         "--builtin-schema", "vendor.github-issue-forms", *files],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_a_form_asks_what_the_bundle_asks(repository: Repository) -> None:
    done = repository.pullbench("forms")
    assert done.stdout == f"{FORM}\nCommit them.\n", done.stderr
    file = repository.path / FORM
    check_schema(file)
    notice, *fields = yaml.safe_load(file.read_text())["body"]
    assert "public at once" in notice["attributes"]["value"]
    labels = [field["attributes"]["label"] for field in fields]
    assert labels == ["Benchmark", "Name of your entry", "Your file", "What method?", "What size?",
                      "What other?", "What data?", "Terms"]  # fmt: skip
    *_, method, size, other, data, terms = fields
    assert method["validations"] == {"required": True}
    assert size["attributes"]["options"] == ["small", "large"]
    assert other["type"] == "input"  # GitHub keeps the word None for itself
    assert not data["attributes"]["options"][0]["required"]
    (option,) = terms["attributes"]["options"]
    assert option["required"]
    assert "checked" not in file.read_text()  # nothing is accepted by default
    assert not faults(repository)
    assert repository.pullbench("forms").stdout == "nothing to write\n"


@pytest.mark.parametrize("committed", [True, False])
def test_a_form_that_asks_something_else_is_out_of_date(
    repository: Repository, committed: bool
) -> None:
    (missing,) = faults(repository)
    assert f"{FORM} is not there" in missing.message
    repository.pullbench("forms")
    if committed:
        repository.commit("A form")
    for change in (
        lambda: asks(repository, "method", "text", required=False),
        lambda: repository.write("benchmarks/adding/terms.md", "Other terms.\n"),
    ):
        assert not faults(repository)
        change()
        (old,) = faults(repository)
        assert "asks what the bundle asked before" in old.message
        assert "pullbench forms" in old.hint
        repository.pullbench("forms")
    # A commit is judged by the form that it has, and not by that of the working tree.
    tip = repository.commit("Both")
    repository.write(FORM, "name: other\n")
    repository.commit("Another")
    assert not list(check_forms(load_snapshot(repository.path, tip), ()))
    assert list(check_forms(load_snapshot(repository.path), ()))


def test_what_is_sealed_has_no_form(repository: Repository) -> None:
    repository.pullbench("forms")
    seal = {"until": "2030-01-01", "to": f"age1{'q' * 58}"}
    put(repository, {0: {"seal": seal}}, "pullbench", "phases")
    assert any("no form can take what is sealed" in one.message for one in faults(repository))
    (repository.path / FORM).unlink()
    assert repository.pullbench("forms").stdout == "nothing to write\n"


def test_two_fields_of_one_label_are_told_apart_by_nobody(repository: Repository) -> None:
    asks(repository, "mine", "text", title="Your  file")
    assert any("the label 'Your file'" in one.message for one in faults(repository))


def test_phases_are_chosen_and_reported_ones_take_no_entry(repo: Repository) -> None:
    snapshot = load_snapshot(ROOT)
    reported = snapshot.benchmarks["ogb-lsc-paper-mag240m"]
    assert enterable(reported) == []
    several = next(one for one in snapshot.benchmarks.values() if len(enterable(one)) > 1)
    text = form_text(several, b"", "")
    (field,) = (one for one in yaml.safe_load(text)["body"] if
                one["attributes"].get("label") == "Phase")  # fmt: skip
    assert field["attributes"]["options"] == [phase.slug for phase in enterable(several)]


def test_every_benchmark_here_could_have_a_form(tmp_path: Path) -> None:
    snapshot = load_snapshot(ROOT)
    files = []
    for benchmark in snapshot.benchmarks.values():
        if enterable(benchmark):
            files.append(tmp_path / f"{benchmark.name}.yml")
            files[-1].write_bytes(form_text(benchmark, terms_of(snapshot, benchmark), ""))
    assert len(files) > 10
    check_schema(*files)


def test_init_writes_the_form_of_a_course(repo: Repository) -> None:
    repo.commit("Begin")
    done = repo.pullbench("init", "exercises", "--template", "course")
    assert done.returncode == 0, done.stderr
    form = ".github/ISSUE_TEMPLATE/enter-exercises.yml"
    assert f"new: {form}\n" in done.stdout
    check_schema(repo.path / form)
