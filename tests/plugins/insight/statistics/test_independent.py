"""The numbers of the analysis, computed again by programs that nobody here wrote."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import scikit_posthocs
from scipy.stats import friedmanchisquare, rankdata

from evaluator.core.leaderboard.snapshot_boards import leaderboard_at
from evaluator.plugins.insight.statistics.study import Study, make_study

ROOT = Path(__file__).parents[4]
pytestmark = pytest.mark.filterwarnings("ignore")  # theirs


def studies() -> Iterator[Study]:
    """Yield the analysis of every phase of every benchmark here that has one."""
    for name in sorted(path.parent.name for path in ROOT.glob("benchmarks/*/competition.yaml")):
        first = leaderboard_at(ROOT, name, phase=None, task=None, at=None)
        for phase in first.benchmark.phases:
            board = leaderboard_at(ROOT, name, phase=phase.slug, task=None, at=None)
            study = make_study(board)
            if isinstance(study, Study):
                yield study


STUDIES = list(studies())


def matrix(study: Study) -> np.ndarray:
    """Values by block and method, absent ones as the worst."""
    values = np.array(
        [[block[method] for method in study.methods] for block in study.table.values()], float
    )
    return np.where(np.isnan(values), -1e300, values)


def test_there_are_analyses_here() -> None:
    assert len(STUDIES) >= 5


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: f"{study.title}, {study.phase}")
def test_each_figure_is_that_of_an_independent_program(study: Study) -> None:
    values = matrix(study)
    ranks = np.array([rankdata(-row) for row in values])
    assert list(study.means.values()) == pytest.approx(ranks.mean(axis=0).tolist())
    if study.friedman is not None and np.ptp(ranks):
        statistic, p = friedmanchisquare(*values.T)
        assert study.friedman.statistic == pytest.approx(statistic)
        assert study.friedman.p == pytest.approx(p)
    if study.nemenyi is not None:
        theirs = scikit_posthocs.posthoc_nemenyi_friedman(values).to_numpy()
        for (one, other), p in study.nemenyi.p.items():
            places = study.methods.index(one), study.methods.index(other)
            assert p == pytest.approx(theirs[places], abs=1e-6)
