"""leaderboard -> site."""

from pathlib import Path


def build_site(start: Path) -> Path:
    """Build the site, and return its folder. Raises UsageError."""
    from evaluator.git.tree import begin_reading

    tree = begin_reading(start)  # git looks at the files while the programs for pages are loaded
    from evaluator.site.build import build_site

    return build_site(start, tree).folder


def serve_site(folder: Path, port: int) -> None:
    """Serve a built site on a loopback address until ^C. Raises UsageError."""
    from evaluator.site.serving import serve

    serve(folder, port)
