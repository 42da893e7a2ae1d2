"""Tables as definitions and as the parameters that filter and write them."""

from __future__ import annotations

from collections.abc import Sequence

from minato.rest.openapi.types import JSON, default_value, described_type
from minato.rest.schema_cache.model import Column, Relationship, Table


def definition(table: Table, comments: JSON, relationships: Sequence[Relationship]) -> JSON:
    """The object a row is; `comments` is what the inspection says of the table."""
    columns = comments.get("columns") or {}
    described = {
        name: _column(table, each, columns.get(name, {}), relationships) for name, each in table.columns.items()
    }
    required = [each.name for each in table.columns.values() if not each.nullable]
    comment = {"description": comments["comment"]} if comments.get("comment") else {}
    return {**comment, **({"required": required} if required else {}), "type": "object", "properties": described}


def table_parameters(table: Table, comments: JSON) -> JSON:
    """`body.<table>` and a `rowFilter.<table>.<column>` for each column."""
    name = table.name.name
    columns = comments.get("columns") or {}
    reference = {"$ref": f"#/definitions/{name}"}
    body: JSON = {"name": name, "description": name, "in": "body", "required": False, "schema": reference}
    filters = {f"rowFilter.{name}.{each}": _row_filter(each, columns.get(each, {})) for each in table.columns}
    return {f"body.{name}": body, **filters}


def _row_filter(name: str, comments: JSON) -> JSON:
    described = {"description": comments["comment"]} if comments.get("comment") else {}
    return {"name": name, **described, "in": "query", "required": False, "type": "string"}


def _column(table: Table, column: Column, comments: JSON, relationships: Sequence[Relationship]) -> JSON:
    shown = comments.get("type") or column.type
    described = described_type(shown)
    if comments.get("max"):
        described["maxLength"] = comments["max"]
    if comments.get("enum"):
        described["enum"] = comments["enum"]
    text = _description(table, column, comments.get("comment"), relationships)
    return {**described, **default_value(shown, column.default), **({"description": text} if text else {})}


def _description(
    table: Table, column: Column, comment: str | None, relationships: Sequence[Relationship]
) -> str | None:
    notes = ["This is a Primary Key.<pk/>"] if column.name in table.primary_key else []
    target = next((each for each in relationships if _refers(each, column.name)), None)
    if target is not None:
        other, key = target.foreign_table.name, target.columns[0][1]
        notes.append(f"This is a Foreign Key to `{other}.{key}`.<fk table='{other}' column='{key}'/>")
    if not notes:
        return comment
    noted = "\n".join(["Note:", *notes])
    return f"{comment}\n\n{noted}" if comment else noted


def _refers(each: Relationship, column: str) -> bool:
    is_key = each.is_to_one and each.function is None and not each.is_inverse and not each.foreign_table_is_view
    return is_key and len(each.columns) == 1 and each.columns[0][0] == column
