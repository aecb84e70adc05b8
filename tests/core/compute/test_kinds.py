"""Results on a task that has an ingestion program."""

import pytest

from tests.repository import Repository


@pytest.mark.docker
def test_a_failure_asks_whether_the_kind_is_right(repo: Repository) -> None:
    repo.with_bundle("undeclared-kind")
    (record,) = repo.run("either/bob/for-the-program").values()
    assert record.error is not None
    assert "Or were these files for the ingestion program?" in record.error.hint
    assert "'kind: code'" in record.error.hint
