"""One operator, one fragment: filters and logic as SQL conditions."""

from __future__ import annotations

from collections.abc import Callable

from api.rest.parse.syntax import Comparison, FullText, InList, IsTest
from api.rest.plan.types import Condition, EmbedTest, PlannedField, PlannedFilter, PlannedGroup
from api.rest.sql.fields import field
from api.rest.sql.parameters import Parameters

OPERATORS = {
    "eq": "=",
    "neq": "<>",
    "gt": ">",
    "gte": ">=",
    "lt": "<",
    "lte": "<=",
    "like": "like",
    "ilike": "ilike",
    "match": "~",
    "imatch": "~*",
    "isdistinct": "IS DISTINCT FROM",
    "cs": "@>",
    "cd": "<@",
    "ov": "&&",
    "sl": "<<",
    "sr": ">>",
    "nxr": "&<",
    "nxl": "&>",
    "adj": "-|-",
}
PATTERNS = ("like", "ilike", "match", "imatch")
FULL_TEXT = {
    "fts": "to_tsquery",
    "plfts": "plainto_tsquery",
    "phfts": "phraseto_tsquery",
    "wfts": "websearch_to_tsquery",
}
IS_WORDS = {"null": "NULL", "not_null": "NOT NULL", "true": "TRUE", "false": "FALSE", "unknown": "UNKNOWN"}

EmbedExists = Callable[[EmbedTest], str]


def condition(planned: Condition, prefix: str, parameters: Parameters, embed_exists: EmbedExists) -> str:
    """`planned` over the columns of `prefix`. `embed_exists` says how this statement sees whether an embed has rows."""
    if isinstance(planned, EmbedTest):
        return embed_exists(planned)
    if isinstance(planned, PlannedGroup):
        terms = (condition(term, prefix, parameters, embed_exists) for term in planned.terms)
        joined = f" {planned.operator.upper()} ".join(terms)
        return f"{'NOT ' if planned.negated else ''}({joined})"
    return _filter(planned, prefix, parameters)


def array_literal(values: tuple[str, ...]) -> str:
    r"""Values as a PostgreSQL array.

    >>> array_literal(("a", 'b"c'))
    '{"a","b\\"c"}'
    """
    escaped = (value.replace("\\", "\\\\").replace('"', '\\"') for value in values)
    return "{" + ",".join(f'"{value}"' for value in escaped) + "}"


def _filter(planned: PlannedFilter, prefix: str, parameters: Parameters) -> str:
    sql = _operation(planned, prefix, parameters)
    return f"NOT {sql}" if planned.negated else sql


def _operation(planned: PlannedFilter, prefix: str, parameters: Parameters) -> str:
    match planned.operation:
        case Comparison() as comparison:
            return f"{field(prefix, planned.field, parameters)} {_compared(comparison, planned.field, parameters)}"
        case InList(("",)):
            # Nothing is in it, whatever the type; null is not unknown here.
            return f"({field(prefix, planned.field, parameters)} IS NULL AND FALSE)"
        case InList(values):
            listed = _listed(values, planned.field, parameters)
            return f"{field(prefix, planned.field, parameters)} = ANY ({listed})"
        case IsTest(word):
            return f"{field(prefix, planned.field, parameters)} IS {IS_WORDS[word]}"
        case FullText() as full_text:
            return _full_text(full_text, planned.field, prefix, parameters)


def _compared(comparison: Comparison, planned: PlannedField, parameters: Parameters) -> str:
    operator = OPERATORS[comparison.operator]
    is_pattern = comparison.operator in PATTERNS
    value = comparison.value.replace("*", "%") if comparison.operator in ("like", "ilike") else comparison.value
    # A pattern is text whatever the column is.
    value_type = "text" if is_pattern else planned.type
    if planned.from_text is not None and not is_pattern:
        quantifier = comparison.quantifier.upper() if comparison.quantifier else ""
        return f"{operator} {quantifier}({planned.from_text}({parameters.text(value)}))"
    if comparison.quantifier is None:
        return f"{operator} {parameters.typed(value, value_type)}"
    return f"{operator} {comparison.quantifier.upper()}({parameters.typed(value, _array(value_type))})"


def _listed(values: tuple[str, ...], planned: PlannedField, parameters: Parameters) -> str:
    if planned.from_text is None:
        return parameters.typed(array_literal(values), _array(planned.type))
    read = (f"{planned.from_text}({parameters.text(value)})" for value in values)
    return f"ARRAY[{', '.join(read)}]"


def _array(type_name: str | None) -> str:
    return f"{type_name or 'text'}[]"


def _full_text(full_text: FullText, planned: PlannedField, prefix: str, parameters: Parameters) -> str:
    config = f"({parameters.text(full_text.config)})::regconfig, " if full_text.config else ""
    vector = field(prefix, planned, parameters)
    if planned.type not in ("tsvector", None):
        vector = f"to_tsvector({config}{vector})"
    return f"{vector} @@ {FULL_TEXT[full_text.operator]}({config}{parameters.text(full_text.value)})"
