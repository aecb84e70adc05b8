"""1.6: pages of organisers: formulas and pictures without any request, and nothing that acts."""

import re

import pytest

from evaluator.site.content.formulas import MAX_FORMULAS
from evaluator.site.content.organisers_pages import clean_page
from evaluator.site.content.pictures import MAX_PICTURES

PNG = b"\x89PNG\r\n\x1a\n" + bytes(8)
SVG = b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><script>x</script></svg>'
FILES = {"pages/fig.png": PNG, "logo.png": PNG, "a b.svg": SVG, "text.png": b"secret"}


def page(text: str, file: str = "pages/a.md") -> str:
    return clean_page(text.encode(), file, FILES.get)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("$x^2$ and \\(y_1\\)", 2),
        ("$$\n\\frac{a}{b} < c\n$$", 1),
        ("\\[ x \\]\n\n\\begin{align}a &= b\\end{align}", 2),
        ("$a_1 * b_2 * c_3$ has no emphasis", 1),
        ("it costs $5 or $6", 0),
        ("`$x$`", 0),
        ("```\n$x$\n```", 0),
    ],
)
def test_formulas_of_markdown(text: str, count: int) -> None:
    html = page(text)
    assert html.count("<math ") == count
    assert "<em>" not in html


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("<p>Loss \\(x &lt; y\\), $$a^2$$ and $b$</p>", 3),
        ("<p>$5 and $6, \\$x$, US$ and A$</p>", 0),
        ("<pre>$x$</pre><code>\\(x\\)</code>", 0),
        ('<a title="$x$ > y" href="https://example.org/$x$">$z$</a>', 1),
        ("$x$ " * (MAX_FORMULAS + 9), MAX_FORMULAS),
    ],
)
def test_formulas_of_html(text: str, count: int) -> None:
    assert page(text, "a.html").count("<math ") == count


@pytest.mark.parametrize(
    "latex",
    [
        "\\text{<img src=x onerror=evil()>}",
        "\\text{&lt;script&gt;evil()&lt;/script&gt;}",
        "\\href{javascript:evil()}{x}",
        "\\style{position:fixed}{\\class{md-banner}{x}}",
        "\\hspace{9999em}x\\hspace{-99em}",
        '\\color{red" onclick="evil()}x',
        "\\newcommand{\\a}{xx}\\newcommand{\\b}{\\a\\a\\a}\\b",
        "\\frac{",
        "\\sqrt" * 900,
    ],
)
def test_a_formula_is_text_and_nothing_that_acts(latex: str) -> None:
    for html in (page(f"${latex}$"), page(f"<p>\\({latex}\\)</p>", "a.html")):
        tags = re.findall(r"<[^>]*>", re.sub(r' alttext="[^"]*"', "", html))
        assert not re.search(
            r"script|<img|onclick|onerror|href|style=|class=\"md|9999|-99", " ".join(tags)
        )
        assert not [tag for tag in tags if "evil" in tag]


def test_what_cannot_be_converted_is_shown_as_it_is() -> None:
    assert "<code>\\frac{</code>" in page("$\\frac{$")


def test_html_cannot_bring_mathml_of_its_own() -> None:
    html = page("<math><mtext><style><img src=x onerror=evil()></style></mtext></math>", "a.html")
    assert "<math" not in html
    assert "onerror" not in html


def test_pictures_of_the_bundle_stand_in_the_page() -> None:
    html = page("![one](fig.png) ![two](/logo.png) ![three](<../a b.svg>)")
    assert html.count('src="data:image/png;base64,') == 2
    assert html.count('src="data:image/svg+xml;base64,') == 1


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("https://example.org/a.png", "pages here ask no other server"),
        ("//example.org/a.png", "pages here ask no other server"),
        ("nowhere.png", "not in the bundle"),
        ("../../../etc/passwd", "not in the bundle"),
        ("../text.png", "not a picture that browsers show"),
        ("data:text/html;base64,PHA+", "in a form that is not shown"),
        ("data:image/png;base64,PHA+", "not a picture that browsers show"),
        ("data:image/svg+xml,%3Csvg/%3E", "in a form that is not shown"),
    ],
)
def test_other_pictures_say_why_they_are_not_shown(source: str, reason: str) -> None:
    html = page(f'<img src="{source}" alt="A plot">')
    assert "<img" not in html
    assert "A plot" in html
    assert reason in html


def test_data_stand_in_pictures_alone() -> None:
    html = page(
        '<a href="data:text/html,x">a</a><a href=" da\tta:text/html,x">b</a>'
        '<q cite="data:text/html,x">c</q><del cite="data:image/png;base64,iVBORw0KGgo=">d</del>'
    )
    assert "ta:" not in html


def test_a_page_holds_pictures_up_to_a_size() -> None:
    large = PNG + bytes(MAX_PICTURES // 5)
    html = clean_page(b"![a](a.png) " * 9, "a.md", {"a.png": large}.get)
    assert html.count("<img") == 4
    assert html.count("too large for a page") == 5


def test_an_attribute_that_reads_like_a_picture_is_one() -> None:
    html = page("<a title='<img alt=' hreflang='> '>y</a>")
    assert html.count("<a ") == 1
    assert "not shown" not in html
