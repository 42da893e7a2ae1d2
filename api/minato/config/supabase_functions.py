"""`[functions.<name>]` and `[edge_runtime]` of `supabase/config.toml`, as settings of ours."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from minato.config.functions import FunctionSettings

_RUNTIME: Final = {
    "enabled": "MINATO_FUNCTIONS_ENABLED",
    "policy": "MINATO_FUNCTIONS_POLICY",
    "inspector_port": "MINATO_FUNCTIONS_INSPECTOR_PORT",
}


@dataclass
class FunctionsConfig:
    """Settings by environment name, the secrets of functions by theirs, and keys that have no counterpart here."""

    settings: dict[str, str] = field(default_factory=dict)
    secrets: dict[str, str] = field(default_factory=dict, repr=False)
    unknown: list[str] = field(default_factory=list)


def functions_config(document: Mapping[str, Any], folder: Path) -> FunctionsConfig:
    """What the file in `folder` says; its `env(NAME)` are replaced already. Raises ValueError in one sentence.

    >>> read = functions_config({"functions": {"Pay": {"verify_jwt": False, "speed": 1}}}, Path("/none"))
    >>> read.settings, read.unknown
    ({'MINATO_FUNCTIONS_CONFIG': '{"pay": {"verify_jwt": false}}'}, ['functions.pay.speed'])
    """
    found = FunctionsConfig()
    _read_runtime(found, _table(document, "edge_runtime"))
    told: dict[str, dict[str, Any]] = {}
    for name, given in _table(document, "functions").items():
        if not isinstance(given, dict):
            raise ValueError(f"functions.{name} is no table: write [functions.{name}]")
        known = {key: value for key, value in given.items() if key in FunctionSettings.model_fields}
        found.unknown += [f"functions.{name.lower()}.{key}" for key in given if key not in known]
        told[name.lower()] = known
    if told:
        found.settings["MINATO_FUNCTIONS_CONFIG"] = json.dumps(told)
    if (folder / "functions").is_dir():
        found.settings["MINATO_FUNCTIONS_FOLDER"] = str((folder / "functions").absolute())
    return found


def _read_runtime(found: FunctionsConfig, given: Mapping[str, Any]) -> None:
    for key, value in given.items():
        if key == "secrets" and isinstance(value, dict):
            found.secrets = {name.upper(): str(text) for name, text in value.items() if text != ""}
        elif key in _RUNTIME:
            found.settings[_RUNTIME[key]] = str(value).lower() if isinstance(value, bool) else str(value)
        else:
            found.unknown.append(f"edge_runtime.{key}")


def _table(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    given = document.get(name, {})
    return given if isinstance(given, dict) else {}
