"""What GitHub does with the workflows, and act does not: read, and seen to fail when changed."""

import contextlib
import itertools
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
import yaml

from tests.bench.figures import FIGURES
from tests.locked import LOCK_OF_TESTS, LOCKS, asked, blocks, unlocked, versions
from tests.workflows.rules import LOCKS as LOCKS_OF_JOBS
from tests.workflows.rules import RULES, SETUP, Workflows, parse, pins, with_actions

ROOT = Path(__file__).parents[2]
FILES = {path.stem: path for path in sorted((ROOT / ".github" / "workflows").glob("*.yml"))}
ACTION = ROOT / SETUP / "action.yml"
TEXTS = {name: path.read_text() for name, path in {**FILES, "setup": ACTION}.items()}
BIN = Path(sys.executable).parent


def read(**other: str) -> Workflows:
    """Workflows with the steps of our action; ``other`` are texts in place of those there."""
    texts = {**TEXTS, **other}
    action = yaml.safe_load(texts.pop("setup"))
    workflows = {name: parse(text) for name, text in texts.items()}
    return with_actions(workflows, {SETUP: action})


def test_which_workflows_there_are() -> None:
    assert sorted(FILES) == [
        "ci",
        "commands",
        "enter",
        "evaluate",
        "publish",
        "release",
        "validate",
    ]


@pytest.mark.parametrize("rule", RULES)
def test_rule(rule: str) -> None:
    assert list(RULES[rule](read())) == []


def test_our_one_action_is_what_jobs_use() -> None:
    assert list((ROOT / ".github/actions").rglob("action.y*ml")) == [ACTION]


@pytest.mark.parametrize("name", TEXTS)
def test_actions_are_pinned(name: str) -> None:
    text = TEXTS[name]
    assert list(pins(text)) == []
    first = re.findall(r"uses: (actions/.*)", text)[0]
    name, commit, version = re.split("@| # ", first)
    for other in (f"{name}@{commit}", f"{name}@v6 # {version}", f"stranger/{first}", "./other"):
        assert list(pins(text.replace(first, other)))


def test_ci_skips_no_more_than_the_checks_on_a_bare_machine() -> None:
    wanted = re.search(
        r'^make test(?: WORKERS=\d)? (PYTEST="[^"]+")$', (ROOT / ".ci/run").read_text(), re.M
    )
    assert wanted
    assert "--require-docker" in wanted[1]
    assert "--require-browser" in wanted[1]
    assert FILES["ci"].read_text().count("--require-docker --require-browser") >= 2
    # On main, other versions of libraries run what takes long, too.
    assert "'--require-browser -m \"slow or not slow\"' }}" in FILES["ci"].read_text()


def test_each_test_is_in_one_share() -> None:
    """Of job test or of job slow, whatever its marks."""
    jobs = parse(FILES["ci"].read_text())["jobs"]
    shares = {job: jobs[job]["strategy"]["matrix"]["include"] for job in ("test", "slow")}
    for marks in itertools.product((False, True), repeat=3):
        values = dict(zip(("slow", "docker", "browser"), marks, strict=True))
        chosen = [
            job
            for job, ones in shares.items()
            for one in ones
            if eval(one["tests"], {}, values)  # noqa: S307
        ]
        assert chosen == ["slow" if values["slow"] else "test"], (values, chosen)


TARGET = re.compile(r"^([a-z]+):(.*)", re.M)


def unstarted(makefile: str, workflow: str) -> set[str]:
    """Targets of a Makefile that no job starts, by name or for another one."""
    ci = parse(workflow)["jobs"]
    lines = [step.get("run", "") for job in ci.values() for step in job["steps"]]
    lines += [f"make {one}" for one in ci["targets"]["strategy"]["matrix"]["target"]]
    started = {word for line in lines if "make " in line for word in line.split()}
    needs = {name: set(rest.split()) for name, rest in TARGET.findall(makefile)}
    for _ in needs:
        started |= {need for name in started & needs.keys() for need in needs[name]}
    return needs.keys() - started


def test_some_job_starts_every_target_of_the_makefile() -> None:
    """Else it breaks unseen, as `make bench` did."""
    makefile, ci = (ROOT / "Makefile").read_text(), FILES["ci"].read_text()
    (phony,) = re.findall(r"^\.PHONY: (.*)", makefile, re.M)
    assert {name for name, _ in TARGET.findall(makefile)} == set(phony.split())
    assert unstarted(makefile, ci) == set()
    assert unstarted(makefile, ci.replace("reproduce, bench", "bench")) == {"reproduce"}


def test_figures_of_a_pull_request_are_ten() -> None:
    """Measured in turn with those of its base."""
    *_, step = parse(FILES["ci"].read_text())["jobs"]["figures"]["steps"]
    assert step["run"] == 'make bench BASE="HEAD^1" ROUNDS=5'
    names = step["env"]["FIGURES"].split()
    assert len(names) == 10
    assert set(names) <= FIGURES.keys()


def test_pages_are_tried_in_both_browsers() -> None:
    """Debian's chromium, and the one without windows of its own."""
    jobs = parse(FILES["ci"].read_text())["jobs"]
    assert jobs["test"]["steps"][-1]["env"]["CHROMIUM"] == "chromium"
    *_, install, test = (step["run"] for step in jobs["shell"]["steps"] if "run" in step)
    assert install.endswith("playwright install --only-shell chromium")
    assert "CHROMIUM=" in test
    assert test.endswith("PYTEST=\"--require-browser -m 'slow or not slow' tests/site\"")


def test_a_journey_has_no_limit_on_its_time() -> None:
    """How busy a machine is says nothing about the journey."""
    makefile = (ROOT / "Makefile").read_text()
    (lines,) = re.findall(r"^journeys:.*\n((?:\t.*\n)+)", makefile, re.M)
    files = re.findall(r"tests/[\w/]+\.py", lines)
    assert len(files) == 5
    for file in files:
        assert not re.search(r"assert .*second|MAX_SECONDS|timeout=", (ROOT / file).read_text()), (
            file
        )


READ_ALL = "permissions: {}"
HEAD = "ref: ${{ github.event.pull_request.head.sha }}"
RUN = "run: pullbench pr receive"
PYTHON = '          python-version: "3.11"\n'
USE = f"      - uses: {SETUP}\n        with:\n          lock: "
MUTATIONS = [
    ("triggers", "evaluate", "types: [opened, ", "types: [edited, opened, "),
    ("triggers", "evaluate", "    branches: [main]\n", ""),
    ("triggers", "evaluate", "pull_request_target:", "pull_request:"),
    ("triggers", "validate", "pull_request:", "pull_request_target:"),
    ("triggers", "publish", "branches: [main]", "branches: ['**']"),
    ("triggers", "publish", 'cron: "17', 'cron: "18'),
    ("triggers", "release", 'tags: ["v*"]', "branches: [main]"),
    ("permissions", "publish", "      actions: write", "      contents: write"),
    ("conditions", "evaluate", "needs.finish.result != 'skipped'", "true"),
    ("permissions", "validate", "contents: read", "contents: write"),
    ("permissions", "evaluate", READ_ALL, "permissions: read-all"),
    ("permissions", "evaluate", "contents: read #", "contents: write #"),
    ("permissions", "publish", "      id-token: write", "      packages: write"),
    ("permissions", "evaluate", "      id-token: write", "      packages: write"),
    ("permissions", "ci", READ_ALL + "\n", ""),
    ("permissions", "release", "      contents: read #", "      id-token: write #"),
    ("environments", "evaluate", "== 'labeled' && 'evaluation'", "== 'labeled' && 'policy'"),
    ("environments", "evaluate", "      deployment: false\n", ""),
    ("environments", "release", "name: pypi", "name: publish"),
    ("environments", "publish", "name: publish\n      deployment", "name: none\n      deployment"),
    ("concurrency", "evaluate", "github.event.label.name == 'evaluate') &&", "true) &&"),
    ("concurrency", "evaluate", "${{ github.event.action == 'synchronize' }}", "true"),
    ("concurrency", "publish", "cancel-in-progress: false", "cancel-in-progress: true"),
    ("concurrency", "publish", "  cancel-in-progress", "  queue: max\n  cancel-in-progress"),
    ("concurrency", "publish", "inputs.rerun && ", "false && "),
    ("concurrency", "validate", "pull_request.number }}\n  cancel", "action }}\n  cancel"),
    ("conditions", "evaluate", "(github.event.label.name == 'evaluate' ||", "(true ||"),
    ("conditions", "evaluate", "    if: needs.receive.outputs.next == 'screen'\n", ""),
    (
        "secrets",
        "evaluate",
        "PULLBENCH_HEAD: ${{ needs.receive.outputs.head",
        "T: ${{ github.token",
    ),
    (
        "artifacts",
        "evaluate",
        "          name: screen\n          path",
        "          pattern: s\n          path",
    ),
    ("conditions", "evaluate", " || github.ref == 'refs/heads/main')", " || true)"),
    ("conditions", "evaluate", "always() && ", ""),
    (
        "conditions",
        "evaluate",
        "needs.receive.outputs.count > 0)",
        "needs.receive.outputs.count)",
    ),
    ("conditions", "publish", "    if: github.ref == 'refs/heads/main'\n", ""),
    ("timeouts", "evaluate", "timeout-minutes: 360", "timeout-minutes: 3600"),
    ("timeouts", "validate", "    timeout-minutes: 20\n", ""),
    ("timeouts", "evaluate", "timeout-minutes: 140", "timeout-minutes: 20"),
    ("checkouts", "validate", "ref: ${{ github.base_ref }}", HEAD),
    ("checkouts", "evaluate", "persist-credentials: false", "persist-credentials: true"),
    ("checkouts", "publish", "ref: main\n          fetch", "ref: next\n          fetch"),
    ("checkouts", "ci", "          persist-credentials: false\n", "          fetch-depth: 1\n"),
    ("no_head", "evaluate", "ref: main", HEAD),
    ("triggers", "evaluate", "      pull_request:\n", "      head:\n"),
    ("no_head", "evaluate", RUN, "run: git checkout FETCH_HEAD"),
    (
        "no_head",
        "evaluate",
        "ref: ${{ needs.approve.result == 'success' && needs.approve.outputs.base",
        "ref: ${{ 'refs/pull/1/merge'",
    ),
    ("secrets", "evaluate", "PULLBENCH_CELLS: ${{ matrix.cells }}", "T: ${{ github.token }}"),
    ("secrets", "publish", "PULLBENCH_CELLS: ${{ matrix.cells }}", "T: ${{ secrets.AGE }}"),
    (
        "secrets",
        "publish",
        "compared.json\n      - name: Hand",
        "compared.json\n        env:\n          T: ${{ github.token }}\n      - name: Hand",
    ),
    ("conditions", "publish", "github.event.schedule == '43 4 * * 1' && ", ""),
    ("secrets", "validate", "${{ github.token }}", "${{ secrets.PULLBENCH_TOKEN }}"),
    ("secrets", "evaluate", "\njobs:", "\nenv:\n  A: b\n\njobs:"),
    ("app_tokens", "publish", "permission-contents: write", "permission-contents: read"),
    ("app_tokens", "evaluate", "        continue-on-error: true #", "        #"),
    ("app_tokens", "evaluate", "permission-pull-requests: write", "permission-actions: write"),
    ("app_tokens", "publish", "          permission-contents: write", "          owner: acme"),
    ("app_tokens", "publish", "${{ steps.app.outputs.token || secrets", "${{ secrets"),
    ("triggers", "commands", "types: [created]", "types: [created, edited]"),
    ("permissions", "commands", "actions: write", "administration: write"),
    ("concurrency", "commands", "github.run_id", "github.event.issue.number"),
    ("conditions", "commands", "user.type == 'User' && ", "id && "),
    ("checkouts", "commands", "ref: main", "ref: ${{ github.ref }}"),
    ("no_head", "commands", "PULLBENCH_BASE: main", "BODY: ${{ github.event.comment.body }}"),
    ("secrets", "commands", "${{ github.token }}", "${{ secrets.PULLBENCH_TOKEN }}"),
    ("scripts", "commands", "pr comment #", "pr comment ${{ github.event.comment.id }} #"),
    ("triggers", "enter", "types: [opened]", "types: [opened, edited, reopened]"),
    ("permissions", "enter", "contents: read #", "issues: write #"),
    ("permissions", "enter", "      actions: write", "      administration: write"),
    ("concurrency", "enter", "-${{ github.event.issue.number }}", ""),
    ("conditions", "enter", "user.type == 'User' && ", "id && "),
    ("checkouts", "enter", "ref: main", "ref: ${{ github.ref }}"),
    ("no_head", "enter", "PULLBENCH_BASE: main", "BODY: ${{ github.event.issue.body }}"),
    ("secrets", "enter", "PULLBENCH_BASE: main", "T: ${{ github.token }}"),
    ("secrets", "enter", "${{ github.token }}", "${{ secrets.PULLBENCH_TOKEN }}"),
    ("scripts", "enter", "pr download ", "pr download ${{ github.event.issue.title }} "),
    (
        "artifacts",
        "enter",
        "          name: entry\n          path: build/entry\n      - name: Open",
        "          path: build/entry\n      - name: Open",
    ),
    ("timeouts", "enter", "timeout-minutes: 140", "timeout-minutes: 20"),
    ("scripts", "evaluate", RUN, "run: pullbench pr receive ${{ github.event.number }}"),
    ("scripts", "evaluate", RUN, "run: pullbench pr receive && true"),
    ("scripts", "ci", "run: make", "run: ${{ github.head_ref }} make"),
    ("installs", "setup", " --require-hashes", ""),
    ("installs", "setup", " --only-binary=:all:", ""),
    ("installs", "setup", "--no-deps --no-build-isolation ", ""),
    ("installs", "setup", 'run: "', 'run: "pullbench site && '),
    ("installs", "publish", USE + "jobs\n", ""),
    ("our_actions", "evaluate", USE + "cells", USE + "jobs"),
    ("our_actions", "evaluate", USE, "      - run: pullbench pr receive\n" + USE),
    ("our_actions", "commands", "uses: actions/checkout@", "uses: actions/cache@"),
    ("installs", "release", " --require-hashes", ""),
    (
        "installs",
        "release",
        "      - name: Publish\n",
        "      - run: python -m build\n      - name: P\n",
    ),
    ("caches", "ci", PYTHON, PYTHON + "          cache: pip\n"),
    ("caches", "setup", 'python-version: "3.11"\n', 'cache: "pip"\n'),
    ("caches", "setup", "UV_NO_CACHE", "UV_CACHE_DIR"),
    ("scripts", "setup", "shell: bash", "shell: sh"),
    ("scripts", "setup", "-r .github/", "-r ${{ github.head_ref }}/"),
    ("secrets", "setup", "shell: bash", "shell: bash ${{ github.token }}"),
    ("no_head", "setup", "name: Install", "name: refs/pull/1/head Install"),
    ("caches", "validate", "cache-mode: none", "cache-mode: read"),
    ("caches", "commands", "\ncache-mode: none\n", ""),
    ("caches", "publish", "    cache-mode: write-only\n", "    cache-mode: write\n"),
    ("caches", "publish", "    permissions: {}\n", "    permissions:\n      contents: write\n"),
    ("caches", "publish", "actions/cache/save@", "actions/cache@"),
    ("checkouts", "evaluate", "            .github\n            evaluator\n", "            .\n"),
    ("caches", "evaluate", "actions/upload-artifact@", "actions/cache@"),
    ("caches", "publish", "restore-keys: site-${{ github.ref_name }}-", "restore-keys: site-"),
    ("caches", "publish", "PULLBENCH_SITE_KEY }}", "PULLBENCH_IDENTITY }}"),
    ("caches", "publish", "path: build/site.tar", "path: build/site"),
    ("artifacts", "publish", "    needs: [collect, deploy]\n", "    needs: collect\n"),
    ("artifacts", "publish", "    needs: [collect, store, carry]\n", "    needs: collect\n"),
    (
        "artifacts",
        "evaluate",
        "    needs: [receive, approve]\n    # One",
        "    needs: receive\n    # One",
    ),
    ("digests", "evaluate", "d256: ", "e256: "),
    ("digests", "publish", " d1: ", " d0: "),
    ("digests", "publish", "endsWith(matrix.name, '-11') && ", ""),
    ("digests", "evaluate", "matrix.name, '-1')", "matrix.name, '1')"),
    ("digests", "evaluate", "steps.run.outputs.d2 || ''", "steps.run.outputs.d2"),
    ("digests", "publish", "PULLBENCH_JOB: ", "JOB: "),
    ("digests", "evaluate", "[${{ toJSON(needs.cells.outputs) }}, ", "[{}, "),
    ("data_keys", "publish", '"[${{ toJSON(needs.cells.outputs) }}]"', '"[]"'),
    (
        "data_keys",
        "evaluate",
        "&& needs.approve.outputs.predicted",
        "&& needs.approve.outputs.head",
    ),
    ("data_keys", "publish", "unlock --from build/predicted", "unlock --from build/records"),
    ("digests", "publish", "dscore: ${{ steps.run.outputs.dscore }}", "d1: x"),
    ("data_keys", "evaluate", "run: pullbench unlock", "run: pullbench run"),
    (
        "data_keys",
        "evaluate",
        "          PULLBENCH_JOB: score",
        "          PULLBENCH_DATA_IDENTITY: x\n          PULLBENCH_JOB: score",
    ),
    (
        "data_keys",
        "publish",
        "PULLBENCH_UNLOCKED: /dev/shm/pullbench-unlocked",
        "PULLBENCH_UNLOCKED: build/unlocked",
    ),
    ("data_keys", "publish", "unseal --output", "unseal --from"),
    (
        "artifacts",
        "publish",
        "          name: opened\n          path",
        "          pattern: o\n          path",
    ),
    ("environments", "evaluate", "name: scoring", "name: publish"),
    (
        "secrets",
        "evaluate",
        "          PULLBENCH_JOB: ${{",
        "          PULLBENCH_DATA_IDENTITY: ${{ secrets.PULLBENCH_DATA_IDENTITY }}\n"
        "          PULLBENCH_JOB: ${{",
    ),
    ("artifacts", "publish", "          name: records-\n", "          name: other\n"),
    ("artifacts", "evaluate", "pattern: records-*", "name: records-*"),
    ("matrices", "evaluate", "fail-fast: false", "fail-fast: true"),
    ("matrices", "ci", "versions: [newest, oldest]", "versions: [newest]"),
    ("matrices", "publish", "runs-on: ${{ matrix.runs_on }}", "runs-on: ubuntu-latest"),
    ("matrices", "evaluate", "-${{ matrix.name }}", ""),
    ("matrices", "publish", "        if: ${{ !cancelled() }} #", "        # if:"),
]


@pytest.mark.parametrize(("rule", "name", "old", "new"), MUTATIONS)
def test_a_rule_can_fail(rule: str, name: str, old: str, new: str) -> None:
    assert old in TEXTS[name]
    assert list(RULES[rule](read(**{name: TEXTS[name].replace(old, new, 1)})))


def test_every_rule_is_seen_to_fail() -> None:
    assert {rule for rule, *_ in MUTATIONS} == set(RULES)


NEEDS = tomllib.loads((ROOT / "pyproject.toml").read_text())
BUILD = NEEDS["build-system"]["requires"]
USES = {
    use: extras.split()
    for use, extras in re.findall(r"(?m)^EXTRAS_([a-z-]+) := (.*)", (ROOT / "Makefile").read_text())
}
"""Lock -> the extras that are in it."""


def test_each_use_has_its_lock() -> None:
    locks = {path.stem for path in (ROOT / LOCKS).iterdir()}
    assert locks == {*USES, "uv", "release"}
    assert {*LOCKS_OF_JOBS.values(), "jobs"} == USES.keys()


@pytest.mark.parametrize("use", USES)
def test_dependencies_of_jobs_are_locked_by_digest(use: str) -> None:
    """`make lock` writes what satisfies pyproject.toml, and what that needs in turn."""
    text = (ROOT / LOCKS / f"{use}.txt").read_text()
    wanted = {"pullbench": asked(NEEDS["project"], USES[use]), "its build": BUILD}
    assert list(unlocked(text, wanted)) == []
    further = {}
    for name, version in versions(text).items():
        with contextlib.suppress(metadata.PackageNotFoundError):
            if metadata.version(name) == version:
                further[name] = metadata.requires(name) or []
    assert len(further) > 20
    assert list(unlocked(text, further)) == []


def test_what_make_installs_is_locked_by_digest_in_the_versions_of_jobs() -> None:
    text = (ROOT / LOCK_OF_TESTS).read_text()
    wanted = {"pullbench and its tests": asked(NEEDS["project"], ["dev"]), "its build": BUILD}
    assert list(unlocked(text, wanted)) == []
    for lock in (ROOT / LOCKS).iterdir():
        locked = versions(lock.read_text())
        others = {name for name, version in versions(text).items() if locked.get(name) != version}
        assert not locked.keys() & others, lock


def test_all_names_every_extra_but_one() -> None:
    """And tests have all of it."""
    extras = NEEDS["project"]["optional-dependencies"]
    named = asked(NEEDS["project"], ["all"])
    for extra in extras.keys() - {"dev", "s3"}:
        assert set(asked(NEEDS["project"], [extra])) <= set(named), extra
    assert set(named) <= set(asked(NEEDS["project"], ["dev"]))


def test_what_builds_and_publishes_a_release_is_locked_by_digest() -> None:
    wanted = {"a release": ["build", "uv", *BUILD]}
    assert list(unlocked((ROOT / LOCKS / "release.txt").read_text(), wanted)) == []


def test_a_lock_can_be_wrong() -> None:
    text = (ROOT / LOCKS / "site.txt").read_text()
    first = blocks(text)[0]
    for wrong in (
        text.replace(blocks(text)[-1], ""), text.replace(first, first.split(" ")[0] + "\n"),
        text.replace("sha256:", "md5:", 1), "--index-url https://stranger.example\n" + text,
        text.replace(first, "stranger @ https://stranger.example/a.whl \\\n" + first),
    ):  # fmt: skip
        assert list(unlocked(wrong, {"urllib3": ["watchdog"]})), wrong[:100]
    assert list(unlocked(text, {"pullbench": ["nothing-of-that-name"]}))
    assert list(unlocked(text, {"pullbench": ["click<1"]}))


def check(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [BIN / command[0], *command[1:]], capture_output=True, text=True, timeout=60, check=False
    )


ZIZMOR = ("zizmor", "--pedantic", "--offline", "--config", ROOT / "tests/workflows/zizmor.yml")


def test_zizmor() -> None:
    done = check(*ZIZMOR, *FILES.values(), ACTION)
    assert done.returncode == 0, done.stdout
    # Two findings are passed over, with their reasons in the files.
    assert "(2 ignored)" in done.stdout
    assert sum("zizmor: ignore" in path.read_text() for path in FILES.values()) == 2


def test_zizmor_can_fail(tmp_path: Path) -> None:
    (tmp_path / ".github" / "workflows").mkdir(parents=True)
    bad = tmp_path / ".github" / "workflows" / "evaluate.yml"
    bad.write_text(
        FILES["evaluate"]
        .read_text()
        .replace(RUN, "run: echo ${{ github.event.pull_request.title }}")
    )
    done = check(*ZIZMOR, bad)
    assert done.returncode != 0
    assert "template-injection" in done.stdout


def test_schema(tmp_path: Path) -> None:
    schema = ("check-jsonschema", "--builtin-schema", "vendor.github-workflows")
    done = check(*schema, *FILES.values())
    assert done.returncode == 0, done.stdout
    bad = tmp_path / "bad.yml"
    bad.write_text(TEXTS["validate"].replace("runs-on:", "runs-in:"))
    assert check(*schema, bad).returncode == 1
    schema = ("check-jsonschema", "--builtin-schema", "vendor.github-actions")
    assert check(*schema, ACTION).returncode == 0
    bad.write_text(TEXTS["setup"].replace("using:", "use:"))
    assert check(*schema, bad).returncode == 1
