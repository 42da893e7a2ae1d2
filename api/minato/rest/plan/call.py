"""Which function a call means, by the names of its arguments, and how these are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from minato.rest.errors import RestError, SchemaMiss
from minato.rest.parse.api_request import ApiRequest
from minato.rest.parse.media_type import MediaKind
from minato.rest.plan.read import known_columns
from minato.rest.plan.suggestions import nearest
from minato.rest.plan.types import SOURCE, CallPlan, ReadPlan
from minato.rest.schema_cache.model import Column, QualifiedName, Routine, SchemaCache, Volatility

BODY_TYPES: Mapping[MediaKind, tuple[str, ...]] = {
    MediaKind.JSON: ("json", "jsonb"),
    MediaKind.TEXT: ("text",),
    MediaKind.XML: ("xml",),
    MediaKind.BYTES: ("bytea",),
}
RAW_KINDS = (MediaKind.TEXT, MediaKind.XML, MediaKind.BYTES)
RENAME = "Try renaming the parameters or the function itself in the database so function overloading can be resolved"


def plan_call(request: ApiRequest, cache: SchemaCache) -> CallPlan:
    """The call `request` asks for. Raises PGRST202 (none fits), PGRST203 (several do)."""
    keys = _given_keys(request)
    routine, whole_body = find_routine(request, cache, keys)
    mutates = request.method == "POST" and routine.volatility is Volatility.VOLATILE
    parameters = tuple(parameter for parameter in routine.parameters if parameter.name in keys)
    arguments = _direct_arguments(request)
    if whole_body:
        return CallPlan(routine, routine.parameters, None, request.payload, True, mutates)
    return CallPlan(routine, parameters, arguments, None if arguments is not None else request.payload, False, mutates)


def call_root(cache: SchemaCache, routine: Routine) -> ReadPlan:
    """The empty plan that reads what `routine` returned."""
    outputs = {name: Column(name, kind, kind) for name, kind in routine.out_columns.items()}
    columns = outputs or known_columns(cache.tables.get(routine.returns))
    # The rows come from a statement of ours and are of no table's type: a function of several tables' rows is told it.
    columns = {name: replace(each, row=routine.returns) if each.computed else each for name, each in columns.items()}
    # Errors call the rows by their type, or by the function where they have none.
    table = routine.returns if routine.returns_composite else routine.name
    if table not in cache.tables:
        table = QualifiedName(routine.name.schema, table.name)
    return ReadPlan(SOURCE, table, columns if routine.returns_composite else {}, table.name)


def find_routine(request: ApiRequest, cache: SchemaCache, keys: Sequence[str]) -> tuple[Routine, bool]:
    """The function meant, and whether it takes the whole body as its one unnamed parameter."""
    name = QualifiedName(request.schema, request.target.name)
    overloads = cache.routines.get(name, ())
    takes_raw = request.method == "POST" and request.content.kind in RAW_KINDS
    named = [each for each in overloads if _fits(each, set(keys), takes_raw, request.payload is not None)]
    if named:
        chosen = _only(named)
        return chosen, _is_unnamed(chosen)
    types = BODY_TYPES.get(request.content.kind, ()) if request.method == "POST" else ()
    unnamed = [each for each in overloads if _takes_body(each, types)]
    if unnamed:
        return _only(unnamed), True
    raise _not_found(request, cache, name, keys)


def _is_unnamed(routine: Routine) -> bool:
    """Whether its one parameter has no name: then it gets the whole body, however it was found."""
    return len(routine.parameters) == 1 and not routine.parameters[0].name


def _fits(routine: Routine, keys: set[str], takes_raw: bool, has_body: bool) -> bool:
    if not routine.parameters:
        return not keys and not takes_raw
    if takes_raw or (_is_unnamed(routine) and not has_body):
        return False
    required = {parameter.name for parameter in routine.parameters if parameter.required}
    return required <= keys <= {parameter.name for parameter in routine.parameters}


def _takes_body(routine: Routine, types: tuple[str, ...]) -> bool:
    return _is_unnamed(routine) and routine.parameters[0].type in types


def _only(candidates: list[Routine]) -> Routine:
    if len(candidates) == 1:
        return candidates[0]
    listed = ", ".join(_signature(each) for each in candidates)
    message = f"Could not choose the best candidate function between: {listed}"
    raise RestError(300, "PGRST203", message, None, RENAME)


def _signature(routine: Routine) -> str:
    shown = (f"{each.name} => {each.type}" for each in routine.parameters)
    return f"{routine.name}({', '.join(shown)})"


def _given_keys(request: ApiRequest) -> tuple[str, ...]:
    if request.payload is None:
        return tuple(dict.fromkeys(key for key, _ in request.query.arguments))
    return request.payload.keys


def _direct_arguments(request: ApiRequest) -> Mapping[str, tuple[str, ...]] | None:
    """The arguments of a GET or a form; a repeated one has several values."""
    pairs = request.query.arguments if request.payload is None else request.payload.parameters
    if pairs is None:
        return None
    arguments: dict[str, tuple[str, ...]] = {}
    for key, value in pairs:
        arguments[key] = (*arguments.get(key, ()), value)
    return arguments


def _not_found(request: ApiRequest, cache: SchemaCache, name: QualifiedName, keys: Sequence[str]) -> SchemaMiss:
    listed = ", ".join(sorted(keys))
    kind = request.content.kind if request.method == "POST" else None
    if kind in RAW_KINDS:
        shown, searched = "", f" with a single unnamed {BODY_TYPES[kind][0]} parameter"
    else:
        shown = f"({listed})" if keys else " without parameters"
        searched = (f" with parameter{'s' if len(keys) > 1 else ''} {listed}") if keys else " without parameters"
        searched += " or with a single unnamed json/jsonb parameter" if kind is MediaKind.JSON else ""
    return SchemaMiss(
        404,
        "PGRST202",
        f"Could not find the function {name}{shown} in the schema cache",
        f"Searched for the function {name}{searched}, but no matches were found in the schema cache.",
        None if kind in RAW_KINDS else _suggestion(cache, name, listed),
    )


def _suggestion(cache: SchemaCache, name: QualifiedName, listed: str) -> str | None:
    overloads = cache.routines.get(name)
    if overloads is None:
        known = [each.name for each in cache.routines if each.schema == name.schema]
        near = nearest(name.name, known, 0.75)
        return f"Perhaps you meant to call the function {name.schema}.{near}" if near else None
    lists = [f"({', '.join(sorted(parameter.name for parameter in each.parameters))})" for each in overloads]
    best = nearest(f"({listed})", lists, 0.33)
    return f"Perhaps you meant to call the function {name}{best}" if best else None


def require_set_for_max_affected(request: ApiRequest, routine: Routine) -> None:
    """Raises PGRST128."""
    if request.preferences.max_affected is not None and not routine.returns_set:
        message = "Function must return SETOF or TABLE when max-affected preference is used with handling=strict"
        raise RestError(400, "PGRST128", message)
