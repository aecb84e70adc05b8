"""A repository of benchmarks as its users have it: a bare origin, a forge, and events."""

import datetime as dt
import os
import subprocess
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from evaluator.ci.opened.heads import PullRequestRef
from evaluator.core.clock import utc_now
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.record import Record
from evaluator.core.formats.record_lines import records_of
from evaluator.core.formats.scores_file import decode
from tests.locked import LOCKS, REQUIREMENTS, blocks
from tests.repository import Repository, command
from tests.steps import receive
from tests.workflows import events
from tests.workflows.act import Act, Ran
from tests.workflows.forge import ADDRESS, REPOSITORY, LoopbackForge

ORGANISER = "olga"
PARTICIPANT = "ann"
NAME = "line"
"""Its one benchmark."""
LEDGER = "pullbench-ledger"
TITLE = """'"; echo ::error::evil; $(echo evil) ${{ github.token }} `evil` <b>evil</b>
::set-output name=matrix::evil"""
BRANCH = "evil-$(evil)-;evil"
GOOD = """
def predict(train, xs):
    for line in ("::error::evil", "::set-output name=matrix::evil", "::add-mask::evil"):
        print(line)
    n = len(train)
    mx, my = sum(x for x, _ in train) / n, sum(y for _, y in train) / n
    slope = sum((x - mx) * (y - my) for x, y in train) / sum((x - mx) ** 2 for x, _ in train)
    return [my + slope * (x - mx) for x in xs]
"""


class Scene:
    """An organiser's clone, strangers' pull requests, and what the workflows make of them."""

    def __init__(self, folder: Path, forge: LoopbackForge, clone: Repository | None = None) -> None:
        self.forge = forge
        forge.show_head = self._show_head
        forge.merge_branches = lambda pull: self.merge(pull["number"])
        self.clone = clone or _scaffold(folder / "clone")
        self.origin = folder / "origin.git"
        self.clone.git("clone", "--quiet", "--bare", str(self.clone.path), str(self.origin))
        self.clone.git("remote", "add", "origin", f"file://{self.origin}")
        self.act = Act(folder, self.origin, forge=forge.api, repository=REPOSITORY)

    def entry(self, login: str = PARTICIPANT, name: str = "slope") -> str:
        return f"submissions/{NAME}/{login}/{name}"

    def cell(self, login: str = PARTICIPANT, name: str = "slope") -> CellId:
        return CellId(benchmark=NAME, participant=login, submission=name, phase="main", task="line")

    def propose(
        self, number: int, files: Mapping[str, str | bytes], login: str = PARTICIPANT
    ) -> str:
        """Push the head of a pull request, as the forge keeps it; return its commit."""
        self.update()
        self.clone.git("checkout", "--quiet", "-B", f"pull-{number}", "main")
        for path, content in files.items():
            self.clone.write(path, content)
        head = self.clone.commit("Enter")
        self.clone.git("push", "--quiet", "--force", "origin", f"HEAD:refs/pull/{number}/head")
        self.clone.git("checkout", "--quiet", "main")
        if number in self.forge.pulls:
            self.forge.pulls[number]["head"]["sha"] = head
        else:
            self.forge.open_pull(number, head=head, login=login, title=TITLE, branch=BRANCH)
        return head

    def enter(self, number: int = 1, content: str = GOOD) -> str:
        """Propose a submission."""
        folder = self.entry()
        return self.propose(
            number, {f"{folder}/submission.yaml": "kind: code\n", f"{folder}/model.py": content}
        )

    def set_policy(self, rules: str) -> None:
        """The organiser gives the benchmark a policy, as YAML in one line."""
        path = f"benchmarks/{NAME}/competition.yaml"
        self.clone.replace(path, "pullbench:\n", f"pullbench:\n  policy: {rules}\n")
        self.commit("A policy")

    def pull(self, action: str, workflow: str, *, number: int = 1, **given: Any) -> Ran:
        """Something happens to a pull request. ``given`` goes into the payload."""
        pull = self.forge.pulls[number]
        meanwhile = given.pop("meanwhile", "true")
        standing = {
            "head": pull["head"]["sha"], "login": pull["user"]["login"],
            "title": pull["title"], "branch": pull["head"]["ref"],
        }  # fmt: skip
        payload = events.pull_request(action, number, **{**standing, **given})
        event = "pull_request" if workflow == "validate" else "pull_request_target"
        return self.act.run(event, payload, workflow, meanwhile=meanwhile)

    def label(self, number: int = 1, *, by: str = ORGANISER, name: str = "evaluate",
              **given: Any) -> Ran:  # fmt: skip
        """Somebody sets a label, some time after the push was received."""
        pull = self.forge.pulls[number]
        source = PullRequestRef(
            base="main", head=pull["head"]["sha"], remote="origin", number=number
        )
        receive(self.clone.path, source, pull["user"]["login"], utc_now())
        self.forge.label(number, name)
        return self.pull("labeled", "evaluate", number=number, sender=by, label=name, **given)

    def comment(self, body: str, *, by: str, number: int = 1) -> Ran:
        """Somebody comments on a pull request."""
        # Whole seconds, and after what was received: a person reads it first.
        created = f"{utc_now() + dt.timedelta(seconds=1):%Y-%m-%dT%H:%M:%SZ}"
        payload = events.comment(number, body, sender=by, created=created)
        return self.act.run("issue_comment", payload, "commands")

    def fill_in(self, body: str, login: str = PARTICIPANT) -> tuple[int, Ran]:
        """Somebody opens an issue with a form; return its number."""
        number = 500 + len(self.forge.issues)
        self.forge.issues[number] = {"number": number, "state": "open", "body": body}
        payload = events.issue(number, body, login=login, account=7)
        server = {"GITHUB_SERVER_URL": self.forge.api}
        return number, self.act.run("issues", payload, "enter", environment=server)

    def _show_head(self, branch: str, number: int) -> str:
        head = self._origin("rev-parse", f"refs/heads/{branch}")
        self._origin("update-ref", f"refs/pull/{number}/head", head)
        return head

    def proceed(self, *, meanwhile: str = "true") -> Ran:
        """What the oldest start of evaluate.yml does, which has a number and nothing else."""
        workflow, inputs = self.forge.dispatched.pop(0)
        payload = events.started(inputs, sender="github-actions[bot]")
        stem = workflow.removesuffix(".yml")
        return self.act.run("workflow_dispatch", payload, stem, meanwhile=meanwhile)

    def push(self) -> Ran:
        """Main has moved."""
        tip, before = (*self._origin("rev-list", "--first-parent", "main").split(), "0" * 40)[:2]
        payload = events.push(tip, before=before, sender=ORGANISER)
        return self.act.run("push", payload, "publish")

    def schedule(self, cron: str = "17 * * * *") -> Ran:
        """An hour has passed, or what ``cron`` says."""
        return self.act.run("schedule", events.schedule(cron), "publish")

    def dispatch(self, rerun: str, *, failed: bool = False, meanwhile: str = "true") -> Ran:
        """An organiser starts it by hand."""
        payload = events.dispatch(rerun, failed=failed, sender=ORGANISER)
        return self.act.run("workflow_dispatch", payload, "publish", meanwhile=meanwhile)

    def merge(self, number: int = 1) -> str:
        """Merge a pull request, as the forge does."""
        self.update()
        head = self.forge.pulls[number]["head"]["sha"]
        self.clone.git("merge", "--quiet", "--no-ff", "--message", f"Merge #{number}", head)
        self.clone.git("push", "--quiet", "origin", "main")
        self.forge.pulls[number] |= {"state": "closed", "merged": True}
        return self._origin("rev-parse", "main")

    def update(self) -> None:
        """Bring the clone up to what the origin has."""
        self.clone.git("fetch", "--quiet", "origin", "+refs/heads/*:refs/remotes/origin/*")
        self.clone.git("checkout", "--quiet", "main")
        self.clone.git("merge", "--quiet", "--ff-only", "origin/main")

    def commit(self, message: str) -> str:
        """An organiser changes main."""
        commit = self.clone.commit(message)
        self.clone.git("push", "--quiet", "origin", "main")
        return commit

    def kept(self) -> list[str]:
        """Records in the ledger."""
        refs = self._origin("for-each-ref", "--format=%(refname:short)", "refs/heads").split()
        listed = self._origin("ls-tree", "-r", "--name-only", LEDGER) if LEDGER in refs else ""
        return [path for path in listed.splitlines() if path.startswith("evaluated/")]

    def record(self, cell: CellId) -> Record:
        """Record on the origin's main."""
        file = decode(self._origin("show", f"main:{cell.scores_path}").encode())
        return next(record for record in records_of(file) if record.cell == cell)

    def _origin(self, *arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=self.origin, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()


def _scaffold(folder: Path) -> Repository:
    """What ``pullbench init --repository`` writes, committed."""
    init = ("init", NAME, "--repository", folder.name, "--forge", ADDRESS, "--organiser", ORGANISER)
    subprocess.run(
        command(folder.parent, *init), env=dict(os.environ), check=True, capture_output=True
    )
    ignored = (folder / ".gitignore").read_text()
    repository = Repository(folder)
    repository.write(".gitignore", ignored)
    use_what_is_installed(folder)
    repository.commit("Begin")
    return repository


def use_what_is_installed(folder: Path) -> None:
    """Let the workflows of a new repository fetch nothing."""
    for lock in (folder / LOCKS).iterdir():
        lock.write_text("".join(map(_installed, blocks(lock.read_text()))))
    (folder / REQUIREMENTS).write_text(f"pullbench=={metadata.version('pullbench')}\n")


def _installed(block: str) -> str:
    """Return a block of the lock with the version that is here: nothing is to be fetched."""
    name, version = block.partition(" ")[0].split("==")
    try:
        return block.replace(f"=={version}", f"=={metadata.version(name)}", 1)
    except metadata.PackageNotFoundError:
        return ""  # what builds the package, which is built already
