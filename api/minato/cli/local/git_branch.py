"""The branch that "on branch …" tells of, read from the repository's own files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

DEFAULT = "main"
_HEADS = "ref: refs/heads/"


def git_branch(current: Path, environment: Mapping[str, str]) -> str:
    """GITHUB_HEAD_REF, else what HEAD names, else `main`; HEAD itself where no branch is checked out."""
    given = environment.get("GITHUB_HEAD_REF")
    if given:
        return given
    for folder in (current, *current.parents):
        place = folder / ".git"
        if place.exists():
            return _head(place) or DEFAULT
    return DEFAULT


def _head(place: Path) -> str | None:
    try:
        if place.is_file():
            # A work tree names its own folder of the repository.
            place = (place.parent / place.read_text().removeprefix("gitdir:").strip()).resolve()
        head = (place / "HEAD").read_text().strip()
    except (OSError, ValueError):
        return None
    return head.removeprefix(_HEADS) if head.startswith(_HEADS) else "HEAD"
