"""What is said to be allowed is what PostgreSQL allows, for policies, rows and statements that nobody chose."""

from __future__ import annotations

from dataclasses import dataclass

import asyncpg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from minato.database.as_caller import set_locally
from minato.database.identifiers import quote_identifier
from minato.json_text import encode
from minato.why.attempt import Attempt, SqlCommand, TableName, Upsert
from minato.why.explain import explain
from minato.why.wording import sentence

from tests.support.examples import of_hundred
from tests.support.server import Minato

ME, OTHER = "11111111-1111-1111-1111-111111111111", "22222222-2222-2222-2222-222222222222"
CARS = TableName("public", "why cars")
TABLE = '"public"."why cars"'
MAKE = f"""
create table {TABLE} (
    id int primary key,
    owner uuid default auth.uid(),
    state text not null default 'draft',
    price int,
    doubled int generated always as (price * 2) stored
);
create table public.why_friends (owner uuid, friend uuid);
alter table public.why_friends enable row level security;
create policy mine on public.why_friends to authenticated using (owner = auth.uid());
insert into public.why_friends values ('{ME}', '{OTHER}'), ('{OTHER}', '{ME}');
grant all on {TABLE}, public.why_friends to anon, authenticated, service_role;
alter table {TABLE} enable row level security;
"""
CONDITIONS = (
    "true",
    "false",
    "owner = auth.uid()",
    "owner = (select auth.uid())",
    "owner is null",
    "state = 'open'",
    "price > 10",
    "doubled > 30",
    "price between 5 and 20 and state <> 'sold'",
    "state = 'open' or owner = auth.uid()",
    'exists (select 1 from public.why_friends f where f.friend = "why cars".owner)',
    "(auth.jwt() ->> 'aal') = 'aal2'",
    "owner in (select friend from public.why_friends)",
    "id % 2 = 0",
    "not (state = 'sold')",
)
conditions = st.sampled_from(CONDITIONS)


@dataclass(frozen=True)
class Made:
    command: str
    permissive: bool
    roles: str
    using: str | None
    check: str | None

    def sql(self, name: str) -> str:
        using = f" using ({self.using})" if self.using and self.command != "insert" else ""
        check = f" with check ({self.check})" if self.check and self.command not in ("select", "delete") else ""
        kind = "permissive" if self.permissive else "restrictive"
        return f"create policy {name} on {TABLE} as {kind} for {self.command} to {self.roles}{using}{check}"


policies = st.lists(
    st.builds(
        Made,
        st.sampled_from(["all", "select", "insert", "update", "delete"]),
        st.sampled_from([True, True, True, False]),
        st.sampled_from(["public", "authenticated", "authenticated", "anon", "service_role"]),
        st.none() | conditions,
        st.none() | conditions,
    ),
    max_size=5,
)
COLUMNS = ("id", "owner", "state", "price", "doubled")
# Each takes rights from both roles: the verb, and the columns that are left; none are left of a whole one.
lacks = st.lists(
    st.tuples(
        st.sampled_from(["select", "insert", "update", "delete"]),
        st.lists(st.sampled_from(COLUMNS), unique=True, max_size=4),
    ),
    max_size=2,
)
rows = st.fixed_dictionaries(
    {
        "id": st.integers(1, 6),
        "owner": st.sampled_from([ME, OTHER, None]),
        "state": st.sampled_from(["draft", "open", "sold"]),
        "price": st.none() | st.integers(0, 30),
    }
)


@dataclass(frozen=True)
class Statement:
    """The SQL that is run, and the attempt that says the same."""

    sql: str
    attempt: Attempt


@st.composite
def statements(draw: st.DrawFn) -> Statement:
    command: SqlCommand = draw(st.sampled_from(["SELECT", "INSERT", "UPDATE", "DELETE"]))
    role = draw(st.sampled_from(["anon", "authenticated", "authenticated"]))
    row = draw(rows)
    columns = draw(st.lists(st.sampled_from(["owner", "state", "price"]), unique=True))
    where = draw(st.sampled_from(["", f"{TABLE}.id < 4", f"{TABLE}.state = 'open'"]))
    returns = draw(st.booleans())
    upsert = draw(st.sampled_from([None, True, False])) if command == "INSERT" else None
    claims = {"role": role, "aal": draw(st.sampled_from(["aal1", "aal2"])), **({"sub": ME} if role != "anon" else {})}
    body = encode({name: row[name] for name in ("id", *columns)}).decode()
    source = "json_to_record($1::json) as body(id int, owner uuid, state text, price int)"
    names = ("id", *columns) if command == "INSERT" else tuple(columns) or ("price",)
    written = {} if command in ("SELECT", "DELETE") else {name: f"body.{name}" for name in names}
    compared = ("id",) if ".id" in where else ("state",) if where and command != "INSERT" else None
    compared = None if command == "INSERT" else compared
    reads = ("*",) if returns or command == "SELECT" else compared
    attempt = Attempt(
        command=command,
        table=CARS,
        role=role,
        settings=[("request.jwt.claims", encode(claims).decode()), ("search_path", "public")],
        written=written,
        source=source if written else "",
        where="" if command == "INSERT" else where,
        parameters=(body,) if written else (),
        reads=reads,
        returns=returns,
        upsert=None if upsert is None else Upsert(("id",), upsert),
    )
    return Statement(_sql(attempt), attempt)


def _sql(attempt: Attempt) -> str:
    where = f" where {attempt.where}" if attempt.where else ""
    returning = " returning *" if attempt.returns else ""
    names = ", ".join(map(quote_identifier, attempt.written))
    match attempt.command:
        case "SELECT":
            return f"select * from {TABLE}{where}"
        case "DELETE":
            return f"delete from {TABLE}{where}{returning}"
        case "UPDATE":
            assigned = ", ".join(f"{quote_identifier(name)} = {value}" for name, value in attempt.written.items())
            return f"update {TABLE} set {assigned} from {attempt.source}{where}{returning}"
        case "INSERT":
            merged = ", ".join(
                f"{quote_identifier(name)} = excluded.{quote_identifier(name)}" for name in attempt.written
            )
            todo = "" if attempt.upsert is None else " on conflict (id) do nothing"
            if attempt.upsert is not None and attempt.upsert.merges:
                todo = f" on conflict (id) do update set {merged}"
            values = ", ".join(attempt.written.values())
            return f"insert into {TABLE} ({names}) select {values} from {attempt.source}{todo}{returning}"


async def _run(connection: asyncpg.Connection, statement: Statement) -> int | str:
    """How many rows it found or wrote, or the SQLSTATE of its refusal; nothing of it stays."""
    attempt, transaction = statement.attempt, connection.transaction()
    await transaction.start()
    try:
        text, values = set_locally([*attempt.settings, ("role", attempt.role)])
        await connection.fetch(text, *values)
        prepared = await connection.prepare(statement.sql)
        await prepared.fetch(*attempt.parameters)
        return int(prepared.get_statusmsg().split()[-1])
    except asyncpg.PostgresError as error:
        return str(error.sqlstate)
    finally:
        await transaction.rollback()


@pytest.fixture(scope="module")
async def cars(told: Minato) -> Minato:
    await told.db.execute(MAKE)
    return told


def _rights(taken: list[tuple[str, list[str]]]) -> list[str]:
    """The statements that leave both roles with these rights."""
    people, said = "anon, authenticated", [f"grant all on {TABLE} to anon, authenticated"]
    for verb, columns in taken:
        said.append(f"revoke {verb} on {TABLE} from {people}")
        if columns and verb != "delete":
            said.append(f"grant {verb} ({', '.join(columns)}) on {TABLE} to {people}")
    return said


async def _arrange(
    connection: asyncpg.Connection,
    made: list[Made],
    given_rows: list[dict[str, object]],
    taken: list[tuple[str, list[str]]],
) -> None:
    names = await connection.fetch("select polname from pg_policy where polrelid = $1::regclass", TABLE)
    dropped = [f"drop policy {name['polname']} on {TABLE}" for name in names]
    created = [policy.sql(f"p{place}") for place, policy in enumerate(made)]
    await connection.execute(";".join([f"truncate {TABLE}", *dropped, *created, *_rights(taken)]))
    insert = f"insert into {TABLE} (id, owner, state, price) values ($1, $2, $3, $4)"
    await connection.executemany(insert, [(row["id"], row["owner"], row["state"], row["price"]) for row in given_rows])


@settings(max_examples=of_hundred(300), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    made=policies,
    given_rows=st.lists(rows, max_size=4, unique_by=lambda row: row["id"]),
    statement=statements(),
    taken=lacks,
)
async def test_what_is_explained_is_what_postgresql_does(
    cars: Minato,
    made: list[Made],
    given_rows: list[dict[str, object]],
    statement: Statement,
    taken: list[tuple[str, list[str]]],
) -> None:
    await _arrange(cars.db, made, given_rows, taken)
    done = await _run(cars.db, statement)
    explanation = await explain(cars.backend.database.sessions, statement.attempt)
    assert explanation is not None
    told = (sentence(explanation), statement.sql, done, [policy.sql("p") for policy in made], taken)
    assert explanation.allowed is (done != "42501"), told
    assert len(told[0]) <= 300, told
    if statement.attempt.command != "INSERT" and isinstance(done, int):
        assert explanation.visible == done, told
