from evaluator.ci.opened.heads import PullRequestRef
from tests.ci.steps.conftest import Forge
from tests.hostile.seals import begin_seals, copied, sealed


def attack(forge: Forge) -> PullRequestRef:
    begin_seals(forge)
    hers = sealed(forge, "ada")
    forge.merge(forge.open(1, hers))
    files = copied(hers, "mallory")
    (name,) = (path for path in files if path.endswith(".age"))
    files[f"submissions/echo/mallory/copy/{1:064x}.age"] = files.pop(name)
    return forge.open(2, files)
