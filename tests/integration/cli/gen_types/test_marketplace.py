"""The types follow the database: what a column may hold, what an insert needs, what a function takes and gives."""

from __future__ import annotations

import re
from pathlib import Path

import asyncpg
import pytest
from minato.cli.gen_types.catalog import load_catalog
from minato.cli.gen_types.typescript import render_types
from minato.database.address import DatabaseAddress

SCHEMA = """
create schema shop;
create type shop.mood as enum ('very good', 'bad');
create table shop.people (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    age int,
    mood shop.mood not null,
    tags text[] not null default '{}',
    shout text generated always as (name || '!') stored,
    number bigint generated always as identity,
    "odd name" jsonb
);
create table shop.badges (id bigint primary key, person uuid not null unique references shop.people);
create view shop.names as select name from shop.people;
create view shop.counted as select count(*) as total from shop.people;
create function shop.find(wanted text, at_most int default 5) returns setof shop.people
    language sql as 'select * from shop.people';
create function shop.pairs() returns table (x int, y text[]) language sql as 'select 1, null::text[]';
create function shop.forget(what jsonb) returns void language sql as 'select';
"""


@pytest.fixture
async def types(address: DatabaseAddress) -> str:
    """What is generated for `SCHEMA`, with every run of white space as one space."""
    connection = await asyncpg.connect(address.admin)
    await connection.execute(SCHEMA)
    await connection.close()
    return re.sub(r"\s+", " ", render_types(load_catalog(address.admin, "shop")))


@pytest.mark.parametrize(
    "fragment",
    [
        # A row: nullable columns say so, enums and arrays keep their types.
        'Row: { age: number | null; id: string; mood: Database["shop"][\'Enums\']["mood"]; name: string; '
        'number: number; "odd name": Json | null; shout: string | null; tags: string[]; };',
        # An insert: required is what has no default; what the database computes can't be given.
        'Insert: { age?: number | null; id?: string; mood: Database["shop"][\'Enums\']["mood"]; name: string; '
        'number?: never; "odd name"?: Json | null; shout?: never; tags?: string[]; };',
        'Relationships: [{ foreignKeyName: "badges_person_fkey"; columns: ["person"]; isOneToOne: true; '
        'referencedRelation: "people"; referencedColumns: ["id"]; }];',
        "names: { Row: { name: string | null; }; Insert: { name?: string | null; };",
        "counted: { Row: { total: number | null; }; Relationships: []; };",
        "find: { Args: { wanted: string; at_most?: number; }; "
        "Returns: Database[\"shop\"]['Tables'][\"people\"]['Row'][]; };",
        "pairs: { Args: Record<PropertyKey, never>; Returns: { x: number; y: string[]; }[]; };",
        "forget: { Args: { what: Json; }; Returns: undefined; };",
        'Enums: { mood: "very good" | "bad"; };',
    ],
)
async def test_types_say_what_the_database_says(types: str, fragment: str) -> None:
    assert fragment in types


def bare(text: str) -> str:
    """TypeScript without what a formatter may add or take away."""
    return re.sub(r"""[\s;,|()'"]""", "", text)


def test_the_web_apps_types_are_those_of_the_newest_migration(address: DatabaseAddress) -> None:
    checked_in = Path(__file__).parents[3] / "web/src/lib/database.types.ts"
    generated = render_types(load_catalog(address.admin, "public"))
    assert bare(checked_in.read_text()) == bare(generated), "run `make types`"
