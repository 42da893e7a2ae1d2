"""Who sees a changed row: every rule from both sides."""

from __future__ import annotations

from contextlib import AsyncExitStack
from uuid import uuid4

import pytest

from tests.integration.realtime.conftest import Table, both_feeds
from tests.integration.realtime.phoenix import phoenix
from tests.support.server import Minato

pytestmark = both_feeds


async def test_only_the_owner_sees_a_row(minato: Minato, notes: Table) -> None:
    owner, stranger = str(uuid4()), str(uuid4())
    async with phoenix(minato) as mine, phoenix(minato) as theirs, phoenix(minato) as nobody:
        await mine.follow("room", notes.entry(), access_token=minato.token(owner))
        await theirs.follow("room", notes.entry(), access_token=minato.token(stranger))
        await nobody.follow("room", notes.entry())
        await notes.run("insert into {t} (id, owner) values (1, $1)", owner)
        await notes.run("insert into {t} (id, owner) values (2, $1)", stranger)
        assert (await mine.change())["record"]["id"] == 1
        assert (await theirs.change())["record"]["id"] == 2
        await notes.run("update {t} set body = 'x' where id = 1")
        assert (await mine.change())["record"]["body"] == "x"
        # A delete is heard by all, so it marks the end of what else there was to hear.
        await notes.run("delete from {t} where id = 2")
        for client in (mine, theirs, nobody):
            deleted = await client.change()
            assert (deleted["type"], deleted["old_record"]) == ("DELETE", {"id": 2})


async def test_no_row_is_missed_because_its_commit_can_not_be_seen_yet(minato: Minato, notes: Table) -> None:
    owner = str(uuid4())
    async with phoenix(minato) as client:
        await client.follow("room", notes.entry(), access_token=minato.token(owner))
        for number in range(300):
            await notes.run("insert into {t} (id, owner) values ($1, $2)", number, owner)
        assert [(await client.change())["record"]["id"] for _ in range(300)] == list(range(300))


async def test_the_service_role_sees_every_row(minato: Minato, notes: Table) -> None:
    async with phoenix(minato, minato.service_role_key) as client:
        await client.follow("room", notes.entry())
        await notes.run("insert into {t} (id, owner) values (1, gen_random_uuid())")
        assert (await client.change())["record"]["id"] == 1


async def test_a_deleted_row_under_policies_tells_only_its_key(minato: Minato, notes: Table) -> None:
    await notes.run("alter table {t} replica identity full; insert into {t} (id, body) values (1, 'private')")
    async with phoenix(minato) as client:
        await client.follow("room", notes.entry("DELETE"))
        await notes.run("delete from {t}")
        assert (await client.change())["old_record"] == {"id": 1}


async def test_columns_the_role_may_not_read_are_left_out(minato: Minato, notes: Table) -> None:
    await notes.run("revoke select on {t} from authenticated; grant select (id, owner, body) on {t} to authenticated")
    owner = str(uuid4())
    async with phoenix(minato) as client, phoenix(minato, minato.service_role_key) as service:
        await client.follow("room", notes.entry(), access_token=minato.token(owner))
        await service.follow("room", notes.entry())
        await notes.run("insert into {t} (id, owner, body, secret) values (1, $1, 'b', 's')", owner)
        data = await client.change()
        assert data["record"] == {"id": 1, "owner": owner, "body": "b"}
        assert [column["name"] for column in data["columns"]] == ["id", "owner", "body"]
        assert (await service.change())["record"]["secret"] == "s"


async def test_a_grant_taken_away_holds_for_the_next_change(minato: Minato, board: Table) -> None:
    async with phoenix(minato) as client:
        await client.follow("room", board.entry())
        await board.run("insert into {t} (id, body) values (1, 'seen')")
        assert (await client.change())["record"]["body"] == "seen"
        await board.run("revoke select on {t} from anon; grant select (id) on {t} to anon")
        await board.run("insert into {t} (id, body) values (2, 'unseen')")
        assert (await client.change())["record"] == {"id": 2}


async def test_a_policy_made_while_following_holds_for_the_next_change(minato: Minato, board: Table) -> None:
    async with phoenix(minato) as client:
        await client.follow("room", board.entry())
        await board.run("insert into {t} (id) values (1)")
        await client.change()
        await board.run("alter table {t} enable row level security; create policy p on {t} using (id > 2)")
        await board.run("insert into {t} (id) values (2), (3)")
        assert (await client.change())["record"]["id"] == 3


async def test_a_role_without_the_key_hears_only_that_it_may_not(minato: Minato, notes: Table) -> None:
    await notes.run("revoke all on {t} from anon; grant select (body) on {t} to anon")
    async with phoenix(minato) as client:
        (entry,) = await client.follow("room", notes.entry())
        await notes.run("insert into {t} (id, body) values (1, 'hidden')")
        heard = await client.event("postgres_changes")
    assert heard.payload["ids"] == [entry]
    data = heard.payload["data"]
    assert data["errors"] == ["Error 401: Unauthorized"]
    assert (data["columns"], data["record"], data["commit_timestamp"]) == ([], {}, None)


async def test_a_table_without_a_key_shows_no_values(minato: Minato, board: Table) -> None:
    await board.run("alter table {t} drop constraint " + f"{board.name}_pkey")
    async with phoenix(minato) as client:
        await client.follow("room", board.entry())
        await board.run("insert into {t} (id, body) values (1, 'hidden')")
        data = await client.change()
    assert data["errors"] == ["Error 400: Bad Request, no primary key"]
    assert data["record"] == {}


async def test_a_policy_that_raises_hurts_only_its_own_subscriber(minato: Minato, notes: Table) -> None:
    good, bad = str(uuid4()), str(uuid4())
    await notes.run(
        f"""
        create function public.check_{notes.name}(note int) returns boolean language plpgsql as $$
        begin
            if auth.uid() = '{bad}' and note = 1 then raise exception 'broken policy'; end if;
            return true;
        end $$;
        create policy "Sometimes broken" on {{t}} for select using (public.check_{notes.name}(id));
        """
    )
    async with phoenix(minato) as one, phoenix(minato) as other:
        await one.follow("room", notes.entry(), access_token=minato.token(good))
        await other.follow("room", notes.entry(), access_token=minato.token(bad))
        await notes.run("insert into {t} (id) values (1), (2)")
        assert [(await one.change())["record"]["id"] for _ in range(2)] == [1, 2]
        assert (await other.change())["record"]["id"] == 2


async def test_a_policy_that_takes_too_long_is_announced_as_a_gap(minato: Minato, notes: Table) -> None:
    slow = str(uuid4())
    await notes.run(
        f'create policy "Slow" on {{t}} for select using '
        f"(auth.uid() <> '{slow}' or (select pg_sleep(30)) is not null)"
    )
    async with phoenix(minato) as client, phoenix(minato) as other:
        await client.follow("room", notes.entry(), access_token=minato.token(slow))
        await other.follow("room", notes.entry(), access_token=minato.token(str(uuid4())))
        await notes.run("insert into {t} (id) values (1)")
        told = await client.system("room")
        assert told["status"] == "error"
        assert "changes may be missing" in told["message"]
        assert (await other.change())["record"]["id"] == 1


@pytest.mark.parametrize("sqlstate", ["55P03", "25006", "XX000"])
async def test_a_check_that_fails_for_no_reason_of_the_row_is_announced_as_a_gap(
    minato: Minato, notes: Table, sqlstate: str
) -> None:
    await notes.run(
        f"""
        create function public.check_{notes.name}() returns boolean language plpgsql as $$
        begin raise exception using errcode = '{sqlstate}', message = 'not now'; end $$;
        create policy "Not now" on {{t}} for select using (public.check_{notes.name}());
        """
    )
    async with phoenix(minato) as client:
        await client.follow("room", notes.entry(), access_token=minato.token(str(uuid4())))
        await notes.run("insert into {t} (id) values (1)")
        told = await client.system("room")
        assert told["status"] == "error"
        assert "changes may be missing" in told["message"]


async def test_claims_of_the_token_reach_the_policy(minato: Minato, notes: Table) -> None:
    await notes.run("create policy \"Team\" on {t} for select using (auth.jwt() -> 'app_metadata' ->> 'team' = body)")
    async with phoenix(minato) as red, phoenix(minato) as blue:
        await red.follow("room", notes.entry(), access_token=minato.token(app_metadata={"team": "red"}))
        await blue.follow("room", notes.entry(), access_token=minato.token(app_metadata={"team": "blue"}))
        await notes.run("insert into {t} (id, body) values (1, 'red'), (2, 'blue')")
        assert (await red.change())["record"]["id"] == 1
        assert (await blue.change())["record"]["id"] == 2


async def test_a_role_that_does_not_exist_can_not_follow(minato: Minato, notes: Table) -> None:
    async with phoenix(minato) as client:
        joined = await client.join(
            "room", {"postgres_changes": [notes.entry()]}, access_token=minato.token(role="nobody")
        )
        assert joined.payload["status"] == "ok"
        told = await client.system("room")
    assert told["status"] == "error"
    assert 'role "nobody" does not exist' in told["message"]


async def test_a_role_the_api_may_not_become_sees_nothing_under_policies(minato: Minato, notes: Table) -> None:
    async with phoenix(minato) as client, phoenix(minato, minato.service_role_key) as service:
        await client.follow("room", notes.entry("INSERT"), access_token=minato.token(role="supabase_admin"))
        await service.follow("room", notes.entry("INSERT"))
        await notes.run("insert into {t} (id) values (1)")
        await service.change()
        await notes.run("alter table {t} disable row level security; insert into {t} (id) values (2)")
        assert (await client.change())["record"]["id"] == 2


async def test_subscribers_of_one_kind_cost_one_check_per_change(minato: Minato, notes: Table) -> None:
    await notes.run(
        f"create sequence public.checks_{notes.name}; grant usage on sequence public.checks_{notes.name} to anon;"
        f"create policy counted on {{t}} for select to anon using (nextval('public.checks_{notes.name}') > 0)"
    )
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(phoenix(minato)) for _ in range(30)]
        for client in clients:
            await client.follow("room", notes.entry(), notes.entry("INSERT", filter="id=gt.0"))
        for number in range(1, 11):
            await notes.run("insert into {t} (id) values ($1)", number)
        for client in clients:
            assert [(await client.change())["record"]["id"] for _ in range(10)] == list(range(1, 11))
    assert await minato.db.fetchval(f"select last_value from checks_{notes.name}") == 10
    await notes.run(f"drop table {{t}}; drop sequence public.checks_{notes.name}")
