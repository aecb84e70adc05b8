"""Fills the forms of published JSON."""

from collections.abc import Callable
from typing import Any, TypeVar

Form = TypeVar("Form")


def filled(form: Callable[..., Form], source: object, **others: Any) -> Form:
    """Fill a form: ``others`` by name, and all else with the source's attributes of that name."""
    return form(
        **{
            name: others[name] if name in others else getattr(source, name)
            for name in form.__annotations__
        }
    )
