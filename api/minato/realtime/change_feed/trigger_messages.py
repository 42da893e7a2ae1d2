"""Reads what `minato.tell_change` says of a row: JSON with the table's columns, and the rows as row literals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

import orjson

from minato.json_text import JsonMapping
from minato.realtime.change_feed.base import Action, Change, Column, Relation, Row

# The message comes at its commit; whoever is subscribed by then is meant.
ALWAYS = (1 << 64) - 1
XIDS = 1 << 32
FIELD = re.compile(r'"((?:[^"\\]|""|\\.)*)"|([^,")\\]*)', re.DOTALL)
QUOTED = re.compile(r'""|\\(.)', re.DOTALL)


class UnreadableMessage(Exception):
    """A notification that no trigger of ours sent."""


class TriggerDecoder:
    """Turns messages into changes. A table stays the same `Relation` until something about it changes."""

    def __init__(self) -> None:
        self._relations: dict[int, tuple[bytes, Relation]] = {}

    def decode(self, message: bytes, committed_at: datetime) -> Change:
        """The change `message` tells of. Raises UnreadableMessage."""
        try:
            told = orjson.loads(message)
            action = Action(told["action"])
            old, new = (_row(told, which) for which in ("old", "new"))
            identity = {name for name, _, is_identity, is_published in told["columns"] if is_identity and is_published}
            return Change(
                self._relation(told),
                action,
                None if action is Action.DELETE else new,
                None if action is Action.INSERT else {n: v for n, v in old.items() if n in identity},
                int(told["xid"]) % XIDS,
                ALWAYS,
                committed_at,
                int(told["size"]),
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise UnreadableMessage(repr(error)) from error

    def _relation(self, told: JsonMapping) -> Relation:
        fields = {key: told[key] for key in ("oid", "schema", "table", "columns", "version")}
        description, oid = orjson.dumps(fields), int(told["oid"])
        known = self._relations.get(oid)
        if known is not None and known[0] == description:
            return known[1]
        columns = tuple(Column(name, type_oid, is_id) for name, type_oid, is_id, shown in told["columns"] if shown)
        relation = Relation(oid, told["schema"], told["table"], columns)
        self._relations[oid] = description, relation
        return relation


def _row(told: JsonMapping, which: str) -> Row:
    """The published columns of the new or the old row; of rows too large, only short values are there."""
    literal = told[which]
    short = told.get(f"short_{which}") or {}
    names = [(name, is_published) for name, _, _, is_published in told["columns"]]
    if literal is None:
        return {name: short[name] for name, is_published in names if is_published and name in short}
    values = list(parse_row(literal))
    return {name: value for (name, is_published), value in zip(names, values, strict=True) if is_published}


def parse_row(literal: str) -> Iterator[str | None]:
    r"""The fields of a row literal, None for NULL. Raises ValueError.

    >>> list(parse_row('(1,,"a ""b"" \\\\ c","")'))
    ['1', None, 'a "b" \\ c', '']
    """
    if not (literal.startswith("(") and literal.endswith(")")):
        raise ValueError("no row literal")
    position, end = 1, len(literal) - 1
    while True:
        field = FIELD.match(literal, position, end)
        if field is None:
            raise ValueError("no field")
        quoted, plain = field.groups()
        yield _unquote(quoted) if quoted is not None else plain or None
        position = field.end()
        if position == end:
            return
        if literal[position] != ",":
            raise ValueError("no comma between fields")
        position += 1


def _unquote(text: str) -> str:
    if '"' not in text and "\\" not in text:
        return text
    return QUOTED.sub(lambda found: found.group(1) or '"', text)
