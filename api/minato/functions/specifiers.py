"""Where an import leads instead: registries that need the network, to the same package of npm or to a file of ours."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

SHARE: Final = Path(__file__).parent / "share"
_NOTHING: Final = (SHARE / "nothing.ts").as_uri()
_STD_HTTP: Final = (SHARE / "std_http.ts").as_uri()
_REMOTE: Final = re.compile(
    r"""["']((?:https://(?:deno\.land|esm\.sh|unpkg\.com|cdn\.skypack\.dev)/|jsr:)[^"'\s]+)["']"""
)
# Imported by functions for the types of the runtime alone, from whatever registry.
_TYPES: Final = "@supabase/functions-js"
# The same package under another roof; all others of jsr stay there.
_ON_NPM: Final = {"@supabase/supabase-js": "@supabase/supabase-js", "@panva/jose": "jose", "@hono/hono": "hono"}
_JSR: Final = re.compile(r"jsr:/?(?P<name>@[\w-]+/[\w.-]+)(?P<version>@[^/]+)?(?P<path>/.*)?")
# Of deno.land, whose module is the very package.
_OF_DENO_LAND: Final = {"zod": "zod", "hono": "hono", "postgresjs": "postgres"}
_DENO_LAND: Final = re.compile(r"https://deno\.land/x/(?P<name>\w+)(?:@v?(?P<version>[^/]+))?/mod\.(?:ts|js)")
_CDN: Final = re.compile(
    r"https://(?:esm\.sh|unpkg\.com|cdn\.skypack\.dev)/(?:v\d+/)?(?P<name>(?:@[\w.-]+/)?[\w.-]+)(?P<version>@[^/?&]+)?"
    r"(?P<path>/[^?&]*)?(?:[?&].*)?"
)
_STD_SERVE: Final = re.compile(r"https://deno\.land/std(?:@[^/]+)?/http/server\.ts")


def redirected(specifier: str) -> str:
    """What is imported instead of `specifier`; itself where nothing else is the same.

    >>> redirected("https://esm.sh/@supabase/supabase-js@2.39.3?target=deno")
    'npm:@supabase/supabase-js@2.39.3'
    >>> redirected("jsr:@panva/jose@6"), redirected("jsr:@std/path@1")
    ('npm:jose@6', 'jsr:@std/path@1')
    >>> redirected("https://unpkg.com/nanoid@5/non-secure"), redirected("https://deno.land/x/zod@v3.25/mod.ts")
    ('npm:nanoid@5/non-secure', 'npm:zod@3.25')
    >>> redirected("https://esm.sh/@supabase/functions-js/src/edge-runtime.d.ts").rpartition("/")[2]
    'nothing.ts'
    >>> redirected("https://deno.land/std@0.168.0/http/server.ts").rpartition("/")[2]
    'std_http.ts'
    """
    if _STD_SERVE.fullmatch(specifier):
        return _STD_HTTP
    if (found := _DENO_LAND.fullmatch(specifier)) is not None and found["name"] in _OF_DENO_LAND:
        return f"npm:{_OF_DENO_LAND[found['name']]}{'@' + found['version'] if found['version'] else ''}"
    if (found := _JSR.fullmatch(specifier)) is not None:
        name = _TYPES if found["name"] == _TYPES else _ON_NPM.get(found["name"])
    elif (found := _CDN.fullmatch(specifier)) is not None:
        name = found["name"]
    else:
        return specifier
    if name == _TYPES:
        return _NOTHING
    return specifier if name is None else f"npm:{name}{found['version'] or ''}{found['path'] or ''}"


def remote_imports(files: Iterable[Path]) -> set[str]:
    """The addresses that sources import, as far as they stand there as text."""
    found: set[str] = set()
    for file in files:
        if file.suffix in (".ts", ".js", ".mjs", ".jsx", ".tsx"):
            found.update(_REMOTE.findall(file.read_text(encoding="utf-8", errors="replace")))
    return found
