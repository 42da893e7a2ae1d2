"""What the statements of findings are worth: the plan that PostgreSQL makes afterwards, and who may do what."""

from __future__ import annotations

import re
from contextlib import suppress

import psycopg2.errors
import pytest
from minato.advisors.snapshot import API_ROLES
from psycopg2.extensions import connection as Connection

from tests.integration.advisors.acts import ask, found, mend, run

BOOKS = """
create table books (id bigint generated always as identity primary key, owner uuid);
alter table books enable row level security;
insert into books (owner) select gen_random_uuid() from generate_series(1, 5000);
analyze books;
"""


def plan(session: Connection, statement: str) -> str:
    return "\n".join(str(line) for (line,) in ask(session, f"explain (costs off) {statement}", "authenticated"))


def mend_one(session: Connection, lint: str) -> None:
    mend(session, [finding for finding in found(session) if finding.lint.name == lint])


def test_who_asks_is_worked_out_once_after_the_mend(session: Connection) -> None:
    run(session, f"{BOOKS} create policy own on books for select using (owner = auth.uid())")
    before = plan(session, "select * from books")
    mend_one(session, "auth_rls_initplan")
    after = plan(session, "select * from books")
    assert ("InitPlan" in before, "InitPlan" in after) == (False, True)
    assert "current_setting" in before.partition("Filter: ")[2]
    assert "current_setting" not in after.partition("Filter: ")[2].partition("\n")[0]


def test_the_column_of_a_policy_is_searched_by_the_index_of_the_mend(session: Connection) -> None:
    run(session, f"{BOOKS} create policy own on books for select using (owner = (select auth.uid()))")
    before = plan(session, "select * from books")
    mend_one(session, "unindexed_policy_columns")
    after = plan(session, "select * from books")
    assert ("Seq Scan on books" in before, "Index" in before) == (True, False)
    assert ("Seq Scan on books" in after, "books_owner_idx" in after) == (False, True)


def test_a_function_that_only_reads_lets_an_index_answer_after_the_mend(session: Connection) -> None:
    run(
        session,
        f"""{BOOKS}
        create index books_owner on books (owner);
        create function me() returns uuid language plpgsql as 'begin return auth.uid(); end';
        create policy own on books for select using (owner = me());
        """,
    )
    before = plan(session, "select * from books")
    mend_one(session, "policy_volatile_function")
    after = plan(session, "select * from books")
    assert ("Seq Scan on books" in before, "books_owner" in before) == (True, False)
    assert ("Seq Scan on books" in after, "books_owner" in after) == (False, True)


def test_a_function_of_a_policy_is_called_once_after_the_mend(session: Connection) -> None:
    run(
        session,
        f"""{BOOKS}
        create function may_look() returns boolean language plpgsql stable as 'begin return true; end';
        create policy own on books for select using (may_look());
        """,
    )
    before = plan(session, "select * from books")
    mend_one(session, "policy_function_per_row")
    after = plan(session, "select * from books")
    assert ("Filter: may_look()" in before, "InitPlan" in before) == (True, False)
    assert ("may_look" in after, "InitPlan" in after) == (False, True)


def test_what_refers_to_a_deleted_row_is_found_by_the_index_of_the_mend(session: Connection) -> None:
    run(session, f"{BOOKS} alter table books add copy_of bigint references books (id); update books set copy_of = id")
    run(session, "analyze books; create policy p on books for select using (id > 0)")
    # the question of a foreign key's own trigger
    question = "select 1 from only books where copy_of = 1"
    before = plan(session, question)
    mend_one(session, "unindexed_foreign_keys")
    assert "Seq Scan" in before
    assert "books_copy_of_idx" in plan(session, question)


def test_several_policies_and_the_one_of_the_mend_have_the_same_plan(session: Connection) -> None:
    run(
        session,
        f"""{BOOKS}
        create policy early on books for select to authenticated using (id < 10);
        create policy own on books for select to authenticated using (owner = (select auth.uid()));
        """,
    )
    before = plan(session, "select * from books")
    mend_one(session, "multiple_permissive_policies")
    # but for the order of what is joined by OR
    assert sorted(re.findall(r"\w+", plan(session, "select * from books"))) == sorted(re.findall(r"\w+", before))


POLICIES = """
create table rows (id int primary key, note text);
alter table rows enable row level security;
grant all on rows to anon, authenticated;
create policy "of all" on rows using (id < 10) with check (id < 20);
create policy "of members" on rows for all to authenticated using (id between 30 and 40);
create policy "shown to guests" on rows for select to anon, service_role using (id = 50);
create policy "made by both" on rows for insert to anon, authenticated with check (id in (60, 61));
create policy "members change" on rows for update to authenticated using (id = 70) with check (id in (70, 71));
create policy "never" on rows as restrictive for delete using (id <> 35);
"""


@pytest.mark.parametrize("role", API_ROLES)
def test_nobody_may_do_more_or_less_after_policies_were_merged(session: Connection, role: str) -> None:
    run(session, POLICIES)
    before = rights(session, role)
    mend_one(session, "multiple_permissive_policies")
    names = ask(session, "select count(*) from pg_policy where polrelid = 'rows'::regclass and polpermissive")
    assert names == [(4,)]
    assert rights(session, role) == before


def rights(session: Connection, role: str) -> dict[str, list[int]]:
    """The numbers a role may read, change, remove and make, and may change a row into."""
    found: dict[str, list[int]] = {name: [] for name in ("read", "changed", "removed", "made", "into")}
    with session.cursor() as cursor:
        cursor.execute("begin; insert into rows select generate_series(1, 100)")
        cursor.execute(f"set local role {role}")
        for name, statement in (
            ("read", "select id from rows"),
            ("changed", "update rows set note = 'x' returning id"),
            ("removed", "delete from rows returning id"),
        ):
            cursor.execute(f"savepoint before; {statement}")
            found[name] = sorted(number for (number,) in cursor.fetchall())
            cursor.execute("rollback to before")
        cursor.execute("reset role; delete from rows where id <> 5")
        cursor.execute(f"set local role {role}")
        for number in (*range(1, 5), *range(6, 100)):
            for name, statement in (("made", "insert into rows values (%s)"), ("into", "update rows set id = %s")):
                cursor.execute("savepoint one")
                with suppress(psycopg2.errors.InsufficientPrivilege):
                    cursor.execute(statement, [number])
                    found[name].append(number)
                cursor.execute("rollback to one")
        cursor.execute("rollback; reset role")
    return found
