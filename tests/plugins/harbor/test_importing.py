"""Tasks of Harbor: what becomes of them, what is refused, what their tests give in containers."""

import shutil
from pathlib import Path

import pytest

from tests.importing.calling import pullbench
from tests.plugins.harbor.tasks import DOCKERFILE, FILE, TASKS, task, write
from tests.repository import Repository


def bring_in(repo: Repository, folder: Path, *options: str) -> tuple[int, str]:
    return pullbench(repo.path, "import", "harbor", str(folder), *options)


@pytest.mark.docker
def test_solutions_reach_1_and_nothing_reaches_0(repo: Repository, tmp_path: Path) -> None:
    """Also what looks for solutions, and what leaves rewards and programs for the tests."""
    code, said = bring_in(repo, write(tmp_path / "ten", TASKS))
    assert code == 0, said
    assert "warning: competition.yaml: tests shared the agent's container" in said
    assert "`pullbench solutions ten` enters its solutions" in said
    assert repo.pullbench("solutions", "ten").returncode == 0
    for cheat in ("looks-everywhere", "own-reward"):
        shutil.copytree(
            repo.path / f"benchmarks/ten/controls/{cheat}",
            repo.path / f"submissions/ten/eve/{cheat}",
        )
    repo.commit()
    rewards = {name: one.scores.get("reward") for name, one in repo.run().items()}
    assert len(rewards) == 40
    for name, reward in rewards.items():
        assert reward == ("/oracle/" in name), name


@pytest.mark.docker
def test_the_controls_of_an_import_hold(repo: Repository, tmp_path: Path) -> None:
    assert bring_in(repo, write(tmp_path / "ten", TASKS))[0] == 0
    repo.commit()
    done = repo.pullbench("controls", "ten")
    assert done.returncode == 0, done.stdout + done.stderr
    repo.commit()
    assert repo.problems() == []


def test_what_names_a_place_names_it_as_it_is_here(repo: Repository, tmp_path: Path) -> None:
    words = "/app, /app/a.txt, /apple, /my/app, $HOME/app and (/app). See /tests and /solution"
    files = task("words", "cat /app/x '/solution/a b'", **{"instruction.md": words})
    files["tests/test.sh"] = "ls /app /tests/x > /logs/verifier/reward.txt\n"
    assert bring_in(repo, write(tmp_path / "one", {"": files}))[0] == 0
    bundle = repo.path / "benchmarks/one"
    assert (bundle / "input_data/one/instruction.md").read_text() == (
        "/tmp/work, /tmp/work/a.txt, /apple, /my/app, $HOME/app and (/tmp/work). "
        "See /app/input/ref/tests and /app/ingested_program/one"
    )
    oracle = (bundle / "controls/oracle/one/solve.sh").read_text()
    assert oracle.endswith("cat /tmp/work/x '/app/ingested_program/one/a b'\n")
    tests = (bundle / "reference_data/one/tests/test.sh").read_text()
    assert tests == "ls /tmp/work /app/input/ref/tests/x > /tmp/verifier/reward.txt\n"


def test_limits_and_files(repo: Repository, tmp_path: Path) -> None:
    assert bring_in(repo, write(tmp_path / "ten", TASKS))[0] == 0
    benchmark = repo.snapshot().benchmarks["ten"]
    assert benchmark.docker_image == "python:3.11-slim"
    image = benchmark.tasks[[*sorted(TASKS)].index("an-image")]
    assert (image.extension.memory, image.extension.cpus, image.extension.seconds) == (
        256 * 2**20, 1, 60,
    )  # fmt: skip
    inputs = repo.path / "benchmarks/ten/input_data"
    assert sorted(p.name for p in (inputs / "sort/files").rglob("*")) == [
        "in", "more", "names.txt", "x.txt",
    ]  # fmt: skip
    assert sorted(p.name for p in (inputs / "mend-json/files").iterdir()) == ["a.json"]


def test_commands_of_an_image_are_its_dockerfile(repo: Repository, tmp_path: Path) -> None:
    files = {
        "environment/Dockerfile": "# x\nFROM python:3.11-slim\nENV A=b\nRUN true \\\n  && true\n"
        "COPY --chown=1 a /w\nCOPY a /w/b\nCOPY --from=x a /w/c\nWORKDIR /w\nCMD bash\n",
        "environment/a": "A",
    }  # fmt: skip
    code, said = bring_in(repo, write(tmp_path / "one", {"": task("x", "true", **files)}))
    assert (code, "copies more than plain files" in said) == (1, True)
    text = files["environment/Dockerfile"].replace("COPY --from=x a /w/c\n", "")
    files["environment/Dockerfile"] = text
    write(tmp_path / "one", {"": task("x", "true", **files)})
    code, said = bring_in(repo, tmp_path / "one")
    assert code == 0, said
    assert (repo.path / "benchmarks/one/Dockerfile").read_text() == (
        "FROM python:3.11-slim\nENV A=b\nRUN true    && true\nWORKDIR /w\n"
    )
    assert repo.snapshot().benchmarks["one"].docker_image == "localhost/pullbench/one:1"
    placed = repo.path / "benchmarks/one/input_data/one/files"
    assert {one.name: one.read_text() for one in placed.iterdir()} == {"a": "A", "b": "A"}


NETWORK = 'network_mode = "no-network"'
REFUSED: dict[str, tuple[dict[str, str], str]] = {
    "a network, by default": (
        {"task.toml": "[task]\nname = 'x/y'\n"},
        "task.toml: gives its programs a network, and here is none. If they need none, give --no",
    ),
    "a network of the agent": (
        {"task.toml": FILE.replace("[agent]", '[agent]\nnetwork_mode = "allowlist"')}, "a network",
    ),
    "a variable of this machine": (
        {"task.toml": FILE + '[verifier.env]\nKEY = "${HOME}"\n'},
        "verifier.env.KEY: nothing is read from the environment of this machine; write the value",
    ),
    "with a default": (
        {"task.toml": FILE + 'env = {KEY = "${HOME:-x}"}\n'}, "environment.env.KEY: nothing is",
    ),
    "a variable that is code": (
        {"task.toml": FILE + '[solution.env]\n"A; touch /tmp/x" = "1"\n'}, "solution.env.A; touch",
    ),
    "a newer form": (
        {"task.toml": FILE.replace("1.4", "1.10")}, "is 1.10; 1.4 is the newest that is read",
    ),
    "steps": ({"task.toml": "steps = [{name = 'a'}]\n" + FILE}, "steps: is not brought in"),
    "another system": ({"task.toml": FILE + "os = 'windows'\n"}, "environment.os: Input should be"),
    "no TOML": ({"task.toml": "= 1"}, "is not valid TOML"),
    "compose": (
        {"environment/docker-compose.yaml": "services: {}\n"},
        "environment/docker-compose.yaml: is not brought in",
    ),
    "no image": ({"environment/Dockerfile": "# nothing\n"}, "is missing, or has no FROM."),
    "stages": ({"environment/Dockerfile": f"{DOCKERFILE}FROM x\n"}, "with the line: FROM x"),
    "an address": ({"environment/Dockerfile": f"{DOCKERFILE}ADD https://x.example/a a\n"}, "plain"),
    "elsewhere": (
        {"environment/Dockerfile": f"{DOCKERFILE}COPY . /usr/bin\n"},
        "copies '.' to /usr/bin: it is not beside it, or that is not in /app",
    ),
    "tests of another image": (
        {"task.toml": FILE + "[verifier.environment]\ndocker_image = 'x'\n"},
        "verifier.environment.docker_image: is not brought in",
    ),
    "above": ({"environment/Dockerfile": f"{DOCKERFILE}COPY ../tests .\n"}, "not beside it"),
    "a here-document": ({"environment/Dockerfile": f"{DOCKERFILE}RUN <<E\n"}, "the line: RUN <<E"),
    "after COPY": (
        {"environment/Dockerfile": f"{DOCKERFILE}COPY . .\nRUN make\n"}, "has RUN after COPY",
    ),
    "an image with commands": (
        {"task.toml": FILE + 'docker_image = "x\\nRUN y"\n'}, "environment.docker_image: String",
    ),
    "a folder of ours": (
        {"environment/Dockerfile": "FROM x\nWORKDIR /tmp/x\n"}, "which is no folder of its own",
    ),
    "the whole file system": (
        {"environment/Dockerfile": "FROM x\nWORKDIR /\n"}, "works in '/', which is no folder",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_is_refused_by_name(case: str, repo: Repository, tmp_path: Path) -> None:
    files, text = REFUSED[case]
    folder = write(tmp_path / "one", {"": {**task("x", "true"), **files}})
    code, said = bring_in(repo, folder)
    assert (code, text in said) == (1, True), said
    assert said.endswith("refused: nothing was written\n")
    assert not (repo.path / "benchmarks").exists()


def test_links_that_lead_out_bring_nothing_in(repo: Repository, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("CANARY")
    folder = write(tmp_path / "one", {"": task("x", "true")})
    (folder / "environment/leak").symlink_to(tmp_path / "secret")
    (folder / "environment/Dockerfile").write_text(f"{DOCKERFILE}COPY . .\n")
    code, said = bring_in(repo, folder)
    assert "environment/leak" in said
    assert not any("CANARY" in one.read_text() for one in repo.path.rglob("leak"))
    (folder / "environment/leak").unlink()
    (folder / "tests/test.sh").unlink()
    (folder / "tests/test.sh").symlink_to(tmp_path / "secret")
    code, said = bring_in(repo, folder, "--name", "two")
    assert code == 1
    assert not (repo.path / "benchmarks/two").exists()


def test_the_organiser_says_that_no_network_is_needed(repo: Repository, tmp_path: Path) -> None:
    files = task("x", "true") | {"task.toml": FILE.replace(NETWORK, "")}
    folder = write(tmp_path / "one", {"": files})
    assert bring_in(repo, folder)[0] == 1
    assert bring_in(repo, folder, "--no-network")[0] == 0
    assert repo.snapshot().benchmarks["one"].network == "none"


def test_tasks_of_two_images_are_two_benchmarks(repo: Repository, tmp_path: Path) -> None:
    other = task("x", "true", **{"environment/Dockerfile": "FROM debian:12\n"})
    code, said = bring_in(repo, write(tmp_path / "two", {"a": TASKS["hello"], "b": other}))
    assert (code, "Bring in the tasks of one image at a time" in said) == (1, True)
    code, said = bring_in(repo, write(tmp_path / "none", {"a": {"x": ""}}))
    assert (code, "there is no task.toml in none" in said) == (2, True)


def test_tests_that_install_get_a_warning(repo: Repository, tmp_path: Path) -> None:
    files = task("x", "true", **{"tests/test.sh": "pip install pytest\n"})
    code, said = bring_in(repo, write(tmp_path / "one", {"": files}))
    assert (code, "test.sh: may install something" in said) == (0, True)
