"""Every figure: the function that measures it, and the goals of its values."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pkgutil import resolve_name

Value = tuple[str, float, str]
"""Name, number and unit."""


@dataclass(frozen=True, kw_only=True)
class Goal:
    """The bound of one value."""

    bound: float
    unit: str
    less_is_better: bool = True

    def holds(self, value: float) -> bool:
        return value <= self.bound if self.less_is_better else value >= self.bound

    def __str__(self) -> str:
        return f"at {'most' if self.less_is_better else 'least'} {self.bound:g} {self.unit}".strip()


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One measurement, of one value or several."""

    measure: str
    """Module in this folder and function. It is imported when it is measured: one that does not
    suit the tree that is measured breaks no other."""
    goals: Mapping[str, Goal]
    """By name of the value; its other values explain these."""
    needs: str = ""
    """A Docker engine or a browser."""

    def values(self) -> Iterator[Value]:
        """Measure."""
        yield from resolve_name(f"tests.bench.{self.measure}")()


def at_most(bound: float, unit: str = "") -> Goal:
    return Goal(bound=bound, unit=unit)


def at_least(bound: float, unit: str = "") -> Goal:
    return Goal(bound=bound, unit=unit, less_is_better=False)


CPU = "s of processors"

FIGURES = {
    "cell_overhead_vs_docker_run": Figure(
        needs="docker",
        measure="containers:cell_overhead",
        goals={
            "cell_overhead_vs_docker_run": at_most(0.45),
            "cell_with_overlays_vs_bind_mounts": at_most(1.15),
        },
    ),
    "dask_cell_overhead": Figure(
        measure="cluster:dask_cell_overhead", goals={"dask_cell_overhead": at_most(1.3)}
    ),
    "parallel_efficiency": Figure(
        needs="docker",
        measure="containers:parallel_efficiency",
        goals={"parallel_efficiency": at_least(0.85)},
    ),
    "parallel_step_vs_host_processes": Figure(
        needs="docker",
        measure="parallel:step_round_trip",
        goals={"parallel_step_vs_host_processes": at_most(1.5)},
    ),
    "agent_step_round_trip": Figure(
        needs="docker",
        measure="jobshop:agent_step_round_trip",
        goals={
            "agent_step_round_trip": at_most(4),
            "agent_step_milliseconds": at_most(2, "ms"),
        },
    ),
    "ogb_lsc": Figure(
        measure="ogb:ogb_lsc",
        goals={
            f"ogb_{name}_{what}": bound
            for name in ("mag240m", "wikikg90mv2", "pcqm4mv2")
            for what, bound in (
                ("score_seconds", at_most(0.2, "s")),
                ("peak_memory", at_most(200, "MB")),
                ("difference_1e-9", at_most(100, "1e-9")),
            )
        },
    ),
    "fold_overhead": Figure(
        needs="docker",
        measure="amlb:fold_overhead",
        goals={
            "fold_overhead_container": at_most(0.6, "s"),
            "fold_overhead_in_process": at_most(0.05, "s"),
        },
    ),
    "warm_vs_amlb": Figure(
        measure="amlb:warm_vs_amlb",
        goals={"warm_vs_amlb": at_most(0.8), "eight_folds_warm": at_most(2, "s")},
    ),
    "folds_10k": Figure(
        measure="amlb:folds_10k",
        goals={"plan_folds_10k": at_most(2, "s"), "aggregate_folds_10k": at_most(5, "s")},
    ),
    "aggregate_200k": Figure(
        measure="boards:aggregate_200k",
        goals={
            "aggregate_200k": at_most(3, "s"),
            "aggregate_200k_cpu_seconds": at_most(3.2, CPU),
            "aggregate_200k_peak_memory": at_most(400, "MiB"),
        },
    ),
    "verify_50k": Figure(
        measure="statements:verify_50k",
        goals={
            "verify_50k_seconds": at_most(60, "s"),
            "verify_50k_peak_memory": at_most(500, "MB"),
            # A cell of a board takes 220 bytes in a scores file that git keeps.
            "statement_bytes_per_cell": at_most(20, "bytes"),
        },
    ),
    "samples_1m": Figure(
        measure="samples:samples_1m",
        goals={
            "samples_1m_board_seconds": at_most(5, "s"),
            "samples_1m_peak_memory": at_most(500, "MB"),
        },
    ),
    "scores_bytes_per_cell": Figure(
        measure="boards:scores_bytes_per_cell",
        goals={"scores_bytes_per_cell": at_most(420, "bytes")},
    ),
    "board_page": Figure(
        needs="browser",
        measure="board_page:board_page",
        goals={
            "board_first_paint_kb": at_most(200, "kB"),
            "board_interactive_ms": at_most(1500, "ms"),
            "board_scroll_longest_task_ms": at_most(200, "ms"),
            "board_sort_longest_task_ms": at_most(200, "ms"),
            "board_rank_longest_task_ms": at_most(200, "ms"),
            "board_phone_interactive_ms": at_most(4000, "ms"),
            "board_phone_scroll_longest_task_ms": at_most(100, "ms"),
        },
    ),
    "page_weight": Figure(
        needs="browser",
        measure="board_page:page_weight",
        goals={
            "page_weight_requests": at_most(12, "requests"),
            "page_weight_kb": at_most(155, "kB"),
        },
    ),
    "first_search": Figure(
        needs="browser",
        measure="board_page:first_search",
        goals={"first_search_kb": at_most(300, "kB")},
    ),
    "ranking_js": Figure(
        needs="browser",
        measure="ranking:ranking_js",
        goals={
            f"ranking_js_{rule}": at_most(5, "x sorting")
            for rule in ("mean", "mean_rank", "median", "borda", "geometric_mean", "normalised")
        },
    ),
    "site_50k": Figure(
        measure="site:site_50k",
        goals={"site_50k_mb": at_most(1000, "MB"), "site_50k_memory": at_most(3000, "MB")},
    ),
    "site_10k": Figure(
        measure="site:site_10k",
        goals={
            "site_full_10k": at_most(20, "s"),
            "site_full_10k_memory": at_most(700, "MB"),
            "site_incremental_10k": at_most(2.5, "s"),
            "site_10k_mb": at_most(400, "MB"),
            "page_frame_kb": at_most(25, "kB"),
        },
    ),
    "site_1k": Figure(
        measure="site:site_1k", goals={"site_incremental_1k_processor": at_most(1.5, CPU)}
    ),
    "site_unchanged": Figure(
        measure="site:site_unchanged",
        goals={"site_unchanged": at_most(1.5, "s"), "site_unchanged_10k": at_most(2.5, "s")},
    ),
    "plan_10k": Figure(
        measure="planning:plan_10k",
        goals={"plan_10k": at_most(3), "plan_10k_seconds": at_most(0.7, "s")},
    ),
    "archive_10k": Figure(
        measure="archive:archive_10k",
        goals={
            "archive_10k_clone_ratio": at_most(0.1),
            "archive_10k_plan_ratio": at_most(1.5),
        },
    ),
    "one_cell": Figure(
        needs="docker",
        measure="one:one_cell",
        goals={"plan_one_cpu": at_most(0.25, CPU), "run_one_cell_cpu": at_most(0.4, CPU)},
    ),
    "two_way_plan": Figure(
        measure="planning:two_way_plan", goals={"two_way_plan_vs_read_and_parse": at_most(2.5)}
    ),
    "commit_64_writers": Figure(
        measure="pulls:commit_64_writers",
        goals={
            "commit_64_writers_seconds": at_most(3, "s"),
            "commit_64_writers_landed": at_least(64, "of 64"),
        },
    ),
    "pull_request": Figure(
        needs="docker",
        measure="pull_request:pull_request",
        goals={
            "pr_git_mb": at_most(40, "MB"),
            "pr_cpu_seconds": at_most(10, CPU),
            "receive_10k_ledger": at_most(1, "s"),
        },
    ),
    "verdict": Figure(
        needs="docker",
        measure="verdict:verdict",
        goals={"verdict_seconds": at_most(40, "s"), "verdict_jobs": at_most(3, "jobs")},
    ),
    "scale": Figure(
        measure="scale:scale",
        goals={
            "receive_5k_processor": at_most(2.5, CPU),
            "approve_5k_processor": at_most(2.5, CPU),
            "finish_5k_processor": at_most(5, CPU),
        },
    ),
    "scale_100k": Figure(
        measure="scale:scale_100k",
        goals={
            "receive_100k_processor": at_most(8, CPU),
            "approve_100k_processor": at_most(8, CPU),
            "finish_100k_processor": at_most(20, CPU),
            "finish_100k_peak_memory": at_most(600, "MB"),
        },
    ),
    "validate_10k": Figure(
        measure="pulls:validate_10k", goals={"validate_10k_seconds": at_most(0.8, "s")}
    ),
}
