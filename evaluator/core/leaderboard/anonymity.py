"""What boards show of a phase whose participants are anonymous: pseudonyms, and nothing they wrote.

The repository and the forge name them all the same. A pseudonym has no secret: who guesses a name
can compute it.
"""

from dataclasses import replace

import msgspec

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import digest
from evaluator.core.formats.submission import Submission
from evaluator.core.leaderboard.table import Table


def pseudonyms(benchmark: str, participant: str, name: str) -> tuple[str, str]:
    """Return what stands for a participant in all phases, and for the name of a submission."""
    who, what = digest([benchmark, participant]), digest([benchmark, participant, name])
    return f"entrant-{who[:8]}", f"entry-{what[:8]}"


def nameless(submission: Submission, benchmark: Benchmark) -> Submission:
    """Return a submission under pseudonyms; what the organiser names in the bundle stays."""
    named = benchmark.analysis
    organisers = (benchmark.baseline, named.constant, named.reference, named.stand_in)
    if f"{submission.participant}/{submission.name}" in organisers:
        return submission
    participant, name = pseudonyms(benchmark.name, submission.participant, submission.name)
    return replace(
        submission, participant=participant, name=name, title=name, description="", fact_sheet={},
        reported=None, retired="", replaces="", of_plugins={},
    )  # fmt: skip


def without_links(table: Table) -> Table:
    """Return the table of another phase, in which some may say on whose work theirs is based."""
    submissions = tuple(replace(one, of_plugins={}) for one in table.submissions)
    return replace(table, submissions=submissions)


def without_names(table: Table, benchmark: Benchmark) -> Table:
    return replace(
        table,
        submissions=tuple(nameless(one, benchmark) for one in table.submissions),
        facts=tuple(replace(one, contents=(), has_details=False) for one in table.facts),
        # Messages and logs repeat what programs print.
        errors={
            place: msgspec.structs.replace(error, message="", hint="")
            for place, error in table.errors.items()
        },
        load_records=lambda _, __: (),
    )
