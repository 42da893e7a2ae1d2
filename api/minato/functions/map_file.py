"""A project's import map as it was written: deno.json and its like, or a map of the project's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urljoin, urlsplit

from minato.json_text import read_jsonc

_OWN_MAPS: Final = ("deno.json", "deno.jsonc", "import_map.json")
# The CLI falls back to the first; the others are what Deno finds by itself on its way upwards.
_SHARED_MAPS: Final = ("import_map.json", "deno.json", "deno.jsonc")
Imports = dict[str, str]


class ImportMapError(Exception):
    """The project's map can't be read; the text names the file."""


def map_file(folder: Path, entrypoint: Path, chosen: str) -> Path | None:
    """The map of a function in `folder`: the one that is `chosen`, the nearest above it, or one of all functions."""
    if chosen:
        return folder.parent / chosen
    own = [place for place in entrypoint.parents if folder in place.parents] or [entrypoint.parent]
    paths = [place / name for place in own for name in _OWN_MAPS] + [folder / name for name in _SHARED_MAPS]
    return next((path for path in paths if path.is_file()), None)


def read_json(path: Path) -> Mapping[str, object]:
    """An object, with comments and last commas. Raises `ImportMapError`."""
    try:
        document = read_jsonc(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ImportMapError(f"{path} can't be read as JSON: {error}") from None
    if not isinstance(document, dict):
        raise ImportMapError(f"{path} holds no JSON object")
    return document


def texts(value: object) -> Imports:
    """The members of an object that are texts; none of anything else."""
    members = value.items() if isinstance(value, dict) else ()
    return {str(name): target for name, target in members if isinstance(target, str)}


def against(address: str, base: str) -> str:
    """An address of a map that lies at `base`, made absolute where it is a path."""
    return urljoin(base, address) if address.startswith(("./", "../", "/")) else address


def files_named(path: Path) -> tuple[tuple[str, str], ...]:
    """Names of a map, of its scopes too, and the files or folders that they stand for; none of one that is unread."""
    try:
        document = read_json(path)
    except ImportMapError:
        return ()
    return tuple(_files(document, path.resolve().as_uri()))


def _files(document: Mapping[str, object], base: str) -> Iterator[tuple[str, str]]:
    scopes = document.get("scopes")
    of_scopes = scopes.values() if isinstance(scopes, dict) else ()
    for imports in (document.get("imports"), *of_scopes):
        for name, target in texts(imports).items():
            led = against(target, base)
            if led.startswith("file:"):
                yield name, unquote(urlsplit(led).path)
