"""What the site shows of a board beside its rows, if something is installed that makes it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol, cast

from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.plugins import load_all
from evaluator.site.leaderboard.usage import Prices

NOT_INSTALLED = "nothing is installed that makes it"


class Figures(Protocol):
    """Figures of one board; the template ``plots.html`` shows them."""

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield each file beside the page, by name."""
        ...


class Insight(Protocol):
    """Makes plots and the analysis of a board. ``study`` is what its own functions take."""

    template_functions: Mapping[str, Any]
    """What its templates call, by name."""

    def plots(self, board: PublicBoard, prices: Prices) -> Figures | None:
        """Draw a board; None if there is nothing to draw."""
        ...

    def study(self, board: PublicBoard, others: Sequence[PublicBoard]) -> Any:
        """Analyse a board against others; or return why there is no analysis, in words."""
        ...

    def study_files(self, study: Any) -> Mapping[str, bytes]: ...

    def rank_diagram_files(self, study: Any) -> Mapping[str, bytes]: ...


def find_insight() -> Insight | None:
    return next((cast("Insight", one) for one in load_all("insights")), None)
