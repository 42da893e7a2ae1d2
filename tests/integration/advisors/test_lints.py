"""Each lint finds what it is about, its statements mend that, and nothing is found where nothing is wrong."""

from __future__ import annotations

import asyncio

import psycopg2
import pytest
from minato.advisors.advise import LINTS
from minato.advisors.allowed import sift
from minato.project.minato_toml import read_minato_toml
from psycopg2.extensions import connection as Connection

from tests.integration.advisors.acts import found, mend, run
from tests.integration.advisors.cases import CASES, OWNED, Case
from tests.support.postgres import MARKETPLACE, Cluster


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.lint} {case.place}")
def test_a_lint_finds_it_and_its_statements_mend_it(session: Connection, case: Case) -> None:
    run(session, case.script, case.role)
    (finding,) = [each for each in found(session) if each.lint.name == case.lint and each.place == case.place]
    mend(session, [finding], case.role)
    assert case.place not in [each.place for each in found(session) if each.lint.name == case.lint]


def test_every_lint_has_a_case() -> None:
    assert {case.lint for case in CASES} == LINTS.keys()


def test_all_that_is_wrong_at_once_is_mended_in_two_rounds(session: Connection) -> None:
    scripts: dict[str, Case] = {}
    for case in CASES:
        scripts.setdefault(case.script if "vector" not in case.script else "vector", case)
    for case in scripts.values():
        run(session, case.script, case.role)
    first = found(session)
    assert len({finding.lint.name for finding in first}) == len(LINTS) - 1  # one extension is not in two states
    mend(session, first, "supabase_admin")
    mend(session, found(session), "supabase_admin")
    assert [(finding.lint.name, finding.place) for finding in found(session)] == []


def test_nothing_is_wrong_with_the_platform(session: Connection) -> None:
    assert found(session) == []


async def test_nothing_is_wrong_with_the_marketplace_but_what_it_says_itself(cluster: Cluster) -> None:
    reasons = read_minato_toml(MARKETPLACE).advisors
    async with cluster.fresh_database() as address:
        connection = await asyncio.to_thread(psycopg2.connect, address.admin)
        connection.autocommit = True
        try:
            sifted = sift(found(connection), reasons)
        finally:
            connection.close()
    assert ([(each.lint.name, each.place) for each in sifted.open], sifted.idle) == ([], [])
    assert len(sifted.allowed) == len(reasons)


@pytest.mark.parametrize(
    "script",
    [
        # unreachable, or guarded
        "create table apart (id int primary key); revoke all on apart from anon, authenticated",
        "create schema own; create table own.apart (id int primary key)",
        "create view numbers as select 1 as one",
        OWNED.format("t")
        + "create policy p on t for select using (id > 0);"
        + "create view guarded with (security_invoker = on) as select * from t",
        # asked once, or about the row
        OWNED.format("t")
        + "create index on t (user_id); create policy p on t for select using ((select auth.uid()) = user_id)",
        OWNED.format("t")
        + "create policy p on t for select using (((select auth.jwt()) ->> 'sub') = 'auth.uid()' and id > 0)",
        OWNED.format("t")
        + "create function of_row(bigint) returns boolean language sql stable as 'select true';"
        + "create policy p on t for select using (of_row(id))",
        # a policy that no index would answer, and one that an index answers in part
        OWNED.format("t") + "create policy p on t for select using (user_id = (select auth.uid()) or id > 3)",
        OWNED.format("t")
        + "alter table t add owner uuid; create index on t (owner);"
        + "create policy p on t for select using (user_id = (select auth.uid()) and owner = (select auth.uid()))",
        OWNED.format("t") + "create policy p on t for insert with check (user_id = (select auth.uid()))",
        # policies of different roles, and a restrictive one
        OWNED.format("t")
        + "create policy p on t for select to anon using (id = 1);"
        + "create policy q on t for select to authenticated using (id = 2);"
        + "create policy r on t as restrictive for select using (id < 100)",
        # true, but only read, or of nobody in the API
        OWNED.format("t") + "create policy p on t for select using (true)",
        OWNED.format("t") + "create policy p on t for all to service_role using (true)",
        # functions that ask who calls, by others too
        """
        create schema own;
        create function own.require() returns void language plpgsql stable as
            'begin if auth.uid() is null then raise insufficient_privilege; end if; end';
        create function ask() returns int language plpgsql security definer set search_path = '' as
            'begin perform own.require(); return 1; end';
        """,
        "create function invoked() returns int language sql as 'select 1'",
        "create function parsed() returns uuid language sql security definer begin atomic select auth.uid(); end",
        "create function fired() returns trigger language plpgsql security definer set search_path = '' as 'begin end'",
        # indexes that do
        """
        create table p (id int primary key); alter table p enable row level security;
        create policy r on p for select using (id > 0);
        create table c (id int primary key, p_id int references p); alter table c enable row level security;
        create policy r on c for select using (id > 0);
        create index on c (p_id, id) where p_id is not null;
        """,
        # named by another index, published for new rows alone, or told whole
        """
        create table t (id int primary key, a int not null unique);
        alter table t enable row level security, replica identity using index t_a_key;
        create policy r on t for select using (id > 0);
        create publication p for table t;
        """,
        "create sequence round as smallint maxvalue 10 cycle; select setval('round', 10)",
        "create sequence back increment -1; select nextval('back')",
    ],
)
def test_nothing_is_found_where_nothing_is_wrong(session: Connection, script: str) -> None:
    run(session, script)
    assert [(finding.lint.name, finding.detail) for finding in found(session)] == []
