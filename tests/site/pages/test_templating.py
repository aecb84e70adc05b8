"""Templates are compiled once, and kept beside them as compiled modules are."""

import subprocess
import sys
from pathlib import Path

import pytest

from evaluator.site.pages import templating

LOAD = """
import jinja2
from evaluator.site.pages import (templating)
compiled = []
plain = jinja2.Environment.compile
jinja2.Environment.compile = lambda self, *a, **k: compiled.append(a) or plain(self, *a, **k)
templating.load_templates()
print(len(compiled))
"""


def test_a_second_process_compiles_nothing() -> None:
    def compiled() -> int:
        done = subprocess.run(
            [sys.executable, "-c", LOAD], capture_output=True, text=True, check=True
        )
        return int(done.stdout)

    compiled()  # or an earlier process did
    assert compiled() == 0


def test_where_nothing_can_be_kept_templates_are_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert templating.compiled_templates() is not None

    def refused(*_: object, **__: object) -> None:
        raise PermissionError("read-only")

    monkeypatch.setattr(Path, "mkdir", refused)
    assert templating.compiled_templates() is None


def test_a_link_in_a_table_is_short() -> None:
    assert templating.link_text("https://www.host.org/a/") == "host.org/a"
    assert len(templating.link_text("https://host.org/" + "a" * 90)) == 40
