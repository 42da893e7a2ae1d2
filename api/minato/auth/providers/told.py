"""What a provider told, read by type: what is missing, or is of another type, is empty."""

from __future__ import annotations

from minato.auth.providers.provider import ProviderError


def at(told: object, *path: str | int) -> object:
    """What is below `path`.

    >>> at({"a": [{"b": 1}]}, "a", 0, "b"), at({"a": []}, "a", 0, "b")
    (1, None)
    """
    for step in path:
        if isinstance(step, str) and isinstance(told, dict):
            told = told.get(step)
        elif isinstance(step, int) and isinstance(told, list) and len(told) > step:
            told = told[step]
        else:
            return None
    return told


def text(told: object, *path: str | int) -> str:
    """The text below `path`."""
    value = at(told, *path)
    return value if isinstance(value, str) else ""


def flag(told: object, *path: str | int) -> bool:
    """Whether what is below `path` is true."""
    return at(told, *path) is True


def whole(told: object, *path: str | int) -> int:
    """The whole number below `path`, or 0."""
    value = at(told, *path)
    return value if isinstance(value, int) else 0


def number(told: object, *path: str | int) -> str:
    """The whole number below `path`, as text. Raises ProviderError where there is none."""
    value = at(told, *path)
    if not isinstance(value, int):
        raise ProviderError(f"the user has no {path[-1]}")
    return str(value)


def each(told: object, *path: str | int) -> list[dict[str, object]]:
    """The objects of the list below `path`."""
    value = at(told, *path)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
