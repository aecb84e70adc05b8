"""Pages that organisers wrote, Markdown or HTML -> HTML without scripts."""

import markdown
import nh3

from evaluator.site.content.formulas import CLASS, with_formulas
from evaluator.site.content.pictures import Read, keep_attribute, with_pictures


def clean_page(content: bytes, file: str, read: Read) -> str:
    """Turn Markdown or HTML into HTML without scripts; ``read`` gives files for pictures."""
    text = content.decode("utf-8-sig", "replace")
    is_html = file.lower().endswith((".html", ".htm"))
    if not is_html:
        text = markdown.markdown(
            text,
            extensions=["tables", "fenced_code", "sane_lists", "pymdownx.arithmatex"],
            extension_configs={"pymdownx.arithmatex": {"generic": True}},
        )
    cleaned = nh3.clean(
        text,
        url_schemes={"http", "https", "mailto", "data"},
        attribute_filter=keep_attribute,
        tag_attribute_values={name: {"class": {CLASS}} for name in ("div", "span")},
    )
    return with_pictures(with_formulas(cleaned, everywhere=is_html), file, read)
