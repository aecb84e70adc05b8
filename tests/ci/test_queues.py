from evaluator.ci.ledger.queues import to_matrix
from evaluator.core.scores.uploads import output_of
from tests.repository import Repository

QUEUES = {"default": ["ubuntu-latest"]}


def test_cells_by_queue(small: Repository) -> None:
    small.replace("benchmarks/echo/competition.yaml", "pullbench:\n", "pullbench:\n  queue: gpu\n")
    assert to_matrix(small.plan().missing, QUEUES) == {
        "include": [
            {
                "name": "default-1",
                "queue": "default",
                "runs_on": ["ubuntu-latest"],
                "cells": "adding/alice/right/main/one adding/alice/right/main/two",
            },
            {
                "name": "default-2",
                "queue": "default",
                "runs_on": ["ubuntu-latest"],
                "cells": "adding/bob/wrong/main/one adding/bob/wrong/main/two",
            },
            {
                "name": "gpu-3",
                "queue": "gpu",
                "runs_on": ["self-hosted", "gpu"],
                "cells": "echo/alice/same/main/echo",
            },
        ]
    }


def test_labels_of_a_queue(small: Repository) -> None:
    labels = ["self-hosted", "linux", "a100"]
    jobs = to_matrix(small.plan().missing, {"default": labels})["include"]
    assert all(job["runs_on"] == labels for job in jobs)


def test_no_more_jobs_than_a_matrix_holds(small: Repository) -> None:
    for number in range(9):
        small.write(f"submissions/adding/p{number}/one/submission.yaml", "kind: code\n")
        small.write(f"submissions/adding/p{number}/one/main.py", f"NUMBER = {number}\n")
    missing = small.plan().missing
    jobs = to_matrix(missing, QUEUES, max_jobs=4)["include"]
    assert len(jobs) <= 4
    assert len({output_of(job["name"]) for job in jobs}) == len(jobs)
    cells = [cell for job in jobs for cell in job["cells"].split()]
    assert sorted(cells) == [str(item.cell.id) for item in missing]
    by_submission = {cell.rpartition("/main/")[0] for job in jobs for cell in job["cells"].split()}
    for submission in by_submission:
        assert sum(any(c.startswith(submission) for c in job["cells"].split()) for job in jobs) == 1


def test_nothing(repo: Repository) -> None:
    assert to_matrix(repo.plan().missing, QUEUES) == {"include": []}
