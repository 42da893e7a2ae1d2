"""A table, an enum and a function in every language, printed from a catalogue made by hand."""

from __future__ import annotations

import pytest
from minato.cli.gen_types.languages import Style, render
from minato.cli.gen_types.model import Argument, Catalog, Column, Function, Kind, Relation, Type
from minato.cli.gen_types.order import sort_catalog
from minato.cli.gen_types.zod.names import Names

INT, SIZE = 23, 900
SHIRTS = Relation(
    id=1000,
    schema="shop",
    name="odd shirts",
    kind=Kind.TABLE,
    is_insertable=False,
    is_updatable=False,
    columns=[
        Column("id", "int8", "pg_catalog", False, True, True, False, True, False),
        Column("size", "size", "shop", True, False, False, False, True, False),
    ],
)
CATALOG = sort_catalog(
    Catalog(
        schemas=["shop"],
        relations=[SHIRTS],
        relationships=[],
        functions=[
            Function(1, "shop", "count", [Argument("i", "of", SIZE, True)], "", "", INT, "integer", None, False, None)
        ],
        types=[
            Type(INT, "pg_catalog", "int4", "integer", [], [], None),
            Type(SIZE, "shop", "size", "shop.size", ["s", 'x"l'], [], None),
        ],
    )
)


@pytest.mark.parametrize(
    ("language", "fragments"),
    [
        (
            "typescript",
            [
                '      "odd shirts": {\n        Row: {\n          id: number\n'
                '          size: Database["shop"]["Enums"]["size"] | null\n',
                "        Insert: {\n          id?: never\n",
                '      count: {\n        Args: { of?: Database["shop"]["Enums"]["size"] }\n        Returns: number\n',
                '      size: "s" | \'x"l\'\n',
                "    Views: {\n      [_ in never]: never\n    }\n",
            ],
        ),
        (
            "python",
            [
                'ShopSize: TypeAlias = Literal["s", "x\\"l"]\n\nclass ShopOddShirts(BaseModel):\n'
                '    id: int = Field(alias="id")\n    size: Optional[ShopSize] = Field(alias="size")\n\n'
                "class ShopOddShirtsInsert(TypedDict):\n"
                '    id: NotRequired[Annotated[int, Field(alias="id")]]\n',
            ],
        ),
        ("go", ['type ShopOddShirtsSelect struct {\n  Id   int64   `json:"id"`\n  Size *string `json:"size"`\n}']),
        (
            "swift",
            [
                "internal enum ShopSchema {\n  internal enum Size: String, Codable, Hashable, Sendable {\n"
                '    case s = "s"\n    case xL = "x\\"l"\n  }\n'
                "  internal struct OddShirtsSelect: Codable, Hashable, Sendable, Identifiable {\n"
                "    internal let id: Int64\n    internal let size: Size?\n",
            ],
        ),
        (
            "zod",
            [
                "export const ShopOddShirtsRow = z.object({\n  id: z.number(),\n  size: ShopSize.nullable(),\n})\n",
                "export const ShopOddShirtsInsert = z.object({\n  id: z.never().optional(),\n",
                "count: { Args: z.object({ of: ShopSize.nullable().optional() }), Returns: z.int().nullable() },",
                '"odd shirts": { Row: ShopOddShirtsRow, Insert: ShopOddShirtsInsert, Update: ShopOddShirtsUpdate },',
            ],
        ),
    ],
)
def test_every_language_says_the_same(language: str, fragments: list[str]) -> None:
    text = render(CATALOG, language, Style())
    assert [fragment for fragment in fragments if fragment not in text] == []


def test_constants_that_would_have_one_name_have_two() -> None:
    names = Names()
    things = [("Tables", "s", "notes"), ("Tables", "s", "notes_row"), ("Enums", "s", "Notes"), ("Enums", "s", "1")]
    assert [names.give(thing) for thing in things] == ["SNotes", "SNotesRow2", "SNotes2", "S1"]
