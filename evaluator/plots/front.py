"""Which points nobody betters in both."""

from collections.abc import Iterable


def pareto_front(points: Iterable[tuple[float, float]], *, lower_is_better: bool) -> set[int]:
    """Return the places of the points (effort, score) on the front; less effort is better.

    A point is on it where no other is as good in both and better in one; equal points share it.
    Takes as long as sorting.
    """
    sign = 1 if lower_is_better else -1
    order = sorted((effort, sign * loss, place) for place, (effort, loss) in enumerate(points))
    front: set[int] = set()
    least, best = float("nan"), float("inf")
    for effort, loss, place in order:
        if loss < best:
            least, best = effort, loss
        elif loss != best or effort != least:
            continue
        front.add(place)
    return front
