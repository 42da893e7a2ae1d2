"""Functions that a project puts into its own schemas, named as PostgreSQL's but fitting better, are never called."""

from __future__ import annotations

from tests.integration.auth.test_flushes import bearer
from tests.integration.auth.test_journey import NEW, PASSWORD, refresh
from tests.support.accounts import opened_account
from tests.support.server import Minato

TRAPS = """
create function public.to_json(auth.users) returns json language plpgsql as
    $$begin raise exception 'called as %', current_user; end$$;
create function public.to_json(auth.sessions) returns json language plpgsql as
    $$begin raise exception 'called as %', current_user; end$$;
create function public.lower(varchar) returns text language plpgsql as
    $$begin raise exception 'called as %', current_user; end$$;
"""


async def test_rows_are_read_by_nobody_elses_functions(own_minato: Minato) -> None:
    account = await opened_account(own_minato)
    await own_minato.db.execute(TRAPS)
    async with own_minato.client(**NEW) as client:
        body = {"email": account["email"], "password": PASSWORD}
        session = (await client.post("/auth/v1/token?grant_type=password", json=body)).json()
        shown = await client.get("/auth/v1/user", headers=bearer(session))
        assert shown.json()["id"] == account["id"]
        assert (await refresh(client, session["refresh_token"])).status_code == 200
