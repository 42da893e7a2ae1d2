"""The cases: one small request each, and the same work as hand-written SQL for pgbench.

Six are always the same question or ask for one row; the others are what people send every day, with other values each
time.
"""

from __future__ import annotations

from dataclasses import dataclass

OWNER = "00000000-0000-4000-8000-000000000042"
ITEM = '{"name":"bench","price":9.99}'


@dataclass(frozen=True)
class Case:
    """A request and its SQL; `rows` is how many the answer must hold, None where that depends.

    `{id}`, `{other}` and `{page}` in the path become random numbers: two ids, and an offset in steps of 25. In SQL they
    are `:id`, `:other` and `:page`.
    """

    name: str
    path: str
    sql: str
    rows: int | None
    signed_in: bool = False
    body: str | None = None
    prefer: str | None = None

    @property
    def writes(self) -> bool:
        return self.body is not None


def _read(query: str) -> str:
    return f"select coalesce(json_agg(t), '[]') from ({query}) t;"


_INSERT = (
    "insert into api.items (name, price)"
    f" select name, price from json_to_record('{ITEM}'::json) as x(name text, price numeric)"
)
_EMBED = (
    "select i.*, (select coalesce(json_agg(r), '[]') from api.reviews r where r.item_id = i.id) as reviews"
    " from api.items i limit 25"
)

_FILTERED = (
    "select i.*, (select coalesce(json_agg(r), '[]') from api.reviews r where r.item_id = i.id and r.rating >= 4)"
    " as reviews from api.items i where i.id >= :id order by i.id limit 10"
)

CASES = (
    Case("one row by id", "/items?id=eq.{id}", _read("select * from api.items where id = :id"), rows=1),
    Case(
        "25 rows, newest first",
        "/items?order=id.desc&limit=25",
        _read("select * from api.items order by id desc limit 25"),
        rows=25,
    ),
    Case("25 rows with embedded reviews", "/items?select=*,reviews(*)&limit=25", _read(_EMBED), rows=25),
    Case("100 rows under RLS", "/notes", _read("select * from api.notes"), rows=100, signed_in=True),
    Case("insert, minimal", "/items", f"{_INSERT};", rows=None, body=ITEM, prefer="return=minimal"),
    Case(
        "insert, representation",
        "/items",
        f"with n as ({_INSERT} returning *) select json_agg(n) from n;",
        rows=1,
        body=ITEM,
        prefer="return=representation",
    ),
    Case(
        "a page by offset",
        "/items?order=id&limit=25&offset={page}",
        _read("select * from api.items order by id limit 25 offset :page"),
        rows=25,
    ),
    Case(
        "one condition or another",
        "/items?or=%28id.eq.{id}%2Cid.eq.{other}%29",
        _read("select * from api.items where id = :id or id = :other"),
        rows=None,
    ),
    Case(
        "several by id",
        "/items?id=in.%28{id}%2C{other}%2C1%2C2%2C3%29",
        _read("select * from api.items where id = any (array[:id, :other, 1, 2, 3])"),
        rows=None,
    ),
    Case(
        "a search by pattern",
        "/items?name=ilike.*item+{id}*&limit=25",
        _read("select * from api.items where name ilike '%item ' || :id || '%' limit 25"),
        rows=None,
    ),
    Case(
        "a range with order",
        "/items?id=gte.{id}&id=lt.1000000&order=id&limit=25",
        _read("select * from api.items where id >= :id and id < 1000000 order by id limit 25"),
        rows=None,
    ),
    Case(
        "a filtered embed",
        "/items?select=*,reviews(*)&id=gte.{id}&reviews.rating=gte.4&order=id&limit=10",
        _read(_FILTERED),
        rows=None,
    ),
)


def pgbench_script(case: Case) -> str:
    """`case` as one transaction that does for its caller what the server does: role and claims, then the statement."""
    role = "authenticated" if case.signed_in else "anon"
    claims = f'{{"role":"{role}","sub":"{OWNER}"}}'
    mode = "" if case.writes else " read only"
    settings = f"select set_config('role', '{role}', true), set_config('request.jwt.claims', '{claims}', true);"
    drawn = ["\\set id random(1, 10000)", "\\set other random(1, 10000)", "\\set page 25 * random(0, 390)"]
    return "\n".join([*drawn, f"begin{mode};", settings, case.sql, "commit;", ""])
