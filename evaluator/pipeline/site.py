"""leaderboard -> site."""

from pathlib import Path


def build_site(start: Path) -> Path:
    """Build the site where anything changed, and return its folder. Raises UsageError."""
    from evaluator.clock import utc_now
    from evaluator.git.tree import begin_reading

    read = begin_reading(start)  # git looks at the files while programs are loaded
    from evaluator.site.unchanged import unchanged_site

    tree = read()
    folder = unchanged_site(start, tree, utc_now())
    if folder is not None:
        return folder
    from evaluator.site.build import build_site

    return build_site(start, tree).folder


def serve_site(folder: Path, port: int) -> None:
    """Serve a built site on a loopback address until ^C. Raises UsageError."""
    from evaluator.site.serving import serve

    serve(folder, port)
