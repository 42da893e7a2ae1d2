"""One import map for a function's process: the project's, its paths made absolute, over what leads elsewhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urljoin

from minato.functions.discovery import Function
from minato.functions.specifiers import redirected, remote_imports

_OWN_MAPS: Final = ("deno.json", "deno.jsonc", "import_map.json")
# A text, or a comment or last comma that JSON does not know.
_JSONC: Final = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/|,(?=\s*[}\]])', re.S)
Imports = dict[str, str]
# What Deno can ask a registry for: a version, a simple range, a tag, or another package under this name.
_OF_REGISTRY: Final = re.compile(r"(?:npm:(?:@[\w.-]+/)?[\w.-]+@?)?[\^~]?[\w.*+-]*")
_DEPENDENCIES: Final = ("devDependencies", "optionalDependencies", "dependencies")


class ImportMapError(Exception):
    """The project's map can't be read; the text names the file."""


def map_file(function: Function) -> Path | None:
    """The project's map: that of config.toml, else the function's own, else the one of all functions."""
    if function.settings.import_map:
        return function.folder.parent / function.settings.import_map
    own = [function.entrypoint.parent / name for name in _OWN_MAPS]
    return next((path for path in (*own, function.folder / "import_map.json") if path.is_file()), None)


@dataclass(frozen=True)
class Manifest:
    """What a package.json beside a function depends on; `elsewhere` are those that no registry can be asked for."""

    imports: Imports
    elsewhere: tuple[str, ...]


def package_manifest(function: Function) -> Manifest:
    """Nothing where there is none. Raises `ImportMapError`."""
    path = function.entrypoint.parent / "package.json"
    document = _read(path) if path.is_file() else {}
    needed = {name: spec for kind in _DEPENDENCIES for name, spec in _texts(document.get(kind)).items()}
    targets = {name: spec if spec.startswith("npm:") else f"npm:{name}@{spec or '*'}" for name, spec in needed.items()}
    elsewhere = tuple(name for name, spec in needed.items() if not _OF_REGISTRY.fullmatch(spec))
    return Manifest(_absolute(targets, path.as_uri()), elsewhere)


def merged(function: Function, sources: Iterable[Path], *, packages: bool = True) -> dict[str, object]:
    """The whole map as JSON, without those of a package.json unless `packages`. Raises `ImportMapError`."""
    imports: Imports = {found: redirected(found) for found in sorted(remote_imports(sources))}
    imports = {found: target for found, target in imports.items() if found != target}
    path = map_file(function)
    if path is None:
        return {"imports": imports | (package_manifest(function).imports if packages else {})}
    document, base = _read(path), path.resolve().as_uri()
    given = _texts(document.get("imports"))
    scopes = document.get("scopes")
    return {
        "imports": imports | _absolute(given, base),
        "scopes": {
            _against(scope, base): _absolute(_texts(members), base)
            for scope, members in (scopes.items() if isinstance(scopes, dict) else ())
        },
    }


def _absolute(imports: Mapping[str, str], base: str) -> Imports:
    found: Imports = {}
    for name, target in imports.items():
        led = _against(redirected(target), base)
        found[_against(name, base)] = led
        # As Deno reads deno.json: a package's name stands for what lies in the package, too.
        if not name.endswith("/") and f"{name}/" not in imports and target.startswith(("npm:", "jsr:")):
            found |= _below(name, led)
    return found


def _below(name: str, led: str) -> Imports:
    if led.startswith("file:"):
        return {f"{name}/edge-runtime.d.ts": led}
    scheme, _, rest = led.partition(":")
    return {f"{name}/": f"{scheme}:/{rest.removeprefix('/')}/"}


def _against(address: str, base: str) -> str:
    return urljoin(base, address) if address.startswith(("./", "../", "/")) else address


def _read(path: Path) -> Mapping[str, object]:
    try:
        text = _JSONC.sub(lambda found: found[1] or "", path.read_text(encoding="utf-8"))
        document = json.loads(text)
    except (OSError, ValueError) as error:
        raise ImportMapError(f"{path} can't be read as JSON: {error}") from None
    if not isinstance(document, dict):
        raise ImportMapError(f"{path} holds no JSON object")
    return document


def _texts(value: object) -> Imports:
    members = value.items() if isinstance(value, dict) else ()
    return {str(name): target for name, target in members if isinstance(target, str)}
