"""What a study says in plain words: the verdict of the board, and the numbers beside it."""

from collections.abc import Iterator

from evaluator.plugins.insight.statistics.conclusions import enumerated
from evaluator.plugins.insight.statistics.material import total_failures
from evaluator.plugins.insight.statistics.study import MAX_METHODS, Study

MAX_NAMED = 8


def basis(study: Study) -> Iterator[str]:
    column = study.material.column
    tasks, folds = len(study.outcomes.tasks), study.outcomes.folds
    per = f" with {folds} repeats each" if folds > 1 else ""
    unit = "each repeat of each task" if study.outcomes.by_fold else "each task"
    if folds > 1 and not study.outcomes.by_fold:
        unit += ", by the mean of its repeats,"
    order = "lower" if column.sorting == "asc" else "higher"
    yield (
        f"{len(study.methods)} methods are compared by {column.title} ({order} is better) on "
        f"{tasks} task{'s' if tasks != 1 else ''}{per}; {unit} counts once."
    )
    if study.outcomes.by_fold:
        yield ("Repeats of one task share its data and are not independent.")
    imputed = study.outcomes.imputed
    if study.stand_in:
        names = ", ".join(f"{study.name(method)} {count}" for method, count in imputed.items())
        whole = (
            "; a method without any result on a task has none there, and ranks last"
            if study.rule == "amlb"
            else ""
        )
        yield (
            f"By the rule '{study.rule}' a failed or missing result counts here, and on no board, "
            f"as what {study.name(study.stand_in)} reached on the same task and repeat{whole}. "
            f"Filled in so: {sum(imputed.values())}{f' ({names})' if names else ''}."
        )
    else:
        yield "A task without a result ranks last; none is filled in."
    low = study.name(study.zero) if study.zero else "the worst method of each task"
    high = study.name(study.one) if study.one else "the best method of each task"
    yield f"Scaled scores are 0 for {low} and 1 for {high}."
    if study.omitted:
        yield (
            f"Only the first {MAX_METHODS} rows of the board are compared, and those that the "
            f"analysis needs; {study.omitted} are left out."
        )
    for method, reason in study.material.left_out.items():
        yield f"{method} is left out: {reason}."


def findings(study: Study) -> Iterator[str]:
    yield study.verdict
    names = list(study.methods)
    best, second = names[0], names[1]
    duel = study.duels[best, second]
    yield (
        f"{study.name(best)} has the best mean rank, {study.means[best]:.2f}. Against the next, "
        f"{study.name(second)} ({study.means[second]:.2f}), it wins {duel.wins}, ties {duel.ties} "
        f"and loses {duel.losses} times; a difference under 0.1% is a tie."
    )
    top = max(study.champions.values())
    winners = [study.name(m) for m in names if study.champions[m] == top]
    yield (
        f"Within 0.1% of the best most often: {enumerated(winners[:MAX_NAMED], len(winners))}, on "
        f"{top} of {len(study.table)}."
    )
    failed = total_failures(study.failures)
    yield f"Results that failed or are missing: {failed}." if failed else "No result failed."
    for other in study.against:
        better = sum(change.better for change in other.changes)
        worse = sum(change.worse for change in other.changes)
        tasks = sum(change.tasks for change in other.changes)
        yield (
            f"Against {other.title}: of {tasks} results of the same method on the same task, "
            f"{better} are better there and {worse} worse, by 0.1% or more."
        )
