"""What is refused says why in development, in a sentence that a person can act upon."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
from minato.config.server import ServerSettings

from tests.support.postgres import Cluster
from tests.support.server import Minato, running, settings_for

ANNA, TOM = "11111111-1111-1111-1111-111111111111", "22222222-2222-2222-2222-222222222222"
MAKE = f"""
create table offers (id int primary key, owner uuid not null, model text, state text default 'draft', price int);
insert into offers values (1, '{TOM}', 'Supra', 'open', 5), (2, '{TOM}', 'Aqua', 'draft', 7);
grant all on offers to anon, authenticated, service_role;
alter table offers enable row level security;
create policy "Members offer as themselves" on offers for insert to authenticated
    with check (owner = (select auth.uid()) and price > 0);
create policy "Open ones are seen" on offers for select to authenticated using (state = 'open');
create policy "Owners change theirs" on offers for update to authenticated
    using (owner = auth.uid() or price < 6) with check (owner = auth.uid());

create table secured (id int primary key, owner uuid);
grant all on secured to anon, authenticated, service_role;
alter table secured enable row level security;
create policy "Second factor" on secured as restrictive to authenticated using ((auth.jwt() ->> 'aal') = 'aal2');
create policy "Anybody" on secured using (true);

create table closed (id int primary key);
grant all on closed to anon, authenticated, service_role;
alter table closed enable row level security;

create table ungranted (id int primary key, secret text);
revoke all on ungranted from anon, authenticated;
grant select (id), insert (id) on ungranted to authenticated;

create table owned (id int primary key, owner uuid);
grant all on owned to authenticated, service_role;
alter table owned enable row level security;
create policy "Mine" on owned using (owner = auth.uid());
create function public.name_owner() returns trigger language plpgsql as $$
begin
    new.owner := '{TOM}';
    return new;
end $$;
create trigger name_owner before insert on owned for each row execute function public.name_owner();

create table members (id int primary key, team int);
grant all on members to authenticated, service_role;
alter table members enable row level security;
create policy "Of my team" on members using (team in (select team from members));

create function public.close_deal(offer int) returns void language sql as 'select';
revoke execute on function public.close_deal from public, anon, authenticated;

create table audit (what text);
revoke all on audit from anon, authenticated;
create function public.note() returns trigger language plpgsql as $$
begin
    insert into public.audit values ('written');
    return new;
end $$;
create table noted (id int primary key);
grant all on noted to authenticated, service_role;
create trigger note after insert on noted for each row execute function public.note();
"""


@pytest.fixture(scope="module")
async def offers(told: Minato) -> Minato:
    await told.db.execute(f"set search_path = public; {MAKE}; notify pgrst")
    await told.application.rooms["/rest/v1"].keeper.reload()  # type: ignore[attr-defined]
    return told


@pytest.fixture
async def anna(offers: Minato) -> AsyncIterator[httpx.AsyncClient]:
    async with offers.client(offers.token(ANNA)) as client:
        yield client


@pytest.fixture
async def stranger(offers: Minato) -> AsyncIterator[httpx.AsyncClient]:
    async with offers.client() as client:
        yield client


@dataclass(frozen=True)
class Case:
    """A request that is refused, and what is said of it."""

    method: str
    path: str
    body: object
    hint: str
    signed_in: bool = True
    headers: dict[str, str] = field(default_factory=dict)


RETURNED = {"prefer": "return=representation"}
MERGED = {"prefer": "resolution=merge-duplicates"}
CASES = {
    "a part of a policy is false, with the values it compared": Case(
        "POST",
        "offers",
        {"id": 3, "owner": TOM, "price": 9},
        '"Members offer as themselves": owner = ( SELECT auth.uid() AS uid) is false '
        f"(owner is {TOM}, auth.uid() is {ANNA}).",
    ),
    "another part is false": Case(
        "POST",
        "offers",
        {"id": 3, "owner": ANNA, "price": 0},
        '"Members offer as themselves": price > 0 is false (price is 0).',
    ),
    "policies are for others": Case(
        "POST",
        "offers",
        {"id": 3, "owner": TOM},
        "The INSERT policy is for authenticated; this request is anon. Was the user signed in?",
        signed_in=False,
    ),
    "no policy at all": Case(
        "POST",
        "closed",
        {"id": 1},
        "public.closed has row level security and no policy for INSERT, so nobody but service_role may.",
    ),
    "the insert is allowed, its answer is not": Case(
        "POST",
        "offers",
        {"id": 3, "owner": ANNA, "price": 9},
        "The insert is allowed; returning the row is not. Leave out .select(), or add a SELECT policy. "
        "\"Open ones are seen\": state = 'open'::text is false (state is draft).",
        headers=RETURNED,
    ),
    "a restrictive policy": Case(
        "POST",
        "secured",
        {"id": 1},
        "The restrictive policy \"Second factor\": (auth.jwt() ->> 'aal'::text) = 'aal2'::text is false "
        "((auth.jwt() ->> 'aal'::text) is null).",
    ),
    "the row of an upsert is there and somebody else's": Case(
        "POST",
        "offers",
        {"id": 2, "owner": ANNA, "price": 9, "state": "open"},
        f'The row exists already, and to change it is not allowed. "Owners change theirs": none of 2 conditions holds: '
        f"owner = auth.uid() is false (owner is {TOM}, auth.uid() is {ANNA}) or price < 6 is false (price is 7).",
        headers=MERGED,
    ),
    "an update gives the row away": Case(
        "PATCH",
        "offers?id=eq.1",
        {"owner": TOM},
        f'"Owners change theirs": owner = auth.uid() is false (owner is {TOM}, auth.uid() is {ANNA}).',
    ),
    "a privilege lacks": Case(
        "DELETE",
        "ungranted?id=eq.1",
        None,
        "authenticated has no DELETE on public.ungranted. Try: grant delete on public.ungranted to authenticated;",
    ),
    "a privilege on columns lacks": Case(
        "POST",
        "ungranted",
        {"id": 1, "secret": "x"},
        "authenticated has no INSERT (secret) on public.ungranted. "
        "Try: grant insert (secret) on public.ungranted to authenticated;",
    ),
    "a privilege lacks for a read": Case(
        "GET",
        "ungranted",
        None,
        "anon has no SELECT on public.ungranted. Try: grant select on public.ungranted to anon;",
        signed_in=False,
    ),
    "a trigger changes the row first": Case(
        "POST",
        "owned",
        {"id": 1, "owner": ANNA},
        f'"Mine": owner = auth.uid() is false (owner is {TOM}, auth.uid() is {ANNA}).',
    ),
    "a function may not be called": Case(
        "POST",
        "rpc/close_deal",
        {"offer": 1},
        "authenticated has no EXECUTE on function public.close_deal(integer). "
        "Try: grant execute on function public.close_deal(integer) to authenticated;",
    ),
    "a trigger does more than was asked": Case(
        "POST",
        "noted",
        {"id": 1},
        "Something else is refused than what was asked for: a trigger, a view or a function does more.",
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
async def test_a_refusal_says_why(anna: httpx.AsyncClient, stranger: httpx.AsyncClient, case: Case) -> None:
    client = anna if case.signed_in else stranger
    answer = await client.request(case.method, f"/rest/v1/{case.path}", json=case.body, headers=case.headers)
    assert answer.status_code in (401, 403), answer.text
    told = answer.json()
    assert (told["code"], told["hint"]) == ("42501", case.hint)


async def test_to_explain_leaves_nothing_behind(offers: Minato, anna: httpx.AsyncClient) -> None:
    await offers.db.execute("create sequence if not exists public.unused; truncate owned")
    answer = await anna.post("/rest/v1/owned", json={"id": 7})
    assert answer.json()["hint"].startswith('"Mine"')
    assert await offers.db.fetchval("select count(*) from owned") == 0


async def test_what_is_no_refusal_of_postgresql_s_keeps_its_hint(offers: Minato, anna: httpx.AsyncClient) -> None:
    await offers.db.execute(
        "create or replace function public.scold() returns void language plpgsql as "
        "$$ begin raise insufficient_privilege using message = 'not you', hint = 'ask Tom'; end $$; notify pgrst"
    )
    await offers.application.rooms["/rest/v1"].keeper.reload()  # type: ignore[attr-defined]
    assert (await anna.post("/rest/v1/rpc/scold")).json()["hint"] == "ask Tom"


async def test_a_table_whose_policies_ask_in_a_circle_says_which_one(anna: httpx.AsyncClient) -> None:
    answer = await anna.get("/rest/v1/members")
    assert answer.json()["code"] == "42P17"


async def test_nothing_is_explained_where_it_is_switched_off(
    cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("data")
    off = ServerSettings(data_dir=folder, environment="development", web_root=None, explain="off")
    await _refused_without_a_word(cluster, folder, off)


async def _refused_without_a_word(cluster: Cluster, folder: Path, server: ServerSettings) -> None:
    async with cluster.fresh_database() as address, running(address, settings_for(folder, server=server)) as minato:
        await minato.db.execute("create table public.closed (id int); grant all on public.closed to anon")
        await minato.db.execute("alter table public.closed enable row level security")
        await minato.application.rooms["/rest/v1"].keeper.reload()  # type: ignore[attr-defined]
        async with minato.client() as client:
            answer = await client.post("/rest/v1/closed", json={"id": 1})
        assert answer.json()["hint"] is None
