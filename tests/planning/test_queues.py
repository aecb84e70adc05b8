from evaluator.planning.queues import to_matrix
from tests.repository import Repository


def test_cells_by_queue(small: Repository) -> None:
    small.replace("benchmarks/echo/competition.yaml", "pullbench:\n", "pullbench:\n  queue: gpu\n")
    assert to_matrix(small.plan().missing) == {
        "include": [
            {
                "queue": "default",
                "cells": ["adding/alice/right/main/one", "adding/alice/right/main/two"],
            },
            {
                "queue": "default",
                "cells": ["adding/bob/wrong/main/one", "adding/bob/wrong/main/two"],
            },
            {"queue": "gpu", "cells": ["echo/alice/same/main/echo"]},
        ]
    }


def test_no_more_jobs_than_a_matrix_holds(small: Repository) -> None:
    for number in range(9):
        small.write(f"submissions/adding/p{number}/one/submission.yaml", "kind: code\n")
        small.write(f"submissions/adding/p{number}/one/main.py", f"NUMBER = {number}\n")
    missing = small.plan().missing
    jobs = to_matrix(missing, max_jobs=4)["include"]
    assert len(jobs) <= 4
    cells = [cell for job in jobs for cell in job["cells"]]
    assert sorted(cells) == [str(item.cell.id) for item in missing]
    by_submission = {cell.rpartition("/main/")[0] for job in jobs for cell in job["cells"]}
    for submission in by_submission:
        assert sum(any(c.startswith(submission) for c in job["cells"]) for job in jobs) == 1


def test_nothing(repo: Repository) -> None:
    assert to_matrix(repo.plan().missing) == {"include": []}
