"""Functions of the catalog: what can be called, what makes media types, and the settings that come with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import orjson

from minato.json_text import JsonMapping
from minato.rest.schema_cache.model import (
    Handlers,
    MediaHandler,
    Parameter,
    QualifiedName,
    RoleSettings,
    Routine,
    Volatility,
)

Row = JsonMapping
BODY_TYPES = ("json", "jsonb", "text", "xml", "bytea")
ISOLATION = "default_transaction_isolation"


def read_routines(rows: Sequence[Row], exposed: set[str]) -> dict[QualifiedName, tuple[Routine, ...]]:
    """The functions that requests may call, overloads together."""
    found: dict[QualifiedName, list[Routine]] = defaultdict(list)
    for row in rows:
        routine = _routine(row)
        if row["schema"] in exposed and _is_callable(routine):
            found[routine.name].append(routine)
    return {name: tuple(sorted(same, key=_order)) for name, same in found.items()}


def read_handlers(routines: Mapping[QualifiedName, tuple[Routine, ...]], rows: Sequence[Row]) -> Handlers:
    """Who makes which media type of what; `rows` are the aggregates."""
    found: dict[tuple[QualifiedName | None, str], MediaHandler] = {}
    for name, overloads in routines.items():
        for routine in overloads:
            if routine.media_type is not None and not routine.returns_set:
                own = MediaHandler(_made(routine.media_type), routine.returns.name == "bytea")
                found[name, routine.media_type] = own
    for row in rows:
        target = QualifiedName(row["target_schema"], row["target_name"]) if row["target_name"] else None
        aggregate = QualifiedName(row["schema"], row["name"])
        handler = MediaHandler(_made(row["media_type"]), row["is_bytes"], aggregate, target)
        found[target, row["media_type"]] = handler
    return found


def _made(media_type: str) -> str:
    return "application/octet-stream" if media_type == "*/*" else media_type


def _order(routine: Routine) -> tuple[int, str, list[tuple[str, str]]]:
    """Overloads are told in the order of their parameters, of as many those without a comment first."""
    return len(routine.parameters), routine.comment or "", [(each.name, each.type) for each in routine.parameters]


def _routine(row: Row) -> Routine:
    settings = _split_settings(orjson.loads(row["settings"]))
    return Routine(
        name=QualifiedName(row["schema"], row["name"]),
        parameters=tuple(Parameter(*parameter) for parameter in orjson.loads(row["parameters"])),
        returns=QualifiedName(row["return_schema"], row["return_name"]),
        returns_set=row["returns_set"],
        returns_composite=row["returns_composite"],
        volatility=Volatility(row["volatility"]),
        out_columns=dict(orjson.loads(row["out_columns"])),
        isolation=dict(settings).get(ISOLATION),
        settings=tuple(pair for pair in settings if pair[0] != ISOLATION),
        media_type=row["media_type"],
        oid=row["oid"],
        comment=row["comment"],
    )


def _is_callable(routine: Routine) -> bool:
    """Every input named, or a single unnamed one that can take a whole body."""
    unnamed = [parameter for parameter in routine.parameters if not parameter.name]
    return not unnamed or (len(routine.parameters) == 1 and unnamed[0].type in BODY_TYPES)


def role_settings(entries: list[str]) -> RoleSettings:
    """What holds for every request of a role, from `name=value` entries."""
    pairs = _split_settings(entries)
    return RoleSettings(dict(pairs).get(ISOLATION), tuple(pair for pair in pairs if pair[0] != ISOLATION))


def _split_settings(entries: list[str]) -> list[tuple[str, str]]:
    return [(name, value) for name, _, value in (entry.partition("=") for entry in entries)]
