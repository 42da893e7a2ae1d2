"""Tables and functions as paths."""

from __future__ import annotations

from minato.rest.openapi.types import JSON, described_type
from minato.rest.schema_cache.model import Parameter, Routine, Table, Volatility

ROOT: JSON = {
    "get": {
        "tags": ["Introspection"],
        "summary": "OpenAPI description (this document)",
        "produces": ["application/openapi+json", "application/json"],
        "responses": {"200": {"description": "OK"}},
    }
}
READ = ("select", "order", "range", "rangeUnit", "offset", "limit", "preferCount")


def table_path(table: Table, comment: str | None) -> JSON:
    """What can be done with a relation."""
    name = table.name.name
    filters = [f"rowFilter.{name}.{column}" for column in table.columns]
    rows = {"schema": {"type": "array", "items": {"$ref": f"#/definitions/{name}"}}, "description": "OK"}
    partial = {"description": "Partial Content"}
    path: JSON = {"get": _operation(name, comment, [*filters, *READ], {"200": rows, "206": partial})}
    body, no_content = f"body.{name}", {"204": {"description": "No Content"}}
    if table.insertable:
        path["post"] = _operation(name, comment, [body, "select", "preferPost"], {"201": {"description": "Created"}})
    if table.updatable:
        path["patch"] = _operation(name, comment, [*filters, body, "preferReturn"], no_content)
    if table.deletable:
        path["delete"] = _operation(name, comment, [*filters, "preferReturn"], no_content)
    return path


def routine_path(routine: Routine, comment: str | None) -> JSON:
    """How a function is called: POST always, GET when it can't write."""
    path: JSON = {"post": _call(routine, comment, [_arguments(routine), _ref("preferParams")])}
    if routine.volatility is not Volatility.VOLATILE:
        path["get"] = _call(routine, comment, [_query_argument(each) for each in routine.parameters])
    return path


def summary(comment: str | None) -> JSON:
    """A comment's first line is the summary, what follows the description.

    >>> summary("Cars\\n\\nAll of them")
    {'summary': 'Cars', 'description': 'All of them'}
    """
    first, _, rest = (comment or "").partition("\n")
    texts = {"summary": first, "description": rest.lstrip("\n")}
    return {name: text for name, text in texts.items() if text}


def _operation(name: str, comment: str | None, parameters: list[str], responses: JSON) -> JSON:
    return {
        "tags": [name],
        **summary(comment),
        "parameters": [_ref(each) for each in parameters],
        "responses": responses,
    }


def _call(routine: Routine, comment: str | None, parameters: list[JSON]) -> JSON:
    return {
        "tags": [f"(rpc) {routine.name.name}"],
        **summary(comment),
        "produces": [
            "application/json",
            "application/vnd.pgrst.object+json;nulls=stripped",
            "application/vnd.pgrst.object+json",
        ],
        **({"parameters": parameters} if parameters else {}),
        "responses": {"200": {"description": "OK"}},
    }


def _arguments(routine: Routine) -> JSON:
    required = [each.name for each in routine.parameters if each.required]
    properties = {each.name: described_type(each.type) for each in routine.parameters}
    shown = {"required": required, "properties": properties}
    schema = {"type": "object", **{name: value for name, value in shown.items() if value}}
    return {"required": True, "schema": schema, "in": "body", "name": "args"}


def _query_argument(each: Parameter) -> JSON:
    return {"name": each.name, "in": "query", "required": each.required, **_query_type(each)}


def _query_type(each: Parameter) -> JSON:
    """A variadic argument is repeated, an array one text of PostgreSQL's."""
    if each.variadic:
        items = {"type": "string", **described_type(each.type.removesuffix("[]"))}
        return {"type": "array", "items": items, "collectionFormat": "multi"}
    described = {"type": "string", **described_type(each.type)}
    return {"format": each.type, "type": "string"} if described["type"] == "array" else described


def _ref(name: str) -> JSON:
    return {"$ref": f"#/parameters/{name}"}
