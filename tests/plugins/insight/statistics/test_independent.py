"""The numbers of the analysis, computed again by programs that nobody here wrote."""

from collections.abc import Iterator
from pathlib import Path

import baycomp
import numpy as np
import pytest
import scikit_posthocs
from scipy.stats import friedmanchisquare, rankdata, wilcoxon
from statsmodels.stats.multitest import multipletests

from evaluator.core.leaderboard.snapshot_boards import leaderboard_at
from evaluator.plugins.insight.statistics.duels import TOLERANCE
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
    differences = relative(study)
    raw = [
        wilcoxon(own, zero_method="zsplit").pvalue if own.any() else 1.0 for own in differences.T
    ]
    holm = multipletests(raw, method="holm")[1]
    assert [one.wilcoxon_p for one in study.against_best] == pytest.approx(holm.tolist())
    for against, own in list(zip(study.against_best, differences.T, strict=True))[:5]:
        worse, equal, better = baycomp.SignedRankTest.probs(
            np.zeros(len(own)), own, rope=TOLERANCE, nsamples=20_000, random_state=1
        )
        assert (against.worse, against.equal, against.better) == pytest.approx(
            (worse, equal, better), abs=0.05
        )


def relative(study: Study) -> np.ndarray:
    """Differences of the best from each other method, as shares of the greater in size."""
    columns = []
    for method in study.methods[1:]:
        own = []
        for block in study.table.values():
            one, other = block[study.methods[0]], block[method]
            if one is None or other is None:
                own.append(2.0 * (one is not None) - 2.0 * (other is not None))
            else:
                own.append((one - other) / (max(abs(one), abs(other)) or 1.0))
        columns.append(own)
    return np.array(columns).T
