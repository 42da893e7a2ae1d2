"""Swift: an enum a schema, in it the enums and a struct for what is read, inserted and updated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from minato.cli.gen_types.model import Catalog, Column, Relation, Type
from minato.cli.gen_types.names import camel, pascal
from minato.cli.gen_types.order import by_relation_name

_STRINGS: Final = ("bytea", "bpchar", "varchar", "text", "citext", "interval", "vector")
_TIMES: Final = ("date", "time", "timetz", "timestamp", "timestamptz")
_BASE: Final = {
    "bool": "Bool",
    "int2": "Int16",
    "int4": "Int32",
    "int8": "Int64",
    "float4": "Float",
    "float8": "Double",
    **dict.fromkeys(("numeric", "decimal"), "Decimal"),
    "uuid": "UUID",
    **dict.fromkeys((*_STRINGS, *_TIMES), "String"),
    **dict.fromkeys(("json", "jsonb"), "AnyJSON"),
    "void": "Void",
    "record": "JSONObject",
}
_KEYWORDS: Final = frozenset({"in", "default", "case"})
_ESCAPED: Final = {"\\": "\\\\", '"': '\\"', "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_INVISIBLE: Final = frozenset({"\x7f", "\u2028", "\u2029"})
_CODABLE: Final = ("Codable", "Hashable", "Sendable")


def render_swift(catalog: Catalog, access_control: str = "internal") -> str:
    """The file; `access_control` stands before every declaration."""
    printer = _Printer(catalog, access_control)
    lines = ["import Foundation", "import Supabase", ""]
    for schema in catalog.schemas:
        lines += [f"{access_control} enum {_type_name(schema)}Schema {{", *printer.schema(schema), "}"]
    return "\n".join(lines)


@dataclass(frozen=True)
class _Property:
    """One of a struct; `raw` is its name in the database."""

    name: str
    type: str
    raw: str
    is_identity: bool = False


@dataclass(frozen=True)
class _Printer:
    catalog: Catalog
    access: str

    def schema(self, schema: str) -> Iterable[str]:
        relations = by_relation_name(one for one in self.catalog.relations if one.schema == schema)
        for enum in self.catalog.enums(schema):
            cases = [(_property_name(label), label) for label in enum.enums]
            yield from self._enum(_type_name(enum.name), ("String", *_CODABLE), cases, 1)
        for operation, is_view in (("", False), ("Select", True)):
            for relation in (one for one in relations if one.is_view == is_view):
                for each in (operation,) if operation else ("Select", "Insert", "Update"):
                    yield from self._relation(relation, each)
        for composite in self.catalog.composites(schema):
            yield from self._composite(composite)

    def _relation(self, relation: Relation, operation: str) -> list[str]:
        properties = [
            _Property(
                _property_name(column.name),
                self._type(column.type_name) + ("?" if _is_nullable(column, operation) else ""),
                column.name,
                column.is_identity,
            )
            for column in relation.columns
        ]
        return self._struct(f"{_type_name(relation.name)}{operation}", properties)

    def _composite(self, composite: Type) -> list[str]:
        """Attributes are looked up by the name that PostgreSQL shows, which is not the catalogue's for most types."""
        formats = [self.catalog.types_by_id[one.type_id].format for one in composite.attributes]
        properties = [
            _Property(_type_name(one.name), self._type(shown), one.name)
            for one, shown in zip(composite.attributes, formats, strict=True)
        ]
        return self._struct(_type_name(composite.name), properties)

    def _struct(self, name: str, properties: Sequence[_Property]) -> list[str]:
        identity = next((one for one in properties if one.is_identity), None)
        conforms = (*_CODABLE, "Identifiable") if identity else _CODABLE
        lines = [f"  {self.access} struct {name}: {', '.join(conforms)} {{"]
        if identity and identity.name != "id":
            lines.append(f"    {self.access} var id: {identity.type} {{ {identity.name} }}")
        lines += [f"    {self.access} let {one.name}: {one.type}" for one in properties]
        if properties:
            lines += self._enum("CodingKeys", ("String", "CodingKey"), [(one.name, one.raw) for one in properties], 2)
        return [*lines, "  }"]

    def _enum(self, name: str, conforms: Sequence[str], cases: Sequence[tuple[str, str]], level: int) -> list[str]:
        indent = "  " * level
        listed = [f"{indent}  case {case} = {_literal(raw)}" for case, raw in cases]
        return [f"{indent}{self.access} enum {name}: {', '.join(conforms)} {{", *listed, f"{indent}}}"]

    def _type(self, name: str) -> str:
        if name in _BASE:
            return _BASE[name]
        if name.startswith("_"):
            return f"[{self._type(name[1:])}]"
        if name in self._enums:
            return _type_name(name)
        return f"{_type_name(name)}Select" if name in self._names else "AnyJSON"

    @cached_property
    def _enums(self) -> frozenset[str]:
        return frozenset(one.name for one in self.catalog.types if one.enums)

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(one.name for one in self.catalog.types)


def _is_nullable(column: Column, operation: str) -> bool:
    left_out = operation == "Insert" and (column.is_optional or column.is_generated)
    return column.is_nullable or left_out or operation == "Update"


def _type_name(name: str) -> str:
    """In Pascal's case; a leading underscore stays."""
    return "_" + pascal(name[1:]) if name.startswith("_") else pascal(name)


def _property_name(name: str) -> str:
    shown = camel(name)
    return f"`{shown}`" if shown in _KEYWORDS else shown


def _literal(value: str) -> str:
    return '"' + "".join(_escaped(character) for character in value) + '"'


def _escaped(character: str) -> str:
    if (character < " " and character not in _ESCAPED) or character in _INVISIBLE:
        return f"\\u{{{ord(character):x}}}"
    return _ESCAPED.get(character, character)
