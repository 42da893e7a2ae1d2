"""One operator, one fragment: filters and logic as SQL conditions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from minato.database.identifiers import array_literal
from minato.rest.parse.literals import MARK
from minato.rest.parse.syntax import Comparison, FullText, InList, IsTest, filled_up
from minato.rest.plan.types import Condition, EmbedTest, PlannedField, PlannedFilter, PlannedGroup
from minato.rest.sql.fields import Parameters, field

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


def _filter(planned: PlannedFilter, prefix: str, parameters: Parameters) -> str:
    sql = _operation(planned, prefix, parameters)
    return f"NOT {sql}" if planned.negated else sql


def _operation(planned: PlannedFilter, prefix: str, parameters: Parameters) -> str:
    match planned.operation:
        case Comparison("ilike", value, None) if planned.field.unindexed:
            return _caseless(value, planned.field, prefix, parameters)
        case Comparison() as comparison:
            return f"{field(prefix, planned.field, parameters)} {_compared(comparison, planned.field, parameters)}"
        case InList(("",)):
            return f"{field(prefix, planned.field, parameters)} = ANY('{{}}')"
        case InList(values):
            return f"{field(prefix, planned.field, parameters)} {_listed(values, planned.field, parameters)}"
        case IsTest(word):
            return f"{field(prefix, planned.field, parameters)} IS {IS_WORDS[word]}"
        case FullText() as full_text:
            return _full_text(full_text, planned.field, prefix, parameters)


def _compared(comparison: Comparison, planned: PlannedField, parameters: Parameters) -> str:
    """The operator and its operand, which is read as the column's type unless the domain has a cast of its own."""
    operator = OPERATORS[comparison.operator]
    is_like = comparison.operator in ("like", "ilike")
    value = parameters.literal(comparison.value.replace("*", "%") if is_like else comparison.value)
    if planned.from_text is not None and not is_like and comparison.operator != "isdistinct":
        value = f"{planned.from_text}({value})"
    return f"{operator} {comparison.quantifier.upper()}({value})" if comparison.quantifier else f"{operator} {value}"


def _caseless(value: str, planned: PlannedField, prefix: str, parameters: Parameters) -> str:
    """As ILIKE, which makes the pattern lower case anew for each row; only ILIKE can use an index (decision 0069)."""
    pattern = parameters.text(value.replace("*", "%"))
    return f"pg_catalog.lower({field(prefix, planned, parameters)}) LIKE (SELECT pg_catalog.lower({pattern}))"


def _listed(values: tuple[str, ...], planned: PlannedField, parameters: Parameters) -> str:
    """The operator and the values.

    Few are parameters of their own, because the planner counts them: it takes an array for one of ten, and plans each
    statement with fewer anew (decision 0037). Elsewhere many statements share the text with one array.
    """
    # A mark alone stands for a whole array.
    is_array = parameters.shows_windows or (len(values) == 1 and values[0].startswith(MARK))
    short = None if is_array else filled_up(values)
    if planned.from_text is not None:
        listed = f"{_array(values, short, parameters)}::text[]"
        return f"= ANY (SELECT {planned.from_text}(unnest({listed})))"
    if short is None or (planned.type or "").endswith("[]"):
        return f"= ANY ({parameters.literal(array_literal(values))})"
    return f"IN ({', '.join(map(parameters.literal, short))})"


def _array(values: tuple[str, ...], short: Sequence[str] | None, parameters: Parameters) -> str:
    if short is None:
        return parameters.literal(array_literal(values))
    return f"ARRAY[{', '.join(map(parameters.literal, short))}]"


def _full_text(full_text: FullText, planned: PlannedField, prefix: str, parameters: Parameters) -> str:
    vector = field(prefix, planned, parameters)
    if planned.type not in ("tsvector", None):
        vector = f"to_tsvector({_config(full_text, parameters)}{vector})"
    query = f"{_config(full_text, parameters)}{parameters.literal(full_text.value)}"
    return f"{vector} @@ {FULL_TEXT[full_text.operator]}({query})"


def _config(full_text: FullText, parameters: Parameters) -> str:
    return f"{parameters.literal(full_text.config)}, " if full_text.config else ""
