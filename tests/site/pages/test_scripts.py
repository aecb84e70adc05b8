"""Scripts and styles of pages: each in one file, with all that it needs."""

import re

from evaluator.site.pages.scripts import asset_files


def test_no_script_asks_for_another_one_before_a_reader_does() -> None:
    """What exports something is loaded by a call."""
    files = dict(asset_files())
    names = ("board.js", "plots.js", "sort.js", "pullbench.css")
    assert {f"assets/{name}" for name in names} <= {*files}
    for name, text in files.items():
        assert not re.search(r"^import\b", text, re.MULTILINE), name
        if re.search(r"^export\b", text, re.MULTILINE):
            call = f'await import("./{name.removeprefix("assets/")}")'
            assert any(call in other for other in files.values()), name
        assert "@param" not in text, name


def test_what_a_script_imports_stands_before_it_once() -> None:
    text = dict(asset_files())["assets/board.js"]
    modules = re.findall(r"^const \$(\w+) = \(\(\) => \{$", text, re.MULTILINE)
    assert len(modules) == len({*modules}) > 10
    places = {name: place for place, name in enumerate(modules)}
    for place, name in enumerate(modules):
        block = text.partition(f"const ${name} = (")[2].partition("\n})();\n")[0]
        for other in re.findall(r"^const .* = \$(\w+);$", block, re.MULTILINE):
            assert places[other] < place, (name, other)
