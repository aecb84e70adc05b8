"""Codabench's competition.yaml: what is kept to the byte, written anew, or refused."""

import datetime as dt
from pathlib import Path
from typing import Any

import pytest

from evaluator.core.formats.schema import dump_yaml
from evaluator.importing.files import PLAIN_LOGO
from tests.importing.sources import BOARD, COMMAND, SCORE, V2_FILES, Desk, said, v2, zipped

PHASE: dict[str, Any] = {"index": 0, "name": "Main", "start": "2020-01-01", "tasks": [0]}
TASK: dict[str, Any] = {"index": 0, "name": "Sums", "scoring_program": "scoring_program"}
UUID = "0b1ab1b2-0000-4000-8000-00000000abcd"


def test_a_valid_file_keeps_its_bytes(desk: Desk) -> None:
    text = (
        "# Ours since 2020\r\n"
        + dump_yaml(v2()).decode().replace("\n", "\r\n")
        + "# reference_data/ is secret\r\n"
    )
    text = text.replace("reference_data: reference_data", "reference_data: ./reference_data/")
    done = desk.take(desk.zip({"competition.yaml": "\ufeff" + text, **V2_FILES}))
    assert not done.problems
    assert desk.read("competition.yaml") == "\ufeff" + text


def test_what_codabench_tolerates_is_written_anew(desk: Desk) -> None:
    second = {"name": "Late", "start": "3-1-2021", "tasks": 0, "max_submissions": None}
    phase = {key: value for key, value in PHASE.items() if key != "index"}
    done = desk.take_v2(
        title=2020,
        published=True,
        colour="red",
        phases=[{**phase, "end": dt.datetime(2021, 2, 1, 12, 30)}, second],
        leaderboards=[{**BOARD, "columns": [{**BOARD["columns"][0], "sortng": "asc"}]}],
    )
    assert not done.refused
    data = desk.data()
    assert data["title"] == "2020"
    assert "published" not in data
    assert "colour" not in data
    assert [phase["index"] for phase in data["phases"]] == [0, 1]
    assert data["phases"][0]["end"] == "2021-02-01T12:30:00+00:00"
    assert data["phases"][1]["start"] == "2021-03-01T00:00:00+00:00"
    assert data["phases"][1]["tasks"] == [0]
    warnings = said(done, "warning")
    assert "colour: is not a known key" in warnings
    assert "sortng: is not a known key; it is left out" in warnings
    assert "Was 'sorting' meant?" in warnings
    assert said(done, "note").endswith("competition.yaml: is written anew. [organiser must act]")


def test_a_key_says_where_it_belongs(desk: Desk) -> None:
    done = desk.take_v2(max_submissions_per_day=3, columns=[])
    warnings = said(done, "warning")
    assert "max_submissions_per_day: is a key of the entries of 'phases'" in warnings
    assert "columns: is a key of the entries of 'leaderboards'" in warnings


@pytest.mark.parametrize(
    ("name", "content", "encoding"),
    [
        ("terms.md", "Über uns … “terms”".encode("cp1252"), "Windows-1252"),
        ("terms.md", "Über uns … “terms”".encode("utf-16"), "UTF-16"),
        ("terms.html", '<meta charset="cp1251">Условия'.encode("cp1251"), "cp1251"),
    ],
)
def test_terms_in_another_encoding(desk: Desk, name: str, content: bytes, encoding: str) -> None:
    done = desk.take_v2({name: content}, terms=name)
    assert not done.refused, said(done)
    assert f"{name}: was {encoding}; it is written as UTF-8" in said(done, "note")
    codec = {"Windows-1252": "cp1252"}.get(encoding, encoding)
    assert desk.read(name) == content.decode(codec)


def test_a_warning_names_the_line_of_the_source(desk: Desk) -> None:
    text = dump_yaml(v2()).decode().replace("version: 2", "# hello\nversion: 2\ncolour: red")
    done = desk.take(desk.zip({"competition.yaml": text, **V2_FILES}))
    assert "competition.yaml:3: colour:" in said(done, "warning")
    assert "is written anew; its comments are gone" in said(done, "note")


def test_fact_sheets_keep_their_answers(desk: Desk) -> None:
    question = {"type": "select", "is_required": "true", "is_on_leaderboard": "false"}
    sheet = {
        "open": {"key": "open", "title": "Open?", "selection": [True, False], **question},
        "lab": {"key": "lab", "title": "Lab", "selection": ["", "A", 7], **question},
    }
    done = desk.take_v2(fact_sheet=sheet)
    assert not done.refused
    assert desk.data()["fact_sheet"]["open"]["selection"] == ["True", "False"]
    assert desk.data()["fact_sheet"]["lab"]["selection"] == ["", "A", "7"]


def test_long_keys_of_columns_are_fine(desk: Desk) -> None:
    column = {"title": "A", "key": "a" * 50, "index": 0}
    assert not desk.take_v2(leaderboards=[{**BOARD, "columns": [column]}]).refused


def test_computation_given_as_text(desk: Desk) -> None:
    columns = [
        {"title": "A", "key": "a", "index": 0},
        {"title": "B", "key": "b", "index": 1},
        {"title": "M", "key": "m", "index": 2, "computation": "AVG", "computation_indexes": "0, 1"},
    ]
    assert not desk.take_v2(leaderboards=[{**BOARD, "columns": columns}]).refused
    assert desk.data()["leaderboards"][0]["columns"][2]["computation_indexes"] == [0, 1]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"phases": [{**PHASE, "end": "2021-02-01"}, {**PHASE, "index": 1, "name": "B",
                      "start": "2021-01-01"}]}, "is before the end of phase 'Main'"),
        ({"phases": [{**PHASE, "start": "some day"}]}, "must be a date"),
        ({"phases": [{**PHASE, "auto_migrate_to_this_phase": True}]}, "cannot be true on"),
        ({"phases": [{**PHASE, "tasks": [3]}]}, "names task 3"),
        ({"phases": {1: PHASE}}, "is not a list"),
        ({"version": 3}, "is not known"),
        ({"tasks": [{**TASK, "scoring_program": "scorer"}]}, "'scorer' is not in the bundle"),
        ({"tasks": [{"index": 0, "key": UUID}]}, f"names the task {UUID}"),
        ({"tasks": [{**TASK, "input_data": UUID}]}, f"names the data set {UUID}"),
        ({"tasks": [{**TASK, "scoring_program": "reference_data"}]}, "has no metadata.yaml"),
        ({"tasks": [{**TASK, "reference_data": "../secrets"}]}, "climbs out"),
        ({"terms": None}, "terms: is missing"),
    ],
)  # fmt: skip
def test_what_holds_no_benchmark_is_refused_with_the_reason(
    desk: Desk, changes: dict[str, Any], reason: str
) -> None:
    done = desk.take_v2(**changes)
    assert done.refused
    assert reason in said(done, "error")
    assert not (desk.repo.path / "benchmarks").exists()


def test_phases_that_meet_do_not_overlap(desk: Desk) -> None:
    later = {**PHASE, "index": 1, "name": "B", "start": "2021-01-01"}
    assert not desk.take_v2(phases=[{**PHASE, "end": "2021-01-01"}, later]).refused


def test_version_2_without_its_number(desk: Desk) -> None:
    done = desk.take_v2(version=None)
    assert "has no 'version'" in said(done, "warning")
    assert desk.data()["version"] == 2


def test_paths_are_found_however_they_are_written(desk: Desk) -> None:
    task = {"index": 0, "name": "Sums", "scoring_program": ".\\Scoring_Program\\",
            "input_data": "input.zip", "reference_data": "truth"}  # fmt: skip
    done = desk.take_v2(
        {"input/x.csv": "1\n", "truth.zip": zipped({"t.csv": "1\n"})},
        tasks=[task],
        terms="Terms.MD",
    )
    assert not done.refused
    assert desk.data()["terms"] == "terms.md"
    assert desk.data()["tasks"][0] == {
        **task, "scoring_program": "scoring_program", "input_data": "input",
    }  # fmt: skip
    warnings = said(done, "warning")
    assert "holds backslashes" in warnings
    assert "is written 'scoring_program' in the bundle" in warnings
    assert "input.zip: is not in the bundle; 'input' is, and is used" in warnings
    assert "truth: is not in the bundle; 'truth.zip' is" in warnings


def test_zips_are_unpacked_and_those_in_them_stay(desk: Desk) -> None:
    program = zipped({"inner/metadata.yaml": COMMAND, "inner/score.py": SCORE})
    more: dict[str, str | bytes] = {
        "scorer.zip": program,
        "data.zip": zipped({"x.csv": "1\n", "more.zip": zipped({"y": "2"})}),
        "kit.zip": zipped({"README.md": "Hello\n"}),
        "mine.zip": zipped({"model.py": "pass\n"}),
        "mine/model.py": "something else\n",
        "same.zip": zipped({"sum.txt": "3\n"}),
        "same/sum.txt": "3\n",
    }
    done = desk.take_v2(
        more,
        tasks=[
            {"index": 0, "name": "A", "scoring_program": "scorer.zip", "input_data": "data.zip"},
            {
                "index": 1,
                "name": "B",
                "scoring_program": "scorer.zip",
                "reference_data": "same.zip",
            },
        ],
        phases=[{**PHASE, "tasks": [0, 1], "starting_kit": "kit.zip", "public_data": "data.zip"}],
        solutions=[{"index": 0, "tasks": [0], "path": "mine.zip"}],
    )
    assert not done.refused, said(done)
    data = desk.data()
    assert {task["scoring_program"] for task in data["tasks"]} == {"scorer"}
    assert desk.read("scorer/metadata.yaml") == COMMAND
    assert data["tasks"][0]["input_data"] == data["phases"][0]["public_data"] == "data"
    assert "data/more.zip" in done.files
    assert not any(path.startswith("data/more/") for path in done.files)
    assert data["phases"][0]["starting_kit"] == "kit"
    assert data["solutions"][0]["path"] == "mine-2"
    assert data["tasks"][1]["reference_data"] == "same"
    assert not any(path.endswith(".zip") for path in done.files - {"data/more.zip"})


def test_a_program_in_a_folder_of_its_own_is_hoisted(desk: Desk) -> None:
    task = {**TASK, "scoring_program": "scorer"}
    done = desk.take_v2({"scorer/v1/metadata": COMMAND, "scorer/v1/score.py": SCORE}, tasks=[task])
    assert not done.refused
    assert "scorer/metadata" in done.files


def test_empty_data_is_left_out(desk: Desk) -> None:
    task = {**TASK, "reference_data": "nothing.zip", "input_data": "empty"}
    done = desk.take_v2({"empty/": "", "nothing.zip": zipped({})}, tasks=[task])
    assert not done.refused, said(done)
    assert desk.data()["tasks"] == [TASK]
    assert said(done, "warning").count("git holds no empty folder") == 2


def test_stored_data_comes_from_a_folder(desk: Desk) -> None:
    task = {**TASK, "input_data": UUID, "reference_data": UUID.upper()}
    stored = desk.directory({f"{UUID}/x.csv": "1\n"}, "stored")
    done = desk.take_v2(tasks=[task])
    assert "Put it as" in said(done, "error")
    source = desk.zip({"competition.yaml": dump_yaml(v2(tasks=[task])), **V2_FILES})
    done = desk.take(source, files=Path(stored))
    assert not done.refused, said(done)
    assert desk.data()["tasks"][0]["input_data"] == "input_data"
    assert desk.data()["tasks"][0]["reference_data"] == "input_data"
    assert desk.read("input_data/x.csv") == "1\n"


def test_a_stored_task_comes_from_a_folder(desk: Desk) -> None:
    stored = desk.directory(
        {
            f"{UUID}/scoring_program.zip": zipped({"metadata": COMMAND, "score.py": SCORE}),
            f"{UUID}/reference_data/t.csv": "1\n",
        },
        "stored",
    )
    tasks = [{"index": 0, "key": UUID}]
    files = {name: V2_FILES[name] for name in ("logo.png", "terms.md", "overview.md")}
    source = desk.zip({"competition.yaml": dump_yaml(v2(tasks=tasks)), **files})
    done = desk.take(source, files=Path(stored))
    assert not done.refused, said(done)
    assert desk.data()["tasks"] == [
        {"index": 0, "name": "Task 0", "scoring_program": "scoring_program",
         "reference_data": "reference_data"}
    ]  # fmt: skip


def test_what_was_not_packed_comes_from_a_folder(desk: Desk) -> None:
    names = {"scoring_program": "big/score.zip", "reference_data": "truth"}
    bundle = {"competition.yaml": dump_yaml(v2(tasks=[{**TASK, **names}])),
              "logo.png": V2_FILES["logo.png"], "overview.md": "x"}  # fmt: skip
    source = desk.zip(bundle)
    done = desk.take(source)
    assert "are not in the bundle: terms.md, big/score.zip, truth" in said(done, "note")
    assert said(done, "error").count("is not in the bundle") == 3
    missing = desk.directory(
        {
            "terms.md": "Anyone.\n",
            "big/score.zip": zipped({"metadata": COMMAND, "score.py": SCORE}),
            "truth.zip": zipped({"t.csv": "1\n"}),
        },
        "missing",
    )
    done = desk.take(source, files=Path(missing))
    assert not done.refused, said(done)
    assert desk.data()["tasks"][0]["scoring_program"] == "big/score"
    assert desk.read("truth/t.csv") == "1\n"
    assert desk.read("terms.md") == "Anyone.\n"


def test_a_path_cannot_take_files_from_beside_that_folder(desk: Desk) -> None:
    desk.directory({"x.md": "secret"}, "beside")
    folder = Path(desk.directory({"a": "1"}, "missing"))
    (folder / "linked.md").symlink_to("../beside/x.md")
    for path in ("../beside/x.md", "linked.md"):
        source = desk.zip({"competition.yaml": dump_yaml(v2(terms=path)), **V2_FILES})
        assert desk.take(source, files=folder).refused, path


@pytest.mark.docker
def test_data_behind_an_address_are_private_and_pinned(desk: Desk) -> None:
    truth = zipped({"sum.txt": "3\n", "more/sum.txt": "4\n"})
    (desk.folder / "served").mkdir()
    (desk.folder / "served/truth.zip").write_bytes(truth)
    address = (desk.folder / "served/truth.zip").as_uri()
    task = {**TASK, "reference_data": address}
    files = {
        **V2_FILES,
        "scoring_program/score.py": "import json, sys\nfrom pathlib import Path\n"
        "source, target = map(Path, sys.argv[1:])\n"
        "value = int((source / 'ref/more/sum.txt').read_text())\n"
        "(target / 'scores.json').write_text(json.dumps({'score': value}))\n",
    }
    data = v2(tasks=[task], docker_image="python:3.11-slim")
    source = desk.zip({"competition.yaml": dump_yaml(data), **files})
    done = desk.take(source)
    assert f"is an address, {address}; data need a digest" in said(done, "error")
    done = desk.take(source, files=desk.folder / "served")
    assert not done.refused, said(done)
    assert "reference_data" not in desk.data()["tasks"][0]
    (pin,) = desk.data()["pullbench"]["private"]
    assert (pin["task"], pin["file"], pin["url"]) == (0, "reference_data", address)
    assert not [path for path in done.files if path.endswith("sum.txt") and "more" in path]
    desk.repo.write("submissions/new/ada/first/submission.yaml", "")
    desk.repo.write("submissions/new/ada/first/answer.txt", "1")
    desk.repo.commit()
    assert not desk.repo.problems()
    (record,) = desk.repo.run().values()
    assert record.scores == {"score": 4}, record.error


def test_a_program_behind_an_address_and_a_link_to_public_data(desk: Desk) -> None:
    task = {**TASK, "scoring_program": "https://example.org/a/score.zip"}
    phase = {**PHASE, "public_data": "https://example.org/public.zip"}
    done = desk.take_v2(tasks=[task], phases=[phase])
    assert "put it as 'score.zip' into" in said(done, "error")
    assert "public.zip: left out" in said(done, "warning")
    stored = desk.directory(
        {"score.zip": zipped({"metadata": COMMAND, "score.py": SCORE})}, "stored"
    )
    files = {"competition.yaml": dump_yaml(v2(tasks=[task], phases=[phase])), **V2_FILES}
    done = desk.take(desk.zip(files), files=Path(stored))
    assert not done.refused, said(done)
    assert desk.data()["tasks"][0]["scoring_program"] == "score"
    assert "public_data" not in desk.data()["phases"][0]


def test_a_last_phase_that_ends_as_it_starts(desk: Desk) -> None:
    phase = {**PHASE, "end": PHASE["start"]}
    later = {**PHASE, "index": 1, "name": "B", "start": "2021-01-01"}
    done = desk.take_v2(phases=[phase, later])
    assert "is not after the phase's start" in said(done, "error")
    done = desk.take_v2(phases=[phase])
    assert not done.refused, said(done)
    assert "nobody can enter that phase" in said(done, "warning")


def test_a_task_with_key_and_files_is_that_of_its_files(desk: Desk) -> None:
    done = desk.take_v2(tasks=[{**TASK, "key": UUID}])
    assert "is left out: the task's files are given here" in said(done, "warning")
    assert desk.data()["tasks"] == [TASK]


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("print 'hello'\n", "a print statement"),
        ("print >>sys.stderr, x\n", "a print statement"),
        ("try:\n    pass\nexcept ValueError, error:\n    pass\n", "'except Error, name:'"),
        ("raise ValueError, 'no'\n", "'raise Error, text'"),
        ("if a <> b:\n    pass\n", "the operator '<>'"),
        ("x = 0777\n", "an octal number"),
        ("if x:\n\ty = 1\n        z = 2\n", "tabs mixed with spaces"),
    ],
)
def test_python_2_is_told(desk: Desk, source: str, what: str) -> None:
    done = desk.take_v2({"scoring_program/score.py": source})
    assert not done.refused
    assert f"holds {what}" in said(done, "warning")


@pytest.mark.parametrize(
    "source",
    [
        '"""\nprint \'old\'\n"""\nprint("new")\n',
        "def f(:\n",
        "# print 'x'\nx = 1\n",
        "\0",
        "(" * 5000,
    ],
)
def test_python_3_and_plain_nonsense_are_not(desk: Desk, source: str) -> None:
    assert "Python 2" not in said(desk.take_v2({"scoring_program/score.py": source}))


@pytest.mark.parametrize(
    ("metadata", "severity", "reason"),
    [
        ("description: no command\n", "error", "names no command"),
        ("command: [\n", "error", "is not valid YAML"),
        ("command: a\ncommand: python3 $program/score.py\n", "warning", "is there twice"),
        (
            b"command: python3 $program/score.py\ndescription: \xe9t\xe9\n",
            "warning",
            "Windows-1252",
        ),
    ],
)
def test_metadata_that_runs_could_not_read(
    desk: Desk, metadata: str | bytes, severity: str, reason: str
) -> None:
    done = desk.take_v2({"scoring_program/metadata.yaml": metadata})
    assert done.refused is (severity == "error")
    assert reason in said(done, severity)
    if not done.refused:
        assert "python3 $program/score.py" in desk.read("scoring_program/metadata.yaml")


@pytest.mark.parametrize(
    ("command", "word"),
    [
        ("python3 $program/score.py && cat $output/x > $output/scores.txt", "&&"),
        ("python3 $program/score.py $input $output > /dev/null", ">"),
        ("python3 $program/score.py 2>&1", "2>&1"),
        ("python3 $program/score.py | tee x", "|"),
        ("PYTHONPATH=. python3 $program/score.py", "PYTHONPATH="),
        ("python3 $program/score.py; true", ";"),
        ("cd $program", "cd"),
        ('sh -c "python3 $program/score.py && true > x"', ""),
        ("python3 $program/score.py --of='a|b' --all=x $input", ""),
        ("python3 $program/score.py a\\;b", ""),
    ],
)
def test_words_of_a_shell_are_named_at_import_and_by_validate(
    desk: Desk, command: str, word: str
) -> None:
    text = dump_yaml({"description": "x", "command": command}).decode()
    done = desk.take_v2({"scoring_program/metadata.yaml": text})
    message = f"scoring_program/metadata.yaml:2: command: holds '{word}', which is a word of its"
    assert not done.refused, said(done)
    assert (message in said(done, "warning")) is bool(word), said(done)
    found = "\n".join(map(str, desk.repo.problems()))
    assert (f"benchmarks/new/{message}" in found) is bool(word), found


def test_what_is_wrong_with_metadata_has_its_line_and_key(desk: Desk) -> None:
    done = desk.take_v2({"scoring_program/metadata.yaml": "a: 1\ncommand: [\n"})
    assert "scoring_program/metadata.yaml:3: is not valid YAML" in said(done, "error")
    done = desk.take_v2({"scoring_program/metadata.yaml": "\n"})
    assert "Add a line such as 'command: python3" in said(done, "error")
    twice = "command: a\ncommand: python3 $program/score.py\n"
    done = desk.take_v2({"scoring_program/metadata.yaml": twice})
    assert "scoring_program/metadata.yaml:2: command: is there twice" in said(done, "warning")
    desk.repo.write("benchmarks/new/scoring_program/metadata.yaml", twice)
    (problem,) = (one for one in desk.repo.problems() if one.severity == "error")
    assert str(problem).startswith("benchmarks/new/scoring_program/metadata.yaml:2: command: is th")


def test_ingestion_without_a_command_is_a_warning(desk: Desk) -> None:
    # Codabench ignores that ingestion fails there; bundles for results submissions rely on it.
    task = {**TASK, "ingestion_program": "ingestion"}
    done = desk.take_v2({"ingestion/metadata": "description: nothing\n"}, tasks=[task])
    assert "names no command" in said(done, "warning")
    assert not done.refused


def test_the_extension_is_kept(desk: Desk) -> None:
    extension = {"limits": {"memory": "1 GiB"}, "columns": {"score": {"group": "All"}}}
    desk.take_v2(pullbench=extension, colour="red")
    assert desk.data()["pullbench"] == extension


@pytest.mark.parametrize(("extension", "queue"), [(None, "default"), ({"queue": "gpu"}, "gpu")])
def test_a_queue_of_codabench(desk: Desk, extension: dict[str, str] | None, queue: str) -> None:
    number = "3e9a2f66-9b1e-4c0f-8f3e-2f7f6d0c1a55"
    done = desk.take_v2(queue=number, pullbench=extension)
    assert not done.refused
    assert f"queue: names a queue of a Codabench server; cells go to the queue '{queue}'" in said(
        done, "warning"
    )
    assert desk.data()["queue"] == number
    desk.repo.commit()
    assert desk.repo.snapshot().benchmarks["new"].queue == queue


def test_parallel_mode_without_an_ingestion_program(desk: Desk) -> None:
    task = {"index": 0, "name": "Sums", "scoring_program": "scoring_program",
            "ingestion_only_during_scoring": True}  # fmt: skip
    done = desk.take_v2(tasks=[task])
    assert not done.refused
    assert "Codabench runs it before" in said(done, "warning")
    logo = PLAIN_LOGO.read_bytes()
    desk.repo.write("benchmarks/new/logo.png", logo)
    exported = desk.repo.pullbench("export", "new", "--output", str(desk.folder / "out.zip"))
    assert "Codabench runs the submission before the scoring program of 'Sums'" in exported.stdout
