"""The whole file: a constant for every type, and `Database` that finds them by their names in the database."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from minato.cli.gen_types.calls import Calls
from minato.cli.gen_types.model import Argument, Catalog, Column, Function, Relation, Type
from minato.cli.gen_types.resolve import Resolver
from minato.cli.gen_types.typescript.syntax import key
from minato.cli.gen_types.zod.names import Names, names_of, section
from minato.cli.gen_types.zod.types import Checks, enum, nullable

_HEAD: Final = """\
import * as z from "zod"

export const Json = z.json()
export type Json = z.infer<typeof Json>
"""
# A line of an object: its key, what checks it, and whether that may refer to what comes later.
Line = tuple[str, str, bool]


def render_zod(catalog: Catalog) -> str:
    """TypeScript for zod 4."""
    names = names_of(catalog)
    printer = _Printer(Checks(Resolver(catalog), names), names)
    constants = [text for schema in catalog.schemas for text in printer.enums(schema)]
    constants += [text for schema in catalog.schemas for text in printer.rows(schema)]
    schemas = [f"  {key(schema)}: {_braced(printer.sections(schema), 2)}," for schema in catalog.schemas]
    database = "\n".join(["export const Database = {", *schemas, "} as const\n"])
    return "\n".join([_HEAD, *constants, database])


@dataclass(frozen=True)
class _Printer:
    checks: Checks
    names: Names

    def enums(self, schema: str) -> Iterable[str]:
        for one in self.checks.resolver.catalog.enums(schema):
            yield _constant(self._name("Enums", one), enum(one.enums))

    def rows(self, schema: str) -> Iterable[str]:
        catalog = self.checks.resolver.catalog
        for composite in catalog.composites(schema):
            yield _constant(self._name("CompositeTypes", composite), _object(self._attributes(composite)))
        for relation in catalog.relations:
            if relation.schema == schema:
                yield from self._relation(relation)

    def sections(self, schema: str) -> list[str]:
        catalog = self.checks.resolver.catalog
        relations = [one for one in catalog.relations if one.schema == schema]
        functions = Calls(self.checks.resolver).callable(schema)
        entries: dict[str, list[str]] = {
            "Tables": [self._entry(one) for one in relations if not one.is_view],
            "Views": [self._entry(one) for one in relations if one.is_view],
            "Functions": [
                f"{key(name)}: {self._overloads(list(ones))},"
                for name, ones in groupby(functions, key=lambda one: one.name)
            ],
            "Enums": [f"{key(one.name)}: {self._name('Enums', one)}," for one in catalog.enums(schema)],
            "CompositeTypes": [
                f"{key(one.name)}: {self._name('CompositeTypes', one)}," for one in catalog.composites(schema)
            ],
        }
        return [f"{name}: {_braced(lines, 4)}," for name, lines in entries.items()]

    def _relation(self, relation: Relation) -> Iterable[str]:
        name = self._name(section(relation), relation)
        yield _constant(f"{name}Row", _object([self._read(column) for column in relation.columns]))
        for operation in _operations(relation):
            lines = [self._written(column, relation, operation) for column in relation.columns]
            yield _constant(f"{name}{operation}", _object(lines))

    def _entry(self, relation: Relation) -> str:
        name = self._name(section(relation), relation)
        parts = [f"{each}: {name}{each}" for each in ("Row", *_operations(relation))]
        return f"{key(relation.name)}: {{ {', '.join(parts)} }},"

    def _overloads(self, functions: Sequence[Function]) -> str:
        """Of several functions of one name, a request may be for any."""
        taken = [_inline_object([self._argument(one) for one in function.inputs]) for function in functions]
        given = list(dict.fromkeys(self._returned(function) for function in functions))
        return f"{{ Args: {_either(list(dict.fromkeys(taken)))}, Returns: {_either(given)} }}"

    def _returned(self, function: Function) -> str:
        columns = [one for one in function.arguments if one.mode == "t"]
        outs = [one for one in function.arguments if one.mode in "ob"]
        if columns or len(outs) > 1:
            lines = [(key(one.name), nullable(self.checks.of_id(one.type_id)), False) for one in columns or outs]
            value = _inline_object(lines)
        else:
            value = self.checks.of_id(function.return_type_id)
        is_value = function.return_relation_id is None and not columns and len(outs) < 2
        item = nullable(value) if is_value or not function.returns_set else value
        return f"z.array({item})" if function.returns_set else item

    def _argument(self, one: Argument) -> Line:
        # A function may be called with null for anything.
        check = nullable(self.checks.of_id(one.type_id))
        return key(one.name), f"{check}.optional()" if one.has_default else check, False

    def _attributes(self, composite: Type) -> list[Line]:
        known = self.checks.resolver.catalog.types_by_id
        types = [known[one.type_id] for one in composite.attributes]
        return [
            (key(one.name), nullable(self.checks.of(found.name, found.schema)), self._is_row(found.name, found.schema))
            for one, found in zip(composite.attributes, types, strict=True)
        ]

    def _read(self, column: Column) -> Line:
        return key(column.name), self.checks.column(column), self._is_row(column.type_name, column.type_schema)

    def _written(self, column: Column, relation: Relation, operation: str) -> Line:
        if not (column.is_updatable if relation.is_view else column.is_written):
            return key(column.name), "z.never().optional()", False
        name, check, is_row = self._read(column)
        is_optional = relation.is_view or operation == "Update" or column.is_optional
        return name, f"{check}.optional()" if is_optional else check, is_row

    def _is_row(self, name: str, schema: str) -> bool:
        return self.checks.is_row(name, schema)

    def _name(self, kind: str, found: Type | Relation) -> str:
        return self.names.given[kind, found.schema, found.name]


def _operations(relation: Relation) -> list[str]:
    if not relation.is_view:
        return ["Insert", "Update"]
    return ["Insert"] * relation.is_insertable + ["Update"] * relation.is_updatable


def _constant(name: str, check: str) -> str:
    return f"export const {name} = {check}\nexport type {name} = z.infer<typeof {name}>\n"


def _object(lines: Sequence[Line]) -> str:
    """What may come later is looked at when it is asked for."""
    shown = [
        f"  get {name}() {{ return {check} }}," if is_later else f"  {name}: {check},"
        for name, check, is_later in lines
    ]
    return "z.object({\n" + "".join(f"{line}\n" for line in shown) + "})"


def _inline_object(lines: Sequence[Line]) -> str:
    return f"z.object({{ {', '.join(f'{name}: {check}' for name, check, _ in lines)} }})" if lines else "z.object({})"


def _either(checks: Sequence[str]) -> str:
    return checks[0] if len(checks) == 1 else f"z.union([{', '.join(checks)}])"


def _braced(lines: Sequence[str], indent: int) -> str:
    if not lines:
        return "{}"
    inner = "".join(f"{' ' * (indent + 2)}{line}\n" for line in lines)
    return f"{{\n{inner}{' ' * indent}}}"
