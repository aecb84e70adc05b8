"""The picture of a benchmark, as the site shows it."""

from evaluator.core.formats.bundle import Benchmark


def logo_name(benchmark: Benchmark) -> str:
    """File name of the logo on the site. SVG is left out: it may hold scripts."""
    ending = benchmark.logo.rpartition(".")[2].lower()
    return f"logo.{ending}" if ending in {"png", "jpg", "jpeg", "gif", "webp"} else ""
