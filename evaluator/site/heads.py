"""What the head of a page tells machines: feeds, and what a link to it shows elsewhere."""

import html
import re
from collections.abc import Sequence

from evaluator.core.formats.plain_text import one_line
from evaluator.site.content import BenchmarkContent, Deployment
from evaluator.site.exports.feeds import NAME as FEED
from evaluator.site.exports.picture import HEIGHT, WIDTH
from evaluator.site.exports.picture import NAME as PICTURE
from evaluator.site.insight import insight
from evaluator.site.leaderboard.wording import entered, named

_THEMES = re.compile(r'\s*<meta name="description"[^>]*>|\s*<link rel="canonical"[^>]*>')
_MAX = 280
"""Characters of a description."""


class Heads:
    """Makes the tags of any page of a site."""

    def __init__(self, contents: Sequence[BenchmarkContent], site: Deployment) -> None:
        self._site = site
        self._contents = {content.benchmark.name: content for content in contents}
        self._descriptions = {
            name: _description(content) for name, content in self._contents.items()
        }

    def tags(self, path: str, title: str) -> str:
        """Return the tags of a page at ``path``, a folder without a slash; empty for the root."""
        site = self._site
        up = "../" * (path.count("/") + 1 if path else 0)
        parts = path.split("/")
        name = parts[1] if len(parts) > 1 and parts[0] == "benchmarks" else ""
        content = self._contents.get(name)
        lines = [_feed(f"{up}{FEED}", site.name)]
        title = one_line(title) or site.name
        described = [("og:type", "website"), ("og:site_name", site.name), ("og:title", title)]
        if content is not None:
            benchmark = content.benchmark
            if not benchmark.leaderboard.hidden:
                lines.append(_feed(f"{up}{benchmark.path}/{FEED}", benchmark.title))
            text = self._descriptions[name]
            if len(parts) == 5 and parts[2] == "submissions":
                # Nothing of others, or each record would change the pages of all submissions.
                text = f"{title}, entered in {one_line(benchmark.title)}. "
                text = one_line(text + benchmark.description, _MAX)
            lines.append(_meta("name", "description", text))
            described.append(("og:description", text))
        if site.address:
            address = f"{site.address}{path}/" if path else site.address
            lines.append(f'<link rel="canonical" href="{html.escape(address)}">')
            described.append(("og:url", address))
            if content is not None:
                described += [
                    ("og:image", f"{site.address}{content.benchmark.path}/{PICTURE}"),
                    ("og:image:width", str(WIDTH)),
                    ("og:image:height", str(HEIGHT)),
                    ("og:image:alt", f"Who leads {one_line(content.benchmark.title)}"),
                ]
        lines += [_meta("property", key, value) for key, value in described]
        lines.append(_meta("name", "twitter:card", "summary_large_image" if content else "summary"))
        return "\n".join(lines) + "\n"

    def into(self, page: str, path: str, title: str) -> str:
        head, end, body = page.partition("</head>")
        return f"{_THEMES.sub('', head)}{self.tags(path, title)}{end}{body}" if end else page


def _description(content: BenchmarkContent) -> str:
    board = content.current
    description = one_line(content.benchmark.description, 140)
    stop = " " if description.endswith((".", "!", "?", "…")) else ". " if description else ""
    counted = "" if content.benchmark.leaderboard.hidden else f"{entered(board)}. "
    return one_line(f"{description}{stop}{counted}{insight().conclusions(board, named)}", _MAX)


def _feed(address: str, title: str) -> str:
    return (
        # The theme takes rel="alternate" alone for a translation and looks for its sitemap.
        f'<link rel="alternate feed" type="application/atom+xml" href="{html.escape(address)}" '
        f'title="{html.escape(one_line(title))}">'
    )


def _meta(kind: str, name: str, content: str) -> str:
    return f'<meta {kind}="{name}" content="{html.escape(content)}">'
