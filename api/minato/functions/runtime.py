"""Which Deno runs functions: that of the extra `minato[functions]`, or one that the operator names."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Final

SENTENCE: Final = "Edge Functions need Deno: pip install 'minato[functions]'"


def find_deno(chosen: Path | None) -> Path | None:
    """The program; None where there is none. A placeholder of the package, for machines without a build, has none."""
    if chosen is not None:
        return chosen if chosen.is_file() else None
    try:
        found = import_module("deno").find_deno_bin()
    except (ImportError, AttributeError, FileNotFoundError):
        return None
    return Path(found)
