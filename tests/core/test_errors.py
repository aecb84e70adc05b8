from evaluator.core.errors import Actor, InvalidInputError, PlatformError, Problem, UsageError


def problem(**changes: object) -> Problem:
    fields = {"file": "a.yaml", "message": "is wrong.", "actor": Actor.ORGANISER, **changes}
    return Problem(**fields)  # type: ignore[arg-type]


def test_a_problem_says_where_what_how_and_who() -> None:
    shown = str(problem(key="a.b", line=3, hint="Mend it."))
    assert shown == "a.yaml:3: a.b: is wrong. Mend it. [organiser must act]"
    assert str(problem()) == "a.yaml: is wrong. [organiser must act]"


def test_nothing_in_it_acts_on_a_terminal() -> None:
    shown = str(problem(file="\x1b[31m", key="\u202e", message="a\nb\r\x00", hint="\x9b"))
    assert shown.isprintable()


def test_errors_have_hints_and_exit_codes() -> None:
    error = UsageError("no\x1b such thing", hint="Try another.")
    assert str(error) == "no\\x1b such thing\n  Try another."
    assert (UsageError.exit_code, PlatformError.exit_code) == (2, 3)
    both = InvalidInputError([problem(), problem(file="b.yaml")])
    assert both.exit_code == 1
    assert len(str(both).splitlines()) == 2
