"""What a function's deno.json says of how its files are compiled, as a configuration that says nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from minato.functions.discovery import Function
from minato.functions.map_file import against, read_json

# Those that change what runs; types are not checked.
_OPTIONS: Final = (
    *("jsx", "jsxFactory", "jsxFragmentFactory", "jsxImportSource", "jsxPrecompileSkipElements"),
    *("experimentalDecorators", "emitDecoratorMetadata"),
)


def compiler_flags(function: Function, folder: Path) -> list[str]:
    """For `deno run` and `deno cache`; the configuration is written to `folder`. No other that lies above counts.

    Raises `ImportMapError` and OSError.
    """
    options = _options(function.map_file)
    if not options:
        return ["--no-config"]
    # As the root of a workspace it has nothing above it.
    document = {"workspace": [], "compilerOptions": options}
    return [f"--config={write_document(document, folder / f'{function.name}.deno.json')}"]


def write_document(document: Mapping[str, object], path: Path) -> Path:
    """`path`, replaced as a whole: another process of the function may read the former one. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with NamedTemporaryFile("w", dir=path.parent, encoding="utf-8", delete=False) as draft:
        draft.write(json.dumps(document, indent=1))
    return Path(draft.name).replace(path)


def _options(path: Path | None) -> dict[str, object]:
    given = read_json(path).get("compilerOptions") if path is not None else None
    if path is None or not isinstance(given, dict):
        return {}
    options = {name: given[name] for name in _OPTIONS if name in given}
    if isinstance(source := options.get("jsxImportSource"), str):
        options["jsxImportSource"] = against(source, path.resolve().as_uri())
    return options
