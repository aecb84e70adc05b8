"""What `validate` says of programs that are evaluated with encrypted data."""

import pytest

from tests.repository import Repository

BUNDLE = "benchmarks/adding/competition.yaml"


@pytest.mark.parametrize(
    ("file", "settings", "wanted"),
    [
        ("reference_data", "seal = 'age1'", ""),
        ("reference_data", "", "Add `seal` to [tool.pullbench]"),
        ("input_data", "seal = 'age1'", "Name a `queue` of machines of your own"),
        ("data", "", "Name a `queue` of machines of your own"),
        ("input_data", "queues = {default = ['self-hosted', 'lab']}", ""),
    ],
)
def test_what_githubs_runners_cannot_hide_is_said(
    small: Repository, file: str, settings: str, wanted: str
) -> None:
    small.write("benchmarks/adding/hidden.age", b"age-encryption.org/v1")
    pin = f"{{task: 0, file: {file}, encrypted: hidden.age, sha256: {'a' * 64}}}"
    small.write(BUNDLE, (small.path / BUNDLE).read_text() + f"  private: [{pin}]\n")
    small.write("pyproject.toml", f"[tool.pullbench]\n{settings}\n")

    def said() -> list[str]:
        return [
            one.hint for one in small.problems()
            if one.file == BUNDLE and one.severity == "warning" and "programs" in one.message
        ]  # fmt: skip

    hints = said()
    assert len(hints) == bool(wanted)
    assert all(wanted in hint for hint in hints)
    small.replace(BUNDLE, "tasks: [0, 1]", "tasks: [0, 1], accepts_only_result_submissions: true")
    assert not said()
