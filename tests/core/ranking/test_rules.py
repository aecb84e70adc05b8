"""A ranking rule from outside: one class and one line in the registry."""

from collections.abc import Sequence

import numpy as np
import pytest
from pydantic import ValidationError

from evaluator.core.formats.extension import Extension
from evaluator.core.plugins import Plugin
from evaluator.core.ranking.ranks import Floats
from evaluator.core.ranking.rule import ComparedRows, RankingRule, RuleColumn, Wording
from evaluator.plugins.insight.statistics.intervals import Intervals, intervals
from evaluator.site.boards.exports.board_json import to_data
from evaluator.site.boards.ranking_note import ranking_note
from tests.core.leaderboard.tables import table_board
from tests.plugging import plug_in

TABLE = {
    "ada/steady": [0.9, 0.8, 0.9, 0.8, 0.9, 0.8, 0.9],
    "bob/peaks": [1.0, 0.1, 1.0, 0.1, 1.0, 0.1, 1.0],
    "eve/weak": [0.2, 0.3, 0.2, 0.3, 0.2, 0.3, 0.2],
}


class Championships(RankingRule):
    """By the share of the tasks on which nobody is better."""

    name = "championships"
    columns = (RuleColumn(key="first", title="First", sorting="desc", precision=2),)

    def parts(self, values: Floats, compared: ComparedRows) -> Floats:
        best = (np.nanmin if compared.ascending else np.nanmax)(values, axis=-1, keepdims=True)
        return np.where(np.isnan(values), np.nan, values == best)

    def overall(
        self, parts: Sequence[float], weights: Sequence[int], coverage: float
    ) -> dict[str, float]:
        return {"first": sum(parts) / len(parts)}

    def note(self, wording: Wording) -> str:
        shown = "the submissions of this board"
        return f"First: on how many tasks {shown} have the best {wording.column}."


CHAMPIONSHIPS = Championships()


@pytest.fixture
def with_championships(monkeypatch: pytest.MonkeyPatch) -> None:
    plug_in(
        monkeypatch, Plugin(offers={"ranking_rules.championships": f"{__name__}:CHAMPIONSHIPS"})
    )


@pytest.mark.usefixtures("with_championships")
def test_a_rule_ranks_boards_and_makes_what_is_tested() -> None:
    board = table_board(TABLE, extra="pullbench: {aggregate: championships}\n")
    assert [(row.rank, row.submission.name) for row in board.rows] == [
        (1, "peaks"),
        (2, "steady"),
        (3, "weak"),
    ]
    first, second, _ = board.rows
    assert (first.overall["first"], second.overall["first"]) == (4 / 7, 3 / 7)
    assert second.tasks[board.tasks[1].slug].values["first"] == 1.0
    assert board.columns[0].title == "First"
    assert "First: on how many tasks the submissions of this board" in ranking_note(board)
    assert to_data(board)["rows"][0]["overall"]["first"] == 4 / 7
    certain = intervals(board)
    assert isinstance(certain, Intervals)
    assert certain.behind.tolist() == pytest.approx([0, 1 / 7, 4 / 7])
    assert (certain.low.tolist(), certain.high.tolist()) == ([1, 1, 1], [3, 3, 3])


def test_a_rule_that_is_none_is_refused_with_those_that_are() -> None:
    with pytest.raises(ValidationError, match="'mean', 'none', 'mean_rank' or 'win_rate'"):
        Extension.model_validate({"aggregate": "championships"})
