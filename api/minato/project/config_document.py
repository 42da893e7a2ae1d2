"""Which file configures a project, and what is in it: `config.toml`, `config.json`, or JSON with comments."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from minato.json_text import read_jsonc
from minato.project.errors import ProjectError

TOML: Final = "config.toml"
# Either is stronger than a config.toml beside it.
JSON: Final = ("config.json", "config.jsonc")


def config_file(folder: Path) -> Path:
    """The file of a `supabase` folder; its config.toml where there is none."""
    return next((folder / name for name in JSON if (folder / name).is_file()), folder / TOML)


def ignored_file(folder: Path) -> str:
    """The name of a file that another one hides; empty for none. Raises `ProjectError` where it is not clear which."""
    there = [name for name in JSON if (folder / name).is_file()]
    if len(there) > 1:
        raise ProjectError("Found both supabase/config.json and supabase/config.jsonc. Keep one and delete the other.")
    return TOML if there and (folder / TOML).is_file() else ""


def read_document(path: Path) -> Mapping[str, object]:
    """What the file says, nothing where there is none. Raises ValueError on what is neither TOML nor JSON, OSError."""
    if not path.exists():
        return {}
    text = path.read_text(encoding="utf-8-sig")
    return tomllib.loads(text) if path.suffix == ".toml" else _object(read_jsonc(text))


def _object(document: object) -> Mapping[str, object]:
    if not isinstance(document, dict):
        raise ValueError("it holds no JSON object")
    # The schema is for editors.
    return {name: value for name, value in document.items() if name != "$schema"}
