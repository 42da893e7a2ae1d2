"""Plans as SQL text, without a database."""

from __future__ import annotations

import pytest
from minato.config.rest import RestSettings
from minato.rest.errors import RestError
from minato.rest.parse.api_request import RawRequest, parse_request
from minato.rest.plan.action import plan_action
from minato.rest.schema_cache.model import Cardinality, Column, QualifiedName, Relationship, SchemaCache, Table
from minato.rest.schema_cache.relationships import inverse
from minato.rest.sql.statement import Statement, build_statement

CARS, MAKERS = QualifiedName("public", "cars"), QualifiedName("public", "makers")
SETTINGS = RestSettings(db_max_rows=None, db_schemas="public")
MADE_BY = Relationship(CARS, MAKERS, Cardinality.MANY_TO_ONE, "cars_maker_fkey", (("maker_id", "id"),))


def table(called: QualifiedName, /, **types: str) -> Table:
    columns = {column: Column(column, kind, kind) for column, kind in types.items()}
    return Table(called, columns, primary_key=("id",))


CACHE = SchemaCache(
    tables={
        CARS: table(CARS, id="integer", maker_id="integer", name="text", tags="text[]", data="jsonb"),
        MAKERS: table(MAKERS, id="integer", name="text"),
    },
    relationships={CARS: (MADE_BY,), MAKERS: (inverse(MADE_BY),)},
)


def statement(method: str, path: str, body: bytes = b"", prefer: str = "") -> Statement:
    target, _, query = path.partition("?")
    raw = RawRequest(method, target.encode(), query.encode(), [(b"prefer", prefer.encode())], body)
    request = parse_request(raw, SETTINGS)
    return build_statement(request, plan_action(request, CACHE, SETTINGS), SETTINGS.db_max_rows)


def source(made: Statement) -> str:
    """What stands in the first CTE."""
    return made.text.removeprefix("WITH pgrst_source AS (").partition(") SELECT NULL::int8 AS total")[0]


@pytest.mark.parametrize(
    ("path", "sql", "values"),
    [
        ("/cars", 'SELECT "public"."cars".* FROM "public"."cars"', ()),
        (
            "/cars?select=id,n:name::text&id=gt.3",
            'SELECT "public"."cars"."id", CAST("public"."cars"."name" AS text) AS "n" FROM "public"."cars" '
            'WHERE "public"."cars"."id" > $1',
            ("3",),
        ),
        (
            "/cars?select=data->>a&tags=cs.{x}&limit=2&offset=1",
            'SELECT * FROM (SELECT "public"."cars"."data"->>$1 AS "a" FROM "public"."cars" '
            'WHERE "public"."cars"."tags" @> $2 LIMIT 4) AS "pgrst_window" LIMIT $3 OFFSET $4',
            ("a", "{x}", "2", "1"),
        ),
        (
            "/cars?select=id&id=not.in.(1,2)&order=name.desc",
            'SELECT "public"."cars"."id" FROM "public"."cars" WHERE NOT "public"."cars"."id" IN '
            '($1, $2, $3, $4) ORDER BY "public"."cars"."name" DESC',
            ("1", "2", "2", "2"),
        ),
        (
            "/cars?select=id&tags=in.({a})",
            'SELECT "public"."cars"."id" FROM "public"."cars" WHERE "public"."cars"."tags" = ANY ($1)',
            ('{"{a}"}',),
        ),
        (
            "/cars?select=id,makers(name)&makers.name=eq.x",
            'SELECT "public"."cars"."id", row_to_json("makers_1_rows".*)::jsonb AS "makers" FROM "public"."cars" '
            'LEFT JOIN LATERAL (SELECT "makers_1"."name" FROM "public"."makers" AS "makers_1" '
            'WHERE "makers_1"."id" = "public"."cars"."maker_id" AND "makers_1"."name" = $1) '
            'AS "makers_1_rows" ON TRUE',
            ("x",),
        ),
        (
            "/makers?select=id,cars!inner(id)",
            'SELECT "public"."makers"."id", COALESCE("cars_1_rows"."cars_1_rows", \'[]\') AS "cars" '
            'FROM "public"."makers" INNER JOIN LATERAL (SELECT json_agg("cars_1_rows")::jsonb AS "cars_1_rows" '
            'FROM (SELECT "cars_1"."id" FROM "public"."cars" AS "cars_1" '
            'WHERE "cars_1"."maker_id" = "public"."makers"."id") AS "cars_1_rows") '
            'AS "cars_1_rows" ON "cars_1_rows"."cars_1_rows" IS NOT NULL',
            (),
        ),
    ],
)
def test_reads(path: str, sql: str, values: tuple[str, ...]) -> None:
    made = statement("GET", path)
    assert source(made) == sql
    assert made.values == values


@pytest.mark.parametrize(
    ("method", "path", "body", "prefer", "sql"),
    [
        (
            "POST",
            "/makers",
            b'{"name":"x"}',
            "",
            'INSERT INTO "public"."makers"("name") SELECT "pgrst_body"."name" FROM json_to_record($1::json) '
            'AS "pgrst_body"("name" text) RETURNING 1',
        ),
        (
            "PATCH",
            "/makers?id=eq.1",
            b'{"name":"x"}',
            "",
            'UPDATE "public"."makers" SET "name" = "pgrst_body"."name" FROM json_to_record($1::json) '
            'AS "pgrst_body"("name" text) WHERE "public"."makers"."id" = $2 RETURNING 1',
        ),
        (
            "DELETE",
            "/makers?id=eq.1&select=name",
            b"",
            "return=representation",
            'DELETE FROM "public"."makers" WHERE "public"."makers"."id" = $1 '
            'RETURNING "public"."makers"."name", "public"."makers"."id"',
        ),
    ],
)
def test_writes(method: str, path: str, body: bytes, prefer: str, sql: str) -> None:
    assert source(statement(method, path, body, prefer)) == sql


def test_the_text_depends_on_the_shape_of_the_request_alone() -> None:
    one, other = statement("GET", "/cars?id=eq.1&name=like.a*"), statement("GET", "/cars?id=eq.2&name=like.b*")
    assert one.text == other.text
    assert one.values != other.values


def test_values_never_stand_in_the_text() -> None:
    made = statement("GET", "/cars?name=eq.xyzzy&data->>plugh=eq.plover&or=(name.in.(frobnicate),id.eq.1)")
    assert not any(word in made.text for word in ("xyzzy", "plugh", "plover", "frobnicate"))


def test_only_what_the_schema_of_the_request_exposes_can_be_embedded() -> None:
    elsewhere = QualifiedName("other", "rentals")
    rented = Relationship(CARS, elsewhere, Cardinality.ONE_TO_MANY, "rentals_car_fkey", (("id", "car_id"),))
    cache = SchemaCache(tables=CACHE.tables, relationships={CARS: (rented,), elsewhere: (inverse(rented),)})
    request = parse_request(RawRequest("GET", b"/cars", b"select=rentals(id)", []), SETTINGS)
    with pytest.raises(RestError) as refused:
        plan_action(request, cache, SETTINGS)
    assert refused.value.code == "PGRST200"
