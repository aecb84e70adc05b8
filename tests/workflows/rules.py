"""What a run under act cannot prove, since act ignores it: read from the workflow files.

Each rule takes all workflows and says what is wrong with them. The steps of our own action count as
those of each job that uses it.
"""

import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any

import yaml

from evaluator.ci.forge.connection import MAX_WAIT
from evaluator.ci.ledger.queues import MAX_JOBS

Workflows = dict[str, dict[str, Any]]
Rule = Callable[[Workflows], Iterator[str]]

MAIN = ["main"]
WEEKLY = "43 4 * * 1"
TRIGGERS: dict[str, Any] = {
    "validate": {"pull_request": {"branches": MAIN}},
    "evaluate": {
        "pull_request_target": {
            "branches": MAIN,
            "types": ["opened", "reopened", "synchronize", "labeled"],
        },
        # The forge names its head and author: people who start it give a number alone.
        "workflow_dispatch": {"inputs": {"pull_request": {"type": "string", "required": True}}},
    },
    "commands": {"issue_comment": {"types": ["created"]}},
    # What was edited counts for nothing, and what was transferred has another sender.
    "enter": {"issues": {"types": ["opened"]}},
    "publish": {
        "push": {"branches": MAIN},
        "schedule": [{"cron": "17 * * * *"}, {"cron": WEEKLY}],
        "workflow_dispatch": {
            "inputs": {
                "rerun": {"type": "string", "default": ""},
                "failed": {"type": "boolean", "default": False},
            }
        },
    },
    "ci": {"push": {"branches": MAIN}, "pull_request": None},
    "release": {"push": {"tags": ["v*"]}},
}
READ = {"contents": "read"}
ANSWER = {
    "contents": "write", "issues": "write", "pull-requests": "write", "statuses": "write",
}  # fmt: skip
SIGN = {"contents": "write", "id-token": "write"}
"""A workflow may sign by its identity where it keeps records: no stranger's program runs there."""
QUEUE = {**READ, "actions": "write", "pull-requests": "read"}
PERMISSIONS = {
    "validate": {"validate": READ, "controls": READ},
    "evaluate": {
        "receive": ANSWER, "screen": READ, "approve": ANSWER, "cells": READ,
        "score": READ, "finish": {**ANSWER, "id-token": "write"}, "queue": QUEUE,
    },
    "commands": {
        "answer": {"actions": "write", "contents": "write", "issues": "write",
                   "pull-requests": "write"},
    },
    # What fetches a stranger's file may write nothing; what writes fetches nothing.
    "enter": {
        "fetch": READ,
        "open": {"actions": "write", "contents": "write", "issues": "write",
                 "pull-requests": "write"},
    },
    "publish": {
        "collect": SIGN,
        "cells": READ,
        "score": READ,
        "open": READ,
        "store": SIGN,
        "check": READ,
        "carry": {},
        "vouch": SIGN,
        "site": {**READ, "pull-requests": "read"},
        "deploy": {"pages": "write", "id-token": "write"},
        "queue": QUEUE,
        "overdue": {**READ, "issues": "write", "pull-requests": "read"},
    },
    "ci": dict.fromkeys(
        ["lint", "test", "versions", "slow", "slurm", "podman", "core-alone", "shell", "figures",
         "targets"],
        READ,
    ),
    "release": {
        "build": READ, "publish": {**READ, "id-token": "write"}, "note": {"contents": "write"},
    },
}  # fmt: skip
ENVIRONMENTS = {
    # The policy and comments have an environment without reviewers.
    ("evaluate", "approve"): "${{ github.event.action == 'labeled' && 'evaluation' || 'policy' }}",
    ("evaluate", "score"): "scoring",
    ("evaluate", "finish"): "publish",
    ("publish", "score"): "scoring",
    ("publish", "open"): "scoring",
    ("publish", "collect"): "publish",
    ("publish", "store"): "publish",
    ("publish", "vouch"): "publish",
    ("publish", "site"): "publish",
    ("publish", "deploy"): "github-pages",
    ("release", "publish"): "pypi",
}
COLLECT = ["PULLBENCH_APP_KEY", "PULLBENCH_TOKEN", "PULLBENCH_IDENTITY", "PULLBENCH_SIGNING_KEY"]
DATA_KEY = "PULLBENCH_DATA_IDENTITY"
SECRETS = {
    ("evaluate", "score"): [DATA_KEY],
    ("publish", "score"): [DATA_KEY],
    ("publish", "open"): [DATA_KEY],
    ("evaluate", "finish"): ["PULLBENCH_APP_KEY", "PULLBENCH_IDENTITY", "PULLBENCH_SIGNING_KEY"],
    ("publish", "collect"): COLLECT,
    ("publish", "store"): [*COLLECT, "PULLBENCH_TOKEN"],
    ("publish", "vouch"): ["PULLBENCH_SIGNING_KEY"],
    ("publish", "site"): ["PULLBENCH_SITE_KEY"],
}
GROUP = (
    "evaluate-${{ github.event.pull_request.number || inputs.pull_request }}-${{ ("
    "github.event.action != 'labeled' || github.event.label.name == 'evaluate') "
    "&& 'all' || github.run_id }}"
)
CONCURRENCY: dict[str, dict[str, Any]] = {
    "validate": {
        "group": "validate-${{ github.event.pull_request.number }}",
        "cancel-in-progress": True,
    },
    "evaluate": {
        "group": GROUP,
        "cancel-in-progress": "${{ github.event.action == 'synchronize' }}",
    },
    # Else a stranger's comment took the place of an organiser's that waits.
    "commands": {"group": "commands-${{ github.run_id }}", "cancel-in-progress": False},
    "enter": {"group": "enter-${{ github.event.issue.number }}", "cancel-in-progress": False},
    "publish": {
        "group": "publish${{ inputs.rerun && format('-{0}', github.run_id) || '' }}",
        "cancel-in-progress": False,
    },
    "ci": {
        "group": "ci-${{ github.ref }}",
        "cancel-in-progress": "${{ github.event_name == 'pull_request' }}",
    },
    "release": {"group": "release", "cancel-in-progress": False},
}


def _planned(state: str, output: str) -> str:
    """What `if` says of a job that needs the plan of the job that approved."""
    of_jobs = (
        f"(needs.{job}.result == 'success' && needs.{job}.outputs.{output})"
        for job in ("approve", "receive")
    )
    return f"${{{{ {state} && ({' || '.join(of_jobs)}) }}}}"


CONDITIONS = {
    ("commands", "answer"): (
        "(github.event.issue.pull_request || "
        "startsWith(github.event.issue.body, '### Benchmark')) && "
        "github.event.comment.user.type == 'User' && "
        "startsWith(github.event.comment.body, '/')"
    ),
    ("enter", "fetch"): (
        "github.event.issue.user.type == 'User' && "
        "startsWith(github.event.issue.body, '### Benchmark')"
    ),
    ("ci", "figures"): "github.event_name == 'pull_request'",
    ("ci", "targets"): "github.event_name == 'push'",
    ("evaluate", "receive"): (
        "github.event.action != 'labeled' && "
        "(github.event.pull_request || github.ref == 'refs/heads/main')"
    ),
    ("evaluate", "approve"): (
        "${{ !cancelled() && (github.event.label.name == 'evaluate' || "
        "(needs.receive.result == 'success' && needs.receive.outputs.next == 'screen')) }}"
    ),
    ("evaluate", "screen"): "needs.receive.outputs.next == 'screen'",
    ("evaluate", "cells"): _planned("!cancelled()", "count > 0"),
    ("evaluate", "score"): _planned("!cancelled()", "score"),
    ("evaluate", "finish"): _planned("always()", "base"),
    ("publish", "collect"): "github.ref == 'refs/heads/main'",
    ("publish", "cells"): "needs.collect.outputs.count != '0'",
    ("publish", "score"): (
        "${{ !cancelled() && needs.collect.result == 'success' && needs.collect.outputs.score }}"
    ),
    ("publish", "open"): "needs.collect.outputs.due",
    ("publish", "store"): (
        "${{ always() && needs.collect.result == 'success' && (needs.cells.result != 'skipped' || "
        "needs.score.result != 'skipped' || needs.open.result != 'skipped') }}"
    ),
    ("publish", "check"): (
        f"${{{{ !cancelled() && github.event.schedule == '{WEEKLY}' && "
        "needs.collect.result == 'success' }}"
    ),
    ("publish", "vouch"): "${{ !cancelled() && needs.check.result != 'skipped' }}",
    ("publish", "site"): "${{ !cancelled() && needs.collect.result == 'success' }}",
    ("publish", "deploy"): "${{ !cancelled() && needs.site.outputs.built }}",
    ("evaluate", "queue"): "${{ !cancelled() && needs.finish.result != 'skipped' }}",
    ("publish", "queue"): "${{ !cancelled() && github.ref == 'refs/heads/main' }}",
    ("publish", "overdue"): "${{ !cancelled() && github.ref == 'refs/heads/main' }}",
}
STEP_CONDITIONS = {
    ("evaluate", "receive"): ["steps.receive.outputs.next == 'approve'"],
    ("evaluate", "approve"): ["needs.screen.result == 'success'"],
    ("evaluate", "cells"): ["${{ !cancelled() }}"],
    ("evaluate", "score"): [*["needs.cells.result != 'skipped'"] * 2, "${{ !cancelled() }}"],
    ("publish", "score"): [*["needs.cells.result != 'skipped'"] * 2, "${{ !cancelled() }}"],
    ("publish", "open"): ["${{ !cancelled() }}"],
    ("evaluate", "finish"): ["vars.PULLBENCH_APP != ''"],
    ("publish", "collect"): ["vars.PULLBENCH_APP != ''"],
    ("publish", "cells"): ["${{ !cancelled() }}"],
    ("publish", "check"): ["${{ !cancelled() }}"],
    ("publish", "store"): [
        "vars.PULLBENCH_APP != ''",
        *["${{ !cancelled() && needs.open.result != 'skipped' }}"] * 2,
    ],
    # 28, 1.3: a site that lacks a part is kept and published, and its job fails.
    ("publish", "carry"): ["steps.restore.outputs.cache-matched-key"],
    ("publish", "site"): [
        "needs.carry.outputs.found",
        "${{ !cancelled() && steps.build.outputs.built && hashFiles('build/site.tar') != '' }}",
        "${{ !cancelled() && steps.build.outputs.built }}",
    ],
}
PLAN = "needs.approve.result == 'success' && needs.approve.outputs.%s || needs.receive.outputs.%s"
"""What the job that approved says; the other was skipped, or left it to that."""
REFS = {
    ("validate", "validate"): "${{ github.base_ref }}",
    ("validate", "controls"): "${{ github.base_ref }}",
    ("evaluate", "receive"): "main",
    ("evaluate", "screen"): "main",
    ("evaluate", "approve"): "main",
    ("evaluate", "cells"): f"${{{{ {PLAN % ('base', 'base')} }}}}",
    ("evaluate", "score"): f"${{{{ {PLAN % ('base', 'base')} }}}}",
    ("evaluate", "finish"): "main",
    ("commands", "answer"): "main",
    ("enter", "fetch"): "main",
    ("enter", "open"): "main",
    ("publish", "collect"): "main",
    ("publish", "cells"): "${{ needs.collect.outputs.commit }}",
    ("publish", "score"): "${{ needs.collect.outputs.commit }}",
    ("publish", "open"): "${{ needs.collect.outputs.commit }}",
    ("publish", "store"): "main",
    ("publish", "check"): "${{ needs.collect.outputs.commit }}",
    ("publish", "vouch"): "${{ needs.collect.outputs.commit }}",
    ("publish", "site"): "main",
    ("evaluate", "queue"): "main",
    ("publish", "queue"): "main",
    ("publish", "overdue"): "main",
    # What is tested is what is proposed; nothing but reading is allowed there.
    ("ci", "lint"): None,
    ("ci", "test"): None,
    ("ci", "versions"): None,
    ("ci", "slow"): None,
    ("ci", "slurm"): None,
    ("ci", "podman"): None,
    ("ci", "core-alone"): None,
    ("ci", "shell"): None,
    ("ci", "figures"): None,
    ("ci", "targets"): None,
    # The tag that was pushed.
    ("release", "build"): None,
    ("release", "publish"): None,
    ("release", "note"): None,
}
MATRICES: dict[tuple[str, str], dict[str, Any]] = {
    ("ci", "test"): {
        "include": [
            {"share": "plain", "tests": "not slow and not docker and not browser"},
            {"share": "containers", "tests": "not slow and docker"},
            {"share": "browser", "tests": "not slow and browser and not docker"},
        ]
    },
    ("ci", "slow"): {
        "include": [
            {"share": "plain", "tests": "slow and not docker and not browser"},
            {"share": "containers", "tests": "slow and docker"},
            {"share": "browser", "tests": "slow and browser and not docker"},
        ]
    },
    ("ci", "versions"): {"versions": ["newest", "oldest"]},
    ("ci", "targets"): {
        "target": ["run SERVE=0", "reproduce", "bench OUTPUT=/dev/stdout", "journeys",
                   "fuzz MINUTES=10", "chaos N=2", "day N=20", "golf N=40", "pictures",
                   "lock format clean"],
    },
}  # fmt: skip
"""Of jobs whose number is no plan's."""
CONTAINERS = {"controls", "screen", "cells", "check"}
"""Jobs in which a stranger's program runs, or one that reads a stranger's files."""
WHOLE = {"fetch-depth": 0}
BESIDE_BASE = {"fetch-depth": 2}
"""A pull request's merge and its base."""
LEAN = {"sparse-checkout": ".github\nevaluator\n"}
"""What jobs of a pull request check out: one commit, and of its files what installs pullbench."""
MAX_MINUTES = 360
ASKING = (
    ("evaluate", "receive"), ("evaluate", "approve"), ("evaluate", "finish"),
    ("commands", "answer"), ("enter", "open"), ("evaluate", "queue"), ("publish", "queue"),
    ("publish", "overdue"),
)  # fmt: skip
"""Jobs that ask the forge."""
MIN_MINUTES = 2 * MAX_WAIT / 60 + 10
"""Of those: the waits of one command, with all its tokens, and of one more."""
COMMANDS = re.compile(r"pullbench [a-zA-Z0-9 -]+(?:build/[a-z/]+(?:\.json)?)?")
SETUP = "./.github/actions/setup"
"""The one action of our own, as a step names it."""
INSTALL = ".github/actions/setup/install.sh python --quiet"
INSTALLS = [
    f"{INSTALL} --require-hashes --only-binary=:all: -r .github/locks/$LOCK.txt",
    f"{INSTALL} --no-deps --no-build-isolation -r .github/requirements.txt",
]
"""All that is locked, each file by its digest; then pullbench itself, and nothing that it names."""
LOCKS = {
    ("validate", "validate"): "take-part",
    **dict.fromkeys(
        [("validate", "controls"), ("evaluate", "screen"), ("evaluate", "cells"),
         ("evaluate", "score"), ("publish", "cells"), ("publish", "check"), ("publish", "score"),
         ("publish", "open")],
        "cells",
    ),
    ("publish", "site"): "site",
}  # fmt: skip
"""Of jobs that evaluate nothing, and no site, it is ``jobs``."""
NO_CACHE = {"UV_NO_CACHE": "1"}
"""Of both: uv compares what it downloads with its digest, and not what lies in its cache."""
RELEASE = {
    "build": [
        "pip install --quiet --require-hashes --only-binary=:all: -r .github/locks/release.txt",
        "python -m build --no-isolation --outdir build/dist",
        'ls "build/dist/pullbench-${GITHUB_REF_NAME#v}.tar.gz"',
    ],
    "publish": [
        "pip install --quiet --require-hashes --only-binary=:all: -r .github/locks/release.txt",
        "uv publish --trusted-publishing always build/dist/*",
    ],
    "note": [
        *INSTALLS,
        "mkdir -p build && pullbench verify > build/note.txt",
        'gh release create "$GITHUB_REF_NAME" --verify-tag --generate-notes '
        "--notes-file build/note.txt",
    ],
}
"""The commands of a release: what is built is what the tag says; who publishes builds nothing."""
OURS = ("ci", "release")
"""Workflows of this repository alone, whose commands are not pullbench's."""
PINNED = re.compile(r"actions/[a-z-]+(/[a-z]+)?@[0-9a-f]{40} # v\d+\.\d+\.\d+")


def parse(text: str) -> dict[str, Any]:
    """A workflow as GitHub reads it: YAML 1.1 takes the key ``on`` for a truth value."""
    data = yaml.safe_load(text)
    data["on"] = data.pop(True)
    return dict(data)


def with_actions(workflows: Workflows, actions: Workflows) -> Workflows:
    """Put the steps of our own actions, by their ``./`` path, after the step that names them."""
    for _, job in jobs(workflows):
        inner = [
            [step, *actions[step["uses"]]["runs"]["steps"]] if is_ours(step) else [step]
            for step in job["steps"]
        ]
        job["steps"] = list(itertools.chain.from_iterable(inner))
    return workflows


def is_ours(step: dict[str, Any]) -> bool:
    return bool(step.get("uses", "").startswith("./"))


def jobs(workflows: Workflows) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
    for name, workflow in workflows.items():
        for job, content in workflow["jobs"].items():
            yield (name, job), content


def steps(workflows: Workflows) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
    for where, job in jobs(workflows):
        for step in job["steps"]:
            yield where, step


def differs(what: str, wanted: object, found: object) -> Iterator[str]:
    if wanted != found:
        yield f"{what}: {found!r} instead of {wanted!r}"


def triggers(workflows: Workflows) -> Iterator[str]:
    for name, workflow in workflows.items():
        found = workflow["on"]
        for given in (found.get("workflow_dispatch") or {}).get("inputs", {}).values():
            given.pop("description", None)
        yield from differs(name, TRIGGERS[name], found)


def permissions(workflows: Workflows) -> Iterator[str]:
    for name, workflow in workflows.items():
        yield from differs(name, {}, workflow.get("permissions"))
        found = {job: content.get("permissions") for job, content in workflow["jobs"].items()}
        yield from differs(name, PERMISSIONS[name], found)


def environments(workflows: Workflows) -> Iterator[str]:
    found = {}
    for where, job in jobs(workflows):
        if "environment" in job:
            found[where] = job["environment"]["name"]
            deploys = job["environment"].get("deployment", True)
            yield from differs(f"{where} deploys", where[1] == "deploy", deploys)
    yield from differs("environments", ENVIRONMENTS, found)


def concurrency(workflows: Workflows) -> Iterator[str]:
    for name, workflow in workflows.items():
        yield from differs(name, CONCURRENCY[name], workflow.get("concurrency"))
    for where, job in jobs(workflows):
        yield from differs(f"{where}", None, job.get("concurrency"))


def conditions(workflows: Workflows) -> Iterator[str]:
    found = {where: job["if"] for where, job in jobs(workflows) if "if" in job}
    yield from differs("conditions", CONDITIONS, found)
    of_steps: dict[tuple[str, str], list[str]] = {}
    for where, step in steps({name: workflows[name] for name in workflows.keys() - OURS}):
        if "if" in step:
            of_steps.setdefault(where, []).append(step["if"])
    yield from differs("conditions of steps", STEP_CONDITIONS, of_steps)


def timeouts(workflows: Workflows) -> Iterator[str]:
    for where, job in jobs(workflows):
        minutes = job.get("timeout-minutes")
        if not isinstance(minutes, int) or not 0 < minutes <= MAX_MINUTES:
            yield f"{where}: {minutes} minutes"
        elif where in ASKING and minutes < MIN_MINUTES:
            yield f"{where}: {minutes} minutes, and it waits for the forge"


def checkouts(workflows: Workflows) -> Iterator[str]:
    """Which commit a job works on, and that it leaves no token behind."""
    found = {}
    for where, step in steps(workflows):
        if step.get("uses", "").startswith("actions/checkout@"):
            given = step["with"]
            found[where] = given.pop("ref", None)
            wanted = {} if where[0] in OURS else WHOLE if where[0] == "publish" else LEAN
            if where == ("ci", "figures"):
                wanted = BESIDE_BASE
            if where == ("release", "note"):
                wanted = WHOLE
            yield from differs(f"{where}", {**wanted, "persist-credentials": False}, given)
    yield from differs("commits checked out", REFS, found)


def our_actions(workflows: Workflows) -> Iterator[str]:
    """The action is of the commit that was checked out a step before: nothing changed it since."""
    for where, job in jobs(workflows):
        for before, step in itertools.pairwise([{}, *job["steps"]]):
            if is_ours(step):
                wanted = {"uses": SETUP, "with": {"lock": LOCKS.get(where, "jobs")}}
                yield from differs(f"{where}", wanted, step)
                if not before.get("uses", "").startswith("actions/checkout@"):
                    yield f"{where}: {before} comes before an action of ours"


def no_head(workflows: Workflows) -> Iterator[str]:
    """With the base branch's rights, nothing but a variable may hold the pull request's commit.

    No variable holds the text of a comment: the command reads it from the event's file.
    """
    trusted = ("evaluate", "commands", "enter")
    for where, step in steps({name: workflows[name] for name in trusted}):
        if re.search(r"comment\.|issue\.|title|body|head\.ref", str(step.get("env", "")).lower()):
            yield f"{where}: {step['env']}"
        for key, value in {**step, "env": None}.items():
            if re.search(r"head|merge_commit|refs/pull|\bgithub\.sha\b", str(value).lower()):
                yield f"{where}: {key}: {value}"


def secrets(workflows: Workflows) -> Iterator[str]:
    """No token where containers run or a stranger's file is unpacked.

    Secrets are where main is written, and what is closed opened.
    """
    for where, job in jobs(workflows):
        text = str(job)
        if where[1] in {*CONTAINERS, "fetch"} and re.search(r"secrets|token", text.lower()):
            yield f"{where} holds a secret"
        found = re.findall(r"secrets\.?([A-Z_]*)", text)
        yield from differs(f"{where}", SECRETS.get(where, []), found)
    for name, workflow in workflows.items():
        if "env" in workflow:
            yield f"{name}: variables of all jobs"


APP_TOKEN = {
    "client-id": "${{ vars.PULLBENCH_APP }}",
    "private-key": "${{ secrets.PULLBENCH_APP_KEY }}",
    "permission-contents": "write",
}
MERGE_TOKEN = {**APP_TOKEN, "permission-pull-requests": "write"}
PUSHED_WITH = {"PULLBENCH_TOKEN": "${{ steps.app.outputs.token || secrets.PULLBENCH_TOKEN }}"}
PUSHERS = {
    ("evaluate", "finish"): (
        MERGE_TOKEN,
        {"PULLBENCH_MERGE_TOKEN": "${{ steps.app.outputs.token }}"},
    ),
    ("publish", "collect"): (APP_TOKEN, PUSHED_WITH),
    ("publish", "store"): (APP_TOKEN, PUSHED_WITH),
}


def app_tokens(workflows: Workflows) -> Iterator[str]:
    """An app's token is made where main is written, just before, and may do nothing else."""
    found = []
    for where, job in jobs(workflows):
        for step, following in itertools.pairwise(job["steps"]):
            if step.get("uses", "").startswith("actions/create-github-app-token@"):
                found.append(where)
                asked, given = PUSHERS.get(where, ({}, {}))
                yield from differs(f"{where}", asked, step["with"])
                # Records are kept also where nothing may be merged.
                keeps_on = step.get("continue-on-error", False)
                yield from differs(f"{where}", where == ("evaluate", "finish"), keeps_on)
                yield from differs(f"{where}", "vars.PULLBENCH_APP != ''", step.get("if"))
                env = following.get("env", {})
                tokens = {name: env[name] for name in env if "steps.app" in env[name]}
                yield from differs(f"{where}", given, tokens)
    yield from differs("tokens of an app", list(PUSHERS), found)


def scripts(workflows: Workflows) -> Iterator[str]:
    """Each step is one command, and no expression is part of it."""
    for where, step in steps(workflows):
        run = step.get("run", "")
        shell = "bash" if run in INSTALLS else None  # an action has to name one
        if "${{" in run or "working-directory" in step or step.get("shell") != shell:
            yield f"{where}: {run}"
        if where[0] not in OURS and run and run not in INSTALLS and not COMMANDS.fullmatch(run):
            yield f"{where}: {run}"


def installs(workflows: Workflows) -> Iterator[str]:
    """Whoever calls pullbench installs what is locked, before it and in order.

    Only ci installs what is newest: it may read a public repository, and nothing else.
    """
    for where, job in jobs(workflows):
        lines = [step["run"] for step in job["steps"] if "run" in step]
        if where[0] == "release":
            yield from differs(f"{where}", RELEASE[where[1]], lines)
        elif where[0] != "ci" and lines:
            yield from differs(f"{where}", INSTALLS, lines[: len(INSTALLS)])
            calls = [line.startswith("pullbench ") for line in lines[len(INSTALLS) :]]
            has_two = where[1] in ("receive", "site", "score", "store")
            wanted = [True, True] if has_two else [True]
            yield from differs(f"{where}", wanted, calls)


SITE = "site-${{ github.ref_name }}-"
KEY = {"path": "build/site.tar", "key": SITE + "${{ github.run_id }}-${{ github.run_attempt }}"}
SITE_CACHE = {
    ("publish", "carry"): [("actions/cache/restore", {**KEY, "restore-keys": SITE})],
    ("publish", "site"): [("actions/cache/save", KEY)],
}
MODES = {("publish", "carry"): "read", ("publish", "site"): "write-only"}
"""Of jobs; all others of their workflows may neither read nor write a cache."""


def caches(workflows: Workflows) -> Iterator[str]:
    """Only a job without rights unpacks a cache: the client does it with ``tar -P``, which writes
    any file of the runner before a digest is looked at. And no job of strangers' programs could
    have written it.
    """
    found: dict[tuple[str, str], list[tuple[str, Any]]] = {}
    for where, job in jobs(workflows):
        mode = workflows[where[0]].get("cache-mode")
        if where[0] not in OURS:
            yield from differs(f"{where}", MODES.get(where, "none"), job.get("cache-mode", mode))
        for step in job["steps"]:
            action, given = step.get("uses", "").partition("@")[0], dict(step.get("with", {}))
            if action.startswith("actions/cache"):
                found.setdefault(where, []).append((action, given))
            if any("cache" in key for key in given):
                yield f"{where}: {step}"
            if step.get("run") in INSTALLS:
                wanted = {"LOCK": "${{ inputs.lock }}"} if step["run"] == INSTALLS[0] else {}
                yield from differs(f"{where}", {**wanted, **NO_CACHE}, step.get("env"))
        if unpacks(job) and (has_rights(job) or where[1] in CONTAINERS):
            yield f"{where} unpacks a cache"
    yield from differs("caches", SITE_CACHE, found)
    *_, build = (s for s in workflows["publish"]["jobs"]["site"]["steps"] if s.get("id") == "build")
    wanted = {"PULLBENCH_SITE_CARRY": KEY["path"],
              "PULLBENCH_SITE_KEY": "${{ secrets.PULLBENCH_SITE_KEY }}"}  # fmt: skip
    yield from differs("what the site is carried on with", wanted, build["env"])


def unpacks(job: dict[str, Any]) -> bool:
    return any(
        re.match(r"actions/cache(/restore)?@", step.get("uses", ""))
        or "cache" in step.get("with", {})
        for step in job["steps"]
    )


def has_rights(job: dict[str, Any]) -> bool:
    """Whether a job has a secret, or a token that may write."""
    return "secrets." in str(job) or "write" in (job.get("permissions") or {}).values()


BY_NAME = {
    ("evaluate", "approve"): "screen",
    ("publish", "vouch"): "compared",
    ("publish", "site"): "site-before",
    ("enter", "open"): "entry",
}
"""Jobs that fetch one artifact by its name."""
COMPARED = ("records-", "opened", "site-before")
"""Begin names of artifacts that are not taken on trust: what a job handed over has a digest, that
of what was sealed names its file, and the site is packed with a key."""
PAGES = "github-pages"


def artifacts(workflows: Workflows) -> Iterator[str]:
    """What fetches the artifacts of jobs never meets one alone, which loses its name; and every
    other artifact is handed over while no stranger's program runs that could replace it.
    """
    for where, job in jobs(workflows):
        used = [
            (step["uses"].partition("@")[0], step["with"].get("name"), step["with"].get("pattern"))
            for step in job["steps"]
            if "artifact@" in step.get("uses", "")
        ]
        second = ("actions/upload-artifact", "records-", None)
        fetch = ("actions/download-artifact", None, "records-*")
        wanted = [second, fetch]
        if where[1] == "score":
            wanted.append((second[0], "records-score", None))
        if where == ("publish", "store"):
            wanted.append((fetch[0], "opened", None))
        if name := BY_NAME.get(where):
            wanted = [(fetch[0], name, None)]
        if where[0] not in OURS and any(action == fetch[0] for action, *_ in used):
            fetched = [one for one in used if one[0] != "actions/upload-pages-artifact"]
            yield from differs(f"{where}", wanted, fetched)
    for name in workflows.keys() - OURS:
        yield from _replaceable(name, workflows[name]["jobs"])


def _replaceable(workflow: str, of: dict[str, Any]) -> Iterator[str]:
    def before(job: str) -> set[str]:
        needs = of[job].get("needs", [])
        direct = {needs} if isinstance(needs, str) else set(needs)
        return direct.union(*map(before, direct)) if direct else set()

    def handles(job: str, verb: str) -> set[str]:
        steps = (step for step in of[job]["steps"] if f"{verb}-" in step.get("uses", ""))
        return {step.get("with", {}).get("name") or PAGES for step in steps
                if re.search("artifact|pages", step["uses"])}  # fmt: skip

    for source in of:
        for name in handles(source, "upload"):
            takers = {
                job for job in of if name in handles(job, "download") | handles(job, "deploy")
            }
            for job in (CONTAINERS | {"score"}) & of.keys() - {source}:
                is_over = job in before(source) or takers <= before(job)
                if not name.startswith(COMPARED) and not is_over:
                    yield f"{workflow}: {job} could replace {name} of {source}"


OUTPUTS = {
    f"d{n}": f"${{{{ endsWith(matrix.name, '-{n}') && steps.run.outputs.d{n} || '' }}}}"
    for n in range(1, MAX_JOBS + 1)
}


def digests(workflows: Workflows) -> Iterator[str]:
    """Each job of a matrix says by an output of its own, and by no other, what it handed over, and
    what fetches the records is given what all of them say.
    """
    for workflow, taker in (("evaluate", "finish"), ("publish", "store")):
        of = workflows[workflow]["jobs"]
        yield from differs(workflow, OUTPUTS, of["cells"].get("outputs"))
        (run,) = (step for step in of["cells"]["steps"] if step.get("id") == "run")
        yield from differs(workflow, "pullbench run --output build/records", run["run"])
        yield from differs(workflow, "${{ matrix.name }}", run["env"].get("PULLBENCH_JOB"))
        yield from differs(workflow, {"dscore": "${{ steps.run.outputs.dscore }}"},
                           of["score"].get("outputs"))  # fmt: skip
        commands = [step for step in of[taker]["steps"] if "pullbench" in step.get("run", "")]
        given = commands[0]["env"].get("PULLBENCH_DIGESTS")
        wanted = ", ".join(f"${{{{ toJSON(needs.{job}.outputs) }}}}" for job in ("cells", "score"))
        yield from differs(workflow, f"[{wanted}]", given)


def data_keys(workflows: Workflows) -> Iterator[str]:
    """One step has the key of encrypted data and runs no container; the next scores without it.

    Both are told the same cells of the same commits.
    """
    for workflow in ("evaluate", "publish"):
        commands = [step for step in workflows[workflow]["jobs"]["score"]["steps"]
                    if step.get("run", "").startswith("pullbench")]  # fmt: skip
        found = [step["run"] for step in commands]
        wanted = ["pullbench unlock --from build/predicted", "pullbench run --output build/records"]
        yield from differs(workflow, wanted, found)
        opening, scoring = ({**step["env"]} for step in commands)
        yield from differs(workflow, f"${{{{ secrets.{DATA_KEY} }}}}", opening.pop(DATA_KEY, ""))
        yield from differs(workflow, "score", scoring.pop("PULLBENCH_JOB", ""))
        digests = "[${{ toJSON(needs.cells.outputs) }}]"
        yield from differs(workflow, digests, opening.pop("PULLBENCH_DIGESTS", ""))
        predicted = (
            PLAN % (("predicted",) * 2) if workflow == "evaluate"
            else "needs.collect.outputs.predicted"
        )  # fmt: skip
        given = opening.pop("PULLBENCH_PREDICTED", "")
        yield from differs(workflow, f"${{{{ {predicted} }}}}", given)
        yield from differs(workflow, opening, scoring)
        yield from differs(workflow, "/dev/shm/pullbench-unlocked", opening["PULLBENCH_UNLOCKED"])
    for job, option in (("open", "output"), ("store", "from")):
        *_, step = (one for one in workflows["publish"]["jobs"][job]["steps"] if "run" in one)
        yield from differs(job, f"pullbench unseal --{option} build/opened", step["run"])


def matrices(workflows: Workflows) -> Iterator[str]:
    found = {}
    for where, job in jobs(workflows):
        if where[1] != "cells":
            yield from differs(f"{where}", "ubuntu-latest", job["runs-on"])
            values = MATRICES.get(where)
            wanted: Any = values and {"fail-fast": False, "matrix": values}
            yield from differs(f"{where}", wanted, job.get("strategy"))
            continue
        found[where] = job["strategy"]
        matrix = (
            PLAN % (("matrix",) * 2) if where[0] == "evaluate" else "needs.collect.outputs.matrix"
        )
        wanted = {"fail-fast": False, "matrix": f"${{{{ fromJSON({matrix}) }}}}"}
        yield from differs(f"{where}", wanted, job["strategy"])
        yield from differs(f"{where}", "${{ matrix.runs_on }}", job["runs-on"])
        (upload,) = (s for s in job["steps"] if "upload-artifact" in s.get("uses", ""))
        name = "records-${{ matrix.name }}"
        yield from differs(f"{where}", name, upload["with"]["name"])
        # Two attempts that both hand over a record of one cell would refuse each other's.
        yield from differs(f"{where}", True, upload["with"].get("overwrite"))
        yield from differs(f"{where}", "${{ !cancelled() }}", upload.get("if"))
    if len(found) != 2:
        yield f"matrices: {sorted(found)}"


RULES: dict[str, Rule] = {
    rule.__name__: rule
    for rule in (triggers, permissions, environments, concurrency, conditions, timeouts,
                 checkouts, our_actions, no_head, secrets, app_tokens, scripts, installs, caches,
                 artifacts, digests, data_keys, matrices)
}  # fmt: skip


def pins(text: str) -> Iterator[str]:
    """Every action is GitHub's own, by its full commit, with its version beside it, or ours."""
    for line in text.splitlines():
        found = re.match(r"[ -]*uses:(.*)", line)
        if found and found[1].strip() != SETUP and not PINNED.fullmatch(found[1].strip()):
            yield line
