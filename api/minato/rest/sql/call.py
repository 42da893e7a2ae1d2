"""A CallPlan → a SELECT of the function's rows."""

from __future__ import annotations

from minato.database.identifiers import quote_identifier
from minato.rest.parse.payload import Payload
from minato.rest.plan.types import CallPlan
from minato.rest.schema_cache.model import Column, Parameter
from minato.rest.sql.fields import Parameters, relation
from minato.rest.sql.payload import BODY, body_rows


def call_statement(plan: CallPlan, parameters: Parameters) -> str:
    """Scalars come as the one column pgrst_scalar, rows as they are."""
    routine = plan.routine
    rows, arguments = _arguments(plan, parameters)
    call = f"{relation(routine.name)}({arguments})"
    lateral = f"{rows}, LATERAL " if rows else ""
    if routine.returns_composite:
        return f"SELECT pgrst_call.* FROM {lateral}{call} pgrst_call"
    return f"SELECT pgrst_call.pgrst_scalar FROM {lateral}(SELECT {call} pgrst_scalar) pgrst_call"


def _arguments(plan: CallPlan, parameters: Parameters) -> tuple[str, str]:
    """What stands before the call in FROM, and the argument list."""
    if plan.whole_body:
        assert plan.payload is not None, "an unnamed parameter takes the body"
        return "", _whole_body(plan.payload, plan.parameters[0], parameters)
    if plan.arguments is not None:
        given = [_direct(each, plan.arguments[each.name], parameters) for each in plan.parameters]
        return "", ", ".join(given)
    assert plan.payload is not None, "arguments come from the query or from the body"
    if not plan.parameters:
        return "", ""
    columns = [Column(each.name, f"{each.type}[]" if _is_element(each) else each.type, "") for each in plan.parameters]
    rows = body_rows(plan.payload, columns, parameters)
    rows = f"(SELECT * FROM {rows} LIMIT 1) AS {BODY}" if plan.payload.is_array else rows
    return rows, ", ".join(_from_body(each) for each in plan.parameters)


def _whole_body(payload: Payload, parameter: Parameter, parameters: Parameters) -> str:
    if payload.raw is None:
        return f"({parameters.json(payload.text)})::{parameter.type}"
    if parameter.type == "bytea":
        return parameters.bytes(payload.raw)
    return parameters.typed(payload.raw.decode("utf-8", "replace").replace("\x00", "\ufffd"), parameter.type)


def _direct(parameter: Parameter, values: tuple[str, ...], parameters: Parameters) -> str:
    """An argument of a GET: of a repeated one the last counts, a variadic one takes all."""
    name = quote_identifier(parameter.name)
    if not parameter.variadic:
        return f"{name} := {parameters.typed(values[-1], parameter.type)}"
    array = ", ".join(parameters.text(value) for value in values)
    return f"VARIADIC {name} := (ARRAY[{array}])::{parameter.type}"


def _from_body(parameter: Parameter) -> str:
    name = quote_identifier(parameter.name)
    return f"{'VARIADIC ' if parameter.variadic else ''}{name} := {BODY}.{name}"


def _is_element(parameter: Parameter) -> bool:
    # The catalog already gives a variadic parameter its array type.
    return parameter.variadic and not parameter.type.endswith("[]")
