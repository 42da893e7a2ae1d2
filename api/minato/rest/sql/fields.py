"""Columns, JSON paths, casts and aggregates as SQL, and the parameters of one statement.

Every value goes through these; each is sent as text and typed by PostgreSQL.
"""

from __future__ import annotations

from minato.database.identifiers import quote_identifier, quote_qualified
from minato.rest.parse.syntax import JsonStep
from minato.rest.plan.types import PlannedColumn, PlannedField, ReadPlan
from minato.rest.schema_cache.model import QualifiedName


class Parameters:
    """Collects values; what it returns stands in their place in the SQL text. Windows are numbers if it `shows` them.

    >>> parameters = Parameters()
    >>> parameters.literal("3"), parameters.typed("4", "integer"), parameters.text("x"), parameters.values
    ('$1', '($2::text)::integer', '$3::text', ['3', '4', 'x'])
    """

    def __init__(self, shows_windows: bool = False) -> None:
        self.values: list[str | bytes] = []
        self.shows_windows = shows_windows

    def literal(self, value: str) -> str:
        """A placeholder without a type: PostgreSQL reads the value as what stands beside it, as it does a literal."""
        self.values.append(value)
        return f"${len(self.values)}"

    def text(self, value: str) -> str:
        """A placeholder of type text."""
        return f"{self.literal(value)}::text"

    def typed(self, value: str, type_name: str | None) -> str:
        """A placeholder read as a value of `type_name`, with the errors PostgreSQL has for a literal of that type."""
        if type_name is None or type_name == "text":
            return self.text(value)
        return f"({self.text(value)})::{type_name}"

    def json(self, value: str) -> str:
        return f"{self.literal(value)}::json"

    def bytes(self, value: bytes) -> str:
        self.values.append(value)
        return f"${len(self.values)}::bytea"


def relation(name: QualifiedName) -> str:
    """A table or function; a name without schema is one of ours."""
    return quote_qualified(*name) if name.schema else quote_identifier(name.name)


def qualifier(plan: ReadPlan) -> str:
    """What `plan`'s columns are prefixed with."""
    return quote_identifier(plan.alias) if plan.alias else relation(plan.source)


def column(prefix: str, name: str) -> str:
    return f"{prefix}.*" if name == "*" else f"{prefix}.{quote_identifier(name)}"


def field(prefix: str, planned: PlannedField, parameters: Parameters) -> str:
    """A column, or what its JSON path leads to."""
    plain = column(f"({prefix}::{relation(planned.row)})" if planned.row else prefix, planned.name)
    if not planned.path:
        return plain
    base = plain if planned.is_json else f"to_jsonb({plain})"
    return base + "".join(_step(step, parameters) for step in planned.path)


def selected(prefix: str, planned: PlannedColumn, parameters: Parameters) -> str:
    """One output column with its cast, aggregate and name."""
    expression = "*" if planned.aggregate and planned.field.name == "*" else field(prefix, planned.field, parameters)
    shown = planned.field.to_json if not planned.aggregate else None
    expression = _cast(f"{shown}({expression})" if shown else expression, planned.cast)
    if planned.aggregate:
        expression = _cast(f"{planned.aggregate}({expression})", planned.aggregate_cast)
    named = planned.alias or planned.aggregate or (planned.field.name if shown else None)
    return f"{expression} AS {quote_identifier(named)}" if named else expression


def hoisted(prefix: str, name: str, planned: PlannedColumn) -> str:
    """An aggregate of a spread, over the column its rows show as `name`; `count()` counts the rows that are there."""
    inner = f"{prefix}.*" if planned.field.name == "*" else column(prefix, name)
    return f"{_cast(f'{planned.aggregate}({inner})', planned.aggregate_cast)} AS {quote_identifier(name)}"


def _cast(expression: str, type_name: str | None) -> str:
    # The grammar allows only letters, digits, _, $ and blanks in a type's name, so it can't end the cast.
    return f"CAST({expression} AS {type_name})" if type_name else expression


def _step(step: JsonStep, parameters: Parameters) -> str:
    arrow = "->>" if step.as_text else "->"
    return f"{arrow}{parameters.literal(step.key)}{'::int' if step.is_index else ''}"
