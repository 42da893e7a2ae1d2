"""`Prefer: count=planned` tells nothing of rows that the caller's policies hide."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

from minato.config.rest import RestSettings
from minato.database.address import DatabaseAddress

from tests.support.server import Minato, running, settings_for

TABLE = """
create table public.secrets (id int primary key, owner uuid, state text);
alter table public.secrets enable row level security;
create policy "Owners see theirs" on public.secrets for select using (owner = (select auth.uid()));
grant all on public.secrets to anon, authenticated, service_role;
insert into public.secrets select n, null, case when n % 3 = 0 then 'open' else 'done' end
  from generate_series(1, 3000) n;
analyze public.secrets;
notify pgrst, 'reload schema';
"""


async def counted(server: Minato, token: str, query: str = "", count: str = "planned") -> str:
    await server.application.rooms["/rest/v1"].keeper.reload()  # type: ignore[attr-defined]
    async with server.client(token, prefer=f"count={count}") as client:
        answer = await client.get(f"/rest/v1/secrets?select=id{query}")
    assert answer.headers["preference-applied"] == f"count={count}"
    return answer.headers["content-range"].split("/")[1]


async def test_a_planned_count_tells_nothing_of_hidden_rows(own_minato: Minato) -> None:
    await own_minato.db.execute(TABLE)
    member = own_minato.token(str(uuid4()))
    assert await counted(own_minato, member) == "0"
    assert await counted(own_minato, member, "&state=eq.done") == "0"
    assert await counted(own_minato, member, "&state=eq.open&limit=10") == "0"


async def test_neither_does_an_estimated_one_where_answers_have_no_limit(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    async with running(address, settings_for(tmp_path, rest=RestSettings(db_max_rows=None))) as server:
        await server.db.execute(TABLE)
        for count in ("planned", "estimated"):
            assert await counted(server, server.token(str(uuid4())), "&state=eq.done", count) == "0"


async def test_who_sees_the_rows_still_gets_an_estimate(own_minato: Minato) -> None:
    await own_minato.db.execute(TABLE)
    assert int(await counted(own_minato, own_minato.service_role_key)) > 1000


async def test_a_setting_asks_the_planner_as_the_reference_does(address: DatabaseAddress, tmp_path: Path) -> None:
    settings = settings_for(tmp_path, rest=RestSettings(db_planned_count="planner"))
    async with running(address, settings) as server:
        await server.db.execute(TABLE)
        assert await counted(server, server.token(str(uuid4())), "&state=eq.done") != "0"
