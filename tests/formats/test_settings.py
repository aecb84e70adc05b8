import pytest

from evaluator.errors import InvalidInputError
from evaluator.formats.settings import Settings, parse_settings


@pytest.mark.parametrize("content", [None, b"", b"[project]\nname = 'x'\n"])
def test_defaults(content: bytes | None) -> None:
    assert parse_settings(content) == Settings()


def test_values() -> None:
    found = parse_settings(b'[tool.pullbench]\nretries = 0\nimages = {"a:1" = "b:2"}\n')
    assert (found.retries, found.images) == (0, {"a:1": "b:2"})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[tool.pullbench]\nretries = 99\nruntim = 'x'\n", "tool.pullbench.retries"),
        (b"[tool.pullbench]\nretries = 99\nruntim = 'x'\n", "tool.pullbench.runtim"),
        (b"[tool.pullbench\n", "is not valid TOML"),
        (b"\xff", "is not valid TOML"),
        (b"tool = 1\n", "pyproject.toml"),
        (b"[tool]\npullbench = 1\n", "pyproject.toml"),
    ],
)
def test_refused(content: bytes, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        parse_settings(content)
