"""The marketplace's own types are those of its newest migration."""

from __future__ import annotations

import re
from pathlib import Path

from minato.cli.gen_types.typescript.file import render_typescript

from tests.integration.cli.gen_types.conftest import Databases, catalog_of

CHECKED_IN = Path(__file__).parents[4] / "web/src/lib/database.types.ts"


def bare(text: str) -> str:
    """TypeScript without its comments and what a formatter may add or take away."""
    return re.sub(r"""[\s;,|()'"]""", "", re.sub(r"^//.*$", "", text, flags=re.MULTILINE))


def test_the_web_apps_types_are_those_of_the_newest_migration(databases: Databases) -> None:
    generated = render_typescript(catalog_of(databases.marketplace, ["public"]))
    assert bare(CHECKED_IN.read_text()) == bare(generated), "run `make types`"
