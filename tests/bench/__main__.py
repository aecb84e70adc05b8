"""Prints one line per figure: name, value, unit; then the limit it should hold.

Usage: python -m tests.bench [NAME...]
With BENCH_SMALL=1 sizes are small, and what it prints means nothing but that it runs.
"""

import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.bench import (
    amlb,
    archive,
    board_page,
    boards,
    cluster,
    containers,
    jobshop,
    ogb,
    one,
    parallel,
    planning,
    pull_request,
    pulls,
    ranking,
    site,
)


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A measured ratio."""

    measure: Callable[[], Iterator[tuple[str, float, str]]]
    limit: str
    needs: str = ""
    """A Docker engine or a browser."""


FIGURES = {
    "cell_overhead_vs_docker_run": Figure(
        needs="docker",
        measure=containers.cell_overhead,
        limit="at most 0.85; with overlays at most 1.15",
    ),
    "dask_cell_overhead": Figure(
        measure=cluster.dask_cell_overhead, limit="at most 1.3; BENCH_CELLS=10000 is the long form"
    ),
    "parallel_efficiency": Figure(
        needs="docker", measure=containers.parallel_efficiency, limit="at least 0.8"
    ),
    "parallel_step_vs_host_processes": Figure(
        needs="docker", measure=parallel.step_round_trip, limit="at most 1.5"
    ),
    "agent_step_round_trip": Figure(
        needs="docker", measure=jobshop.agent_step_round_trip, limit="at most 4, and under 2 ms"
    ),
    "ogb_lsc": Figure(measure=ogb.ogb_lsc, limit="under 0.2 s and 200 MB; 1e-7 apart at most"),
    "fold_overhead": Figure(
        needs="docker", measure=amlb.fold_overhead, limit="under 0.6 s; in one process under 0.05 s"
    ),
    "warm_vs_amlb": Figure(measure=amlb.warm_vs_amlb, limit="at most 0.8; AMLB names its checkout"),
    "folds_10k": Figure(measure=amlb.folds_10k, limit="plan under 2 s, aggregate under 5 s"),
    "aggregate_200k": Figure(
        measure=boards.aggregate_200k, limit="under 8 s, each on two cores; at most 1200 MiB"
    ),
    "scores_bytes_per_cell": Figure(
        measure=boards.scores_bytes_per_cell, limit="at most 420 bytes"
    ),
    "board_page": Figure(
        needs="browser",
        measure=board_page.board_page,
        limit="first paint of 200 kB, interactive in 1500 ms, no task of more than 200 ms",
    ),
    "page_weight": Figure(
        needs="browser", measure=board_page.page_weight, limit="at most 12 requests, 400 kB"
    ),
    "first_search": Figure(
        needs="browser", measure=board_page.first_search, limit="at most 300 kB"
    ),
    "site_50k": Figure(measure=site.site_50k, limit="at most 1000 MB, and 3000 MB of memory"),
    "ranking_js": Figure(
        needs="browser", measure=ranking.ranking_js, limit="at most 5 times sorting"
    ),
    "site_10k": Figure(
        measure=site.site_10k,
        limit="full under 90 s and 1.5 GB, incremental under 5 s; frames of at most 25 kB, "
        "in all at most 400 MB",
    ),
    "site_unchanged": Figure(
        measure=site.site_unchanged, limit="at most 1.5 s, of 10,000 submissions 2.5 s"
    ),
    "plan_10k": Figure(measure=planning.plan_10k, limit="at most 3"),
    "archive_10k": Figure(
        measure=archive.archive_10k, limit="a clone of at most a tenth; a plan of at most 1.5 times"
    ),
    "one_cell": Figure(
        needs="docker", measure=one.one_cell, limit="plan at most 0.35 s, run at most 0.4 s"
    ),
    "two_way_plan": Figure(measure=planning.two_way_plan, limit="at most 3 times read and parse"),
    "commit_64_writers": Figure(measure=pulls.commit_64_writers, limit="64 within 10 s"),
    "pull_request": Figure(
        needs="docker",
        measure=pull_request.pull_request,
        limit="pr_git_mb at most 40, pr_cpu_seconds at most 25, receive_10k_ledger at most 2 s",
    ),
    "validate_10k": Figure(measure=pulls.validate_10k, limit="under 5 s"),
}


def main() -> None:
    """Measure what was asked for, or everything."""
    broken = []
    for name in sys.argv[1:] or FIGURES:
        figure = FIGURES[name]
        try:
            for label, value, unit in figure.measure():
                print(f"{label} {value:.3f} {unit}", flush=True)
        except Exception:
            # One that broke must not keep the others from being seen.
            traceback.print_exc()
            broken.append(name)
        print(f"# {name}: {figure.limit}", flush=True)
    if broken:
        sys.exit(f"broken: {' '.join(broken)}")


if __name__ == "__main__":
    main()
