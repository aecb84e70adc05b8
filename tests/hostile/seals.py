"""A phase whose entries may be sealed, and files as `submit --seal` makes them."""

from evaluator.core.formats.submission import parse_submission
from evaluator.importing.private_parts import make_keys
from evaluator.plugins.sealed.sealing import seal_entry
from tests.ci.steps.conftest import Files, Forge
from tests.repository import BRANCH

BUNDLE = "benchmarks/echo/competition.yaml"
PLAIN = {"submission.yaml": b"kind: results\n", "predictions.csv": b"id,value\n1,0\n2,0\n"}


def begin_seals(forge: Forge, limit: str = "") -> None:
    """Let the benchmark ``echo`` take sealed entries, and have none."""
    ours = forge.ours
    ours.git("rm", "-rq", "submissions/echo")
    ours.replace(BUNDLE, "time_limit: 3}", f"time_limit: 3, hide_output: true{limit}}}")
    seal = f"{{until: 2099-01-01, to: {make_keys()[0]}}}"
    ours.write(BUNDLE, (ours.path / BUNDLE).read_text() + f"  phases: {{0: {{seal: {seal}}}}}\n")
    ours.commit("A season")
    ours.git("push", "--quiet", "origin", f"HEAD:refs/heads/{BRANCH}")


def sealed(forge: Forge, who: str, name: str = "one") -> Files:
    """Return the files of a sealed entry."""
    snapshot = forge.ours.snapshot("HEAD")
    entry, problems = parse_submission(
        ("echo", who, name), PLAIN["submission.yaml"], [*PLAIN], snapshot.benchmarks["echo"]
    )
    assert entry is not None, problems
    files = seal_entry(snapshot, entry, PLAIN)
    return {f"submissions/echo/{who}/{name}/{path}": content for path, content in files.items()}


def copied(files: Files, who: str, name: str = "copy") -> Files:
    """Return the same files as another's."""
    return {
        f"submissions/echo/{who}/{name}/{path.rpartition('/')[2]}": content
        for path, content in files.items()
    }
