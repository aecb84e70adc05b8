import pytest

from evaluator.core.errors import InvalidInputError
from evaluator.core.formats.settings import Settings, parse_settings


@pytest.mark.parametrize("content", [None, b"", b"[project]\nname = 'x'\n"])
def test_defaults(content: bytes | None) -> None:
    assert parse_settings(content) == Settings()


def test_values() -> None:
    found = parse_settings(b'[tool.pullbench]\nretries = 0\nimages = {"a:1" = "b:2"}\n')
    assert (found.retries, found.images) == (0, {"a:1": "b:2"})


def test_prices_stand_beside_their_currency() -> None:
    found = parse_settings(
        b'[tool.pullbench]\ncurrency = "EUR"\n[tool.pullbench.price_per_hour]\ngpu = 2.4\n'
    )
    assert (found.price_per_hour, found.currency) == ({"gpu": 2.4}, "EUR")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[tool.pullbench]\nretries = 99\nruntim = 'x'\n", "tool.pullbench.retries"),
        (b"[tool.pullbench]\nretries = 99\nruntim = 'x'\n", "tool.pullbench.runtim"),
        (b"[tool.pullbench\n", "is not valid TOML"),
        (b"\xff", "is not valid TOML"),
        (b"[tool.pullbench.price_per_hour]\ngpu = 2\n", "needs a currency"),
        (b"[tool.pullbench]\nprice_per_hour = {gpu = -1}\n", "tool.pullbench.price_per_hour.gpu"),
        (b"[tool.pullbench]\nprice_per_hour = {gpu = inf}\n", "tool.pullbench.price_per_hour.gpu"),
        (b"[tool.pullbench]\ncurrency = '<b>'\n", "tool.pullbench.currency"),
        (
            b"[tool.pullbench.site]\naccent = 'teal'\n",
            "tool.pullbench.site.accent: 'teal' is not a colour with six hexadecimal digits",
        ),
        (b"tool = 1\n", "pyproject.toml"),
        (b"[tool]\npullbench = 1\n", "pyproject.toml"),
    ],
)
def test_refused(content: bytes, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        parse_settings(content)
