"""What stands behind `Database`: short names for what is in it, and the values of the enums."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from minato.cli.gen_types.model import Catalog, Type
from minato.cli.gen_types.typescript.layout import layout
from minato.cli.gen_types.typescript.syntax import STEP, Text, Tuple, key, quoted, width

# Short for the names in the lines below: the schemas, the default schema, the parameter as an index of each.
_ALL: Final = "DatabaseWithoutInternals"
_DEFAULT: Final = "DefaultSchema"
_HEAD: Final = f"""
type {_ALL} = Omit<Database, "__InternalSupabase">

type {_DEFAULT} = {_ALL}[Extract<keyof Database, "public">]
"""


def helper_types() -> str:
    """`Tables`, `TablesInsert`, `TablesUpdate`, `Enums` and `CompositeTypes`; the default schema is `public`."""
    written = "".join(_written(name, shape) for name, shape in (("TablesInsert", "Insert"), ("TablesUpdate", "Update")))
    listed = _listed("Enums", "DefaultSchemaEnumNameOrOptions", "EnumName")
    listed += _listed("CompositeTypes", "PublicCompositeTypeNameOrOptions", "CompositeTypeName")
    return f"{_HEAD}{_rows()}{written}{listed}"


def constants(catalog: Catalog) -> str:
    """The values of every enum, for programs that run."""
    lines = [f"  {key(schema)}: {{\n    Enums: {_enums(catalog.enums(schema))},\n  }},\n" for schema in catalog.schemas]
    return f"\nexport const Constants = {{{_braced(''.join(lines))}}} as const\n"


def _braced(lines: str) -> str:
    return f"\n{lines}" if lines else ""


def _enums(enums: Sequence[Type]) -> str:
    shown = [f"{' ' * 6}{_enum(enum)},\n" for enum in enums]
    return f"{{\n{''.join(shown)}    }}" if shown else "{}"


def _enum(enum: Type) -> str:
    head, indent = f"{key(enum.name)}: ", 3 * STEP
    values = Tuple([Text(quoted(label)) for label in enum.enums])
    return head + layout(values, indent + width(head), indent, tail=1)


def _rows() -> str:
    name, entry = "DefaultSchemaTableNameOrOptions", "TableName"
    both = f'{_DEFAULT}["Tables"] & {_DEFAULT}["Views"]'
    tables = f'{_ALL}[{name}["schema"]]["Tables"]'
    views = f'{_ALL}[{name}["schema"]]["Views"]'
    return f"""
export type Tables<
  {name} extends
    | keyof ({both})
    | {{ schema: keyof {_ALL} }},
  {entry} extends ({name} extends {{
    schema: keyof {_ALL}
  }}
    ? keyof ({tables} &
        {views})
    : never) = never,
> = {name} extends {{
  schema: keyof {_ALL}
}}
  ? ({tables} &
      {views})[{entry}] extends {{
      Row: infer R
    }}
    ? R
    : never
  : {name} extends keyof ({_DEFAULT}["Tables"] &
        {_DEFAULT}["Views"])
    ? ({_DEFAULT}["Tables"] &
        {_DEFAULT}["Views"])[{name}] extends {{
        Row: infer R
      }}
      ? R
      : never
    : never
"""


def _parameters(exported: str, section: str, name: str, entry: str) -> str:
    """The head of a type: a name in the default schema, or a schema and a name in it."""
    return f"""
export type {exported}<
  {name} extends
    | keyof {_DEFAULT}["{section}"]
    | {{ schema: keyof {_ALL} }},
  {entry} extends ({name} extends {{
    schema: keyof {_ALL}
  }}
    ? keyof {_ALL}[{name}["schema"]]["{section}"]
    : never) = never,
> = {name} extends {{
  schema: keyof {_ALL}
}}
"""


def _written(exported: str, shape: str) -> str:
    name, entry, letter = "DefaultSchemaTableNameOrOptions", "TableName", shape[0]
    return f"""{_parameters(exported, "Tables", name, entry)}\
  ? {_ALL}[{name}["schema"]]["Tables"][{entry}] extends {{
      {shape}: infer {letter}
    }}
    ? {letter}
    : never
  : {name} extends keyof {_DEFAULT}["Tables"]
    ? {_DEFAULT}["Tables"][{name}] extends {{
        {shape}: infer {letter}
      }}
      ? {letter}
      : never
    : never
"""


def _listed(section: str, name: str, entry: str) -> str:
    return f"""{_parameters(section, section, name, entry)}\
  ? {_ALL}[{name}["schema"]]["{section}"][{entry}]
  : {name} extends keyof {_DEFAULT}["{section}"]
    ? {_DEFAULT}["{section}"][{name}]
    : never
"""
