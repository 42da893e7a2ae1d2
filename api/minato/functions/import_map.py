"""One import map for a function's process: the project's, its paths made absolute, over what leads elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from minato.functions.discovery import Function
from minato.functions.map_file import Imports, against, read_json, texts
from minato.functions.specifiers import SHARE, redirected, remote_imports

# What Deno can ask a registry for: a version, a simple range, a tag, or another package under this name.
_OF_REGISTRY: Final = re.compile(r"(?:npm:(?:@[\w.-]+/)?[\w.-]+@?)?[\^~]?[\w.*+-]*")
# What stands for node:fs asks for the real one.
_OF_NODE: Final = dict.fromkeys(("fs", "node:fs"), (SHARE / "node_fs.ts").as_uri())
_OWN: Final = {f"{SHARE.as_uri()}/": {"node:fs": "node:fs"}}
_DEPENDENCIES: Final = ("devDependencies", "optionalDependencies", "dependencies")


@dataclass(frozen=True)
class Manifest:
    """What a package.json beside a function depends on; `elsewhere` are those that no registry can be asked for."""

    imports: Imports
    elsewhere: tuple[str, ...]


def package_manifest(function: Function) -> Manifest:
    """Nothing where there is none. Raises `ImportMapError`."""
    path = function.entrypoint.parent / "package.json"
    document = read_json(path) if path.is_file() else {}
    needed = {name: spec for kind in _DEPENDENCIES for name, spec in texts(document.get(kind)).items()}
    targets = {name: spec if spec.startswith("npm:") else f"npm:{name}@{spec or '*'}" for name, spec in needed.items()}
    elsewhere = tuple(name for name, spec in needed.items() if not _OF_REGISTRY.fullmatch(spec))
    return Manifest(_absolute(targets, path.as_uri()), elsewhere)


def merged(function: Function, sources: Iterable[Path], *, packages: bool = True) -> dict[str, object]:
    """The whole map as JSON, without those of a package.json unless `packages`. Raises `ImportMapError`."""
    imports: Imports = {found: redirected(found) for found in sorted(remote_imports(sources))}
    imports = _OF_NODE | {found: target for found, target in imports.items() if found != target}
    path = function.map_file
    if path is None:
        return {"imports": imports | (package_manifest(function).imports if packages else {}), "scopes": _OWN}
    document, base = read_json(path), path.resolve().as_uri()
    given = texts(document.get("imports"))
    scopes = document.get("scopes")
    return {
        "imports": imports | _absolute(given, base),
        "scopes": {
            against(scope, base): _absolute(texts(members), base)
            for scope, members in (scopes.items() if isinstance(scopes, dict) else ())
        }
        | _OWN,
    }


def _absolute(imports: Mapping[str, str], base: str) -> Imports:
    found: Imports = {}
    for name, target in imports.items():
        led = against(redirected(target), base)
        found[against(name, base)] = led
        # As Deno reads deno.json: a package's name stands for what lies in the package, too.
        if not name.endswith("/") and f"{name}/" not in imports and target.startswith(("npm:", "jsr:")):
            found |= _below(name, led)
    return found


def _below(name: str, led: str) -> Imports:
    if led.startswith("file:"):
        return {f"{name}/edge-runtime.d.ts": led}
    scheme, _, rest = led.partition(":")
    return {f"{name}/": f"{scheme}:/{rest.removeprefix('/')}/"}
