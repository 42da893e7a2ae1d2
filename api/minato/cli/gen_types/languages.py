"""The languages, and what each is told beside the catalog."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from minato.cli.gen_types.go import render_go
from minato.cli.gen_types.model import Catalog
from minato.cli.gen_types.python import render_python
from minato.cli.gen_types.swift import render_swift
from minato.cli.gen_types.typescript.file import render_typescript
from minato.cli.gen_types.zod.file import render_zod


@dataclass(frozen=True)
class Style:
    """`one_to_one` is of TypeScript, `access_control` of Swift: internal or public."""

    one_to_one: bool = True
    access_control: str = "internal"


_RENDERERS: Final[Mapping[str, Callable[[Catalog, Style], str]]] = {
    "typescript": lambda catalog, style: render_typescript(catalog, style.one_to_one),
    "go": lambda catalog, _: render_go(catalog),
    "swift": lambda catalog, style: render_swift(catalog, style.access_control),
    "python": lambda catalog, _: render_python(catalog),
    "zod": lambda catalog, _: render_zod(catalog),
}


def render(catalog: Catalog, language: str, style: Style) -> str:
    """The types of a catalog in one of the languages, `typescript`, `go`, `swift`, `python` or `zod`."""
    return _RENDERERS[language](catalog, style)
