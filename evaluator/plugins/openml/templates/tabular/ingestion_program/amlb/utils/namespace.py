"""An object whose attributes are also keys; a key that is not there is None."""

from collections.abc import Callable, Iterator
from typing import Any


class Namespace:
    """``ns.key``, ``ns["key"]``, iteration over pairs, and merging."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.__dict__.update(dict(*[arg for arg in args if not callable(arg)], **kwargs))

    @staticmethod
    def from_dict(values: Any, deep: bool = True) -> Any:
        """Make namespaces of dictionaries."""
        if isinstance(values, Namespace):
            values = values.__dict__
        if isinstance(values, dict):
            kept = {k: Namespace.from_dict(v) if deep else v for k, v in values.items()}
            return Namespace(kept)
        if deep and type(values) is list:
            return [Namespace.from_dict(value) for value in values]
        return values

    @staticmethod
    def dict(values: Any, deep: bool = False) -> dict[str, Any]:
        """Make a dictionary of a namespace."""
        own = values.__dict__ if isinstance(values, Namespace) else values or {}
        return {
            k: Namespace.dict(v, deep) if deep and isinstance(v, Namespace) else v
            for k, v in own.items()
        }

    @staticmethod
    def merge(*parts: Any, deep: bool = False) -> "Namespace":
        """Merge; what comes later wins."""
        done = Namespace()
        for part in parts:
            for key, value in Namespace.dict(part).items():
                old = done[key]
                both = isinstance(old, Namespace) and isinstance(value, Namespace)
                done[key] = Namespace.merge(old, value, deep=True) if deep and both else value
        return done

    @staticmethod
    def get(values: Any, key: str, default: Any = None) -> Any:
        """Return what a dotted key leads to."""
        for part in key.split("."):
            values = Namespace.dict(values).get(part)
            if values is None:
                return default
        return values

    @staticmethod
    def walk(values: Any, change: Callable[..., Any], parents: tuple[str, ...] = ()) -> Any:
        """Apply ``change(key, value, parents=[...])`` to each leaf."""
        done = Namespace()
        for key, value in Namespace.dict(values).items():
            if isinstance(value, (Namespace, dict)):
                done[key] = Namespace.walk(value, change, (*parents, key))
            else:
                new_key, new_value = change(key, value, parents=list(parents))
                done[new_key] = new_value
        return done

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return None

    def __getitem__(self, key: str) -> Any:
        return self.__dict__.get(key)

    def __setitem__(self, key: str, value: Any) -> None:
        self.__dict__[key] = value

    def __delitem__(self, key: str) -> None:
        self.__dict__.pop(key, None)

    def __contains__(self, key: str) -> bool:
        return key in self.__dict__

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        return iter(list(self.__dict__.items()))

    def __len__(self) -> int:
        return len(self.__dict__)

    def __bool__(self) -> bool:
        return bool(self.__dict__)

    def __or__(self, other: Any) -> "Namespace":
        return Namespace.merge(other, self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Namespace) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Namespace({self.__dict__})"


def repr_def(obj: Any, attributes: Any = None) -> str:
    return f"{type(obj).__name__}({vars(obj) if attributes == 'all' else ''})"
