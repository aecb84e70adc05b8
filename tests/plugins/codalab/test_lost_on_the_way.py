"""What a bundle of others loses on its way into git, or counts on, is said at the import."""

import pytest

from tests.importing.calling import pullbench
from tests.importing.sources import BOARD, V1, Desk, said, v2, zipped

POINTER = (
    "version https://git-lfs.github.com/spec/v1\n"
    "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
)


@pytest.mark.parametrize(
    ("rules", "what"),
    [
        ({".gitignore": "*.txt\n"}, "is ignored by line 1 of benchmarks/new/.gitignore, '*.txt'"),
        ({"reference_data/.gitignore": "#\nsum*\n"}, "line 2 of benchmarks/new/reference_data/"),
        ({".gitattributes": "*.txt text eol=lf\n"}, "is changed by git"),
        ({".gitattributes": "*.txt ident\n"}, "is changed by git"),
        ({".gitattributes": "*.txt filter=shout\n"}, "is changed by git"),
        ({"info/exclude": "sum.txt\n"}, "is ignored by line 1 of .git/info/exclude"),
        ({"excludes": "sum.txt\n"}, "is ignored by line 1 of "),
    ],
)
def test_what_git_would_not_take_as_it_is(
    desk: Desk, rules: dict[str, str], what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = desk.repo
    files = dict(desk.v2_files()) | {"reference_data/sum.txt": "3\r\n$Id: old$\n"}
    for name, text in rules.items():
        if name == "info/exclude":
            (repo.path / ".git/info/exclude").write_text(text)
        elif name == "excludes":
            (desk.folder / "everywhere").write_text(text)
            repo.git("config", "core.excludesFile", str(desk.folder / "everywhere"))
        else:
            files[name] = text
    repo.git("config", "filter.shout.clean", "tr a-z A-Z")
    code, output = pullbench(repo.path, "import", desk.zip(files), "--name", "new")
    assert code == 0, output
    assert "names reference_data/sum.txt, which" in output
    assert what in output
    (warning,) = [one for one in repo.problems() if "a commit differs" in one.message]
    assert warning.severity == "warning"
    assert what in warning.message
    assert warning.actor == "organiser"
    # What is committed all the same, byte by byte, is not named any longer.
    (repo.path / "benchmarks/new/.gitattributes").unlink(missing_ok=True)
    repo.git("add", "--force", "benchmarks/new")
    repo.git("commit", "--quiet", "-m", "all")
    assert not [one for one in repo.problems() if "a commit differs" in one.message]


def test_what_no_bundle_names_may_be_ignored(desk: Desk) -> None:
    desk.take_v2()
    desk.repo.write(".gitignore", "notes/\n__pycache__/\n")
    desk.repo.write("benchmarks/new/notes/mine.txt", "x\n")
    desk.repo.write("benchmarks/new/scoring_program/__pycache__/score.pyc", "x\n")
    assert not [one for one in desk.repo.problems() if "a commit differs" in one.message]


def test_dates_with_the_day_first_are_taken_with_both_readings(desk: Desk) -> None:
    phases = [
        {"index": 0, "name": "One", "start": "10/09/2024", "end": "20/09/2024", "tasks": [0]},
        {"index": 1, "name": "Two", "start": "01/10/2024", "end": "2024-11-05", "tasks": [0]},
    ]
    done = desk.take_v2(phases=phases)
    assert not done.refused, said(done)
    assert (
        "2024-10-09 comes before 2024-09-20 with the month first, and 2024-09-10 before "
        "2024-09-20 with the day first; the day is taken first" in said(done, "warning")
    )
    one, two = desk.data()["phases"]
    assert (one["start"][:10], one["end"][:10]) == ("2024-09-10", "2024-09-20")
    assert (two["start"][:10], two["end"][:10]) == ("2024-10-01", "2024-11-05")


def test_an_end_before_the_start_in_every_reading_is_a_warning(desk: Desk) -> None:
    phases = [
        {"index": 0, "name": "One", "start": "2024-05-01", "end": "2024-04-01", "tasks": [0]},
        {"index": 1, "name": "Two", "start": "2024-06-01", "end": "2023-06-01", "tasks": [0]},
    ]
    done = desk.take_v2(phases=phases)
    assert not done.refused, said(done)
    warnings = said(done, "warning")
    assert "phases[0].end: 2024-04-01T00:00:00+00:00 is before the start" in warnings
    assert "phases[1].end: 2023-06-01T00:00:00+00:00 is before the start" in warnings
    one, two = desk.data()["phases"]
    assert one["end"][:10] == "2024-06-01"
    assert "end" not in two


def test_dates_in_order_keep_their_reading(desk: Desk) -> None:
    phases = [{"index": 0, "name": "One", "start": "05/02/2024", "end": "05/03/2024", "tasks": [0]}]
    done = desk.take_v2(phases=phases)
    assert not done.refused
    assert desk.data()["phases"][0]["start"] == "05/02/2024"
    assert "with the day first" not in said(done)


def test_the_same_of_codalab(desk: Desk) -> None:
    text = V1.replace("start_date: 2013-06-30", "start_date: '10/09/2013'").replace(
        "leaderboard:",
        "  2: {phasenumber: 2, label: Second, start_date: '20/09/2013',\n"
        "      scoring_program: program.zip, reference_data: reference.zip}\nleaderboard:",
        1,
    )
    done = desk.take_v1(text)
    assert not done.refused, said(done)
    assert [phase["start"][:10] for phase in desk.data()["phases"]] == ["2013-09-10", "2013-09-20"]


READS = "import os, sys\ntruth = os.path.join(sys.argv[1], 'ref', 'reference_data', 'sum.txt')\n"


@pytest.mark.parametrize("nested", [False, True])
def test_a_folder_in_place_of_a_zip(desk: Desk, nested: bool) -> None:
    """Whether the program wants the folder inside is seen in its source."""
    task = {"index": 0, "name": "Sums", "scoring_program": "scoring_program",
            "reference_data": "reference_data.zip"}  # fmt: skip
    more: dict[str, str | bytes] = {"scoring_program/score.py": READS}
    if nested:
        more["reference_data/reference_data/sum.txt"] = "3\n"
    done = desk.take_v2(more, tasks=[task])
    assert not done.refused, said(done)
    expected = "scoring_program/score.py:2: seems to look for 'reference_data/' inside"
    assert (expected in said(done, "warning")) != nested
    assert ("zip -r reference_data.zip reference_data" in said(done)) != nested


@pytest.mark.parametrize("folder", ["truth", "v2"])
def test_a_folder_around_the_data_that_the_program_does_not_know(desk: Desk, folder: str) -> None:
    task = {"index": 0, "name": "Sums", "scoring_program": "scoring_program",
            "reference_data": "truth.zip"}  # fmt: skip
    data = zipped({f"{folder}/sum.txt": "3\n"})
    above = "import os, sys\ntruth = os.path.join(sys.argv[1], 'ref', 'sum.txt')\n"
    level = "scoring_program/score.py:2: seems to look in 'truth/' for what lies one level"
    for program, warned in ((above, True), (above.replace("'ref'", f"'ref/{folder}'"), False)):
        files = desk.v2_files(tasks=[task])
        files = {**files, "truth.zip": data, "scoring_program/score.py": program}
        done = desk.take(desk.zip(files), force=True)
        assert not done.refused, said(done)
        assert (level in said(done, "warning")) is warned
        assert (f"in 'truth/{folder}/'" in said(done, "warning")) is warned


def test_the_folder_at_app_is_no_folder_within_a_zip(desk: Desk) -> None:
    task = {"index": 0, "name": "Sums", "scoring_program": "scoring_program",
            "input_data": "input_data.zip"}  # fmt: skip
    more = {"scoring_program/score.py": "open('/app/input_data/sum.txt')\n",
            "input_data/sum.txt": "3\n"}  # fmt: skip
    done = desk.take_v2(more, tasks=[task])
    assert "seems to look" not in said(done), said(done)


def test_the_offer_works(desk: Desk) -> None:
    task = {"index": 0, "name": "Sums", "scoring_program": "scoring_program",
            "reference_data": "reference_data.zip"}  # fmt: skip
    more: dict[str, str | bytes] = {
        "scoring_program/score.py": READS,
        "reference_data.zip": zipped({"reference_data/sum.txt": "3\n"}),
    }
    done = desk.take_v2(more, tasks=[task])
    assert "seems to look for" not in said(done)
    path = desk.data()["tasks"][0]["reference_data"]
    assert desk.read(f"{path}/reference_data/sum.txt") == "3\n"


@pytest.mark.parametrize(
    "line",
    [
        'sys.path.append("/app/output")', "sys.path.insert(0, '/app/output/')",
        "sys.path.append(output_dir)", "sys.path += [output_directory]", 'os.chdir("/app/output")',
        'os.environ["PYTHONPATH"] = "/app/output"', 'os.system("python3 /app/output/main.py")',
    ],
)  # fmt: skip
def test_the_copy_that_codabench_leaves(desk: Desk, line: str) -> None:
    files = {
        "ingestion_program/metadata.yaml": "command: python3 $program/run.py $input $output\n",
        "ingestion_program/run.py": f"import os, sys\n{line}\n",
    }
    task = v2()["tasks"][0] | {"ingestion_program": "ingestion_program"}
    done = desk.take_v2(files, tasks=[task])
    assert "ingestion_program/run.py:2: looks for the submission in /app/output" in said(
        done, "warning"
    )
    assert "/app/ingested_program" in said(done, "warning")


def test_writing_to_the_output_is_no_such_use(desk: Desk) -> None:
    source = 'import sys\nsys.path.append(submission_dir)\nopen("/app/output/x", "w")\n'
    done = desk.take_v2({"scoring_program/score.py": source})
    assert "looks for the submission" not in said(done)


def test_an_import_says_what_is_a_pointer(desk: Desk) -> None:
    done = desk.take_v2({"reference_data/sum.txt": POINTER})
    assert not done.refused
    assert "reference_data/sum.txt: is a Git LFS pointer" in said(done, "warning")
    assert "`git lfs pull`" in said(done, "warning")
    # A zip that is one cannot be read; why is said beside it.
    task = {"index": 0, "name": "Sums", "scoring_program": "scoring_program",
            "reference_data": "data.zip"}  # fmt: skip
    done = desk.take(desk.zip({**desk.v2_files(tasks=[task]), "data.zip": POINTER}), name="other")
    assert done.refused
    assert "data.zip: is a Git LFS pointer" in said(done)


def test_an_organisers_pointer_is_the_organisers(desk: Desk) -> None:
    from evaluator.ci.git.raw_trees import Change
    from evaluator.ci.policy.ownership import Changed, judge_changes
    from evaluator.core.formats.settings import Settings
    from evaluator.core.git.listing import TreeEntry

    for path, actor in (
        ("benchmarks/new/reference_data/sum.txt", "organiser"),
        ("submissions/new/ann/first/model.bin", "participant"),
    ):
        changed = Changed(
            changes=[Change(path=path, old=None, new=TreeEntry("100644", "0" * 40))],
            sizes={}, starts={path: POINTER.encode()}, submissions={},
        )  # fmt: skip
        (problem,) = [
            one
            for one in judge_changes(changed, None, Settings(), (), ())
            if "pointer" in one.message
        ]
        assert problem.actor == actor
        assert ("`artefacts`" in problem.hint) == (actor == "participant")


def test_never_ranked_is_said_at_the_import(desk: Desk) -> None:
    board = {**BOARD, "columns": [
        {"title": "Score", "key": "score", "index": 0},
        {"title": "Time", "key": "duration", "index": 1},
    ]}  # fmt: skip
    done = desk.take_v2(
        {"scoring_program/score.py": 'print("duration: 1")\n'},
        leaderboards=[board], pullbench={"extra": []},
    )  # fmt: skip
    assert not done.refused, said(done)
    warnings = said(done, "warning")
    assert "phases[0]: can never produce a ranked row" in warnings
    assert "'score'" in warnings
