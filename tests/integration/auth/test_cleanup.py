"""Rows nothing asks for any more: what strangers begin and leave goes always, the rest where the operator says so."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from minato.auth.request.context import ROLE
from minato.auth.rows.cleanup import BATCH, Cleanup
from minato.config.auth import AuthSettings
from minato.database.address import DatabaseAddress

from tests.integration.auth.oauth.walk import PKCE
from tests.support.accounts import opened_account, sign_in
from tests.support.server import Minato, running, settings_for
from tests.support.waiting import until_rows


async def emptied(minato: Minato, table: str) -> None:
    """Return when no row is left: the server's own first cleanup may hold some, which `clean` leaves to it."""
    await until_rows(minato.db, f"select count(*) = 0 from auth.{table}")


async def clean(minato: Minato) -> None:
    backend = minato.backend
    await Cleanup(backend.settings.auth, backend.database.engine(ROLE), backend.clock).run()


async def count(minato: Minato, table: str) -> int:
    found: int = await minato.db.fetchval(f"select count(*) from auth.{table}")
    return found


async def test_a_sign_in_that_was_begun_and_left_is_forgotten_after_a_day(own_minato: Minato) -> None:
    async with own_minato.client() as client:
        account = await opened_account(own_minato)
        await client.post("/auth/v1/recover", json={"email": account["email"], **PKCE})
    asked = await count(own_minato, "flow_state")
    await clean(own_minato)
    assert await count(own_minato, "flow_state") == asked > 0
    own_minato.backend.clock.advance(timedelta(hours=25))
    await clean(own_minato)
    await emptied(own_minato, "flow_state")


async def leave(db: asyncpg.Connection, sign_ins: int) -> None:
    """Sign-ins that were begun two days ago."""
    await db.execute(
        "insert into auth.flow_state (id, provider_type, authentication_method, created_at) "
        "select gen_random_uuid(), 'email', 'magiclink', now() - interval '2 days' from generate_series(1, $1)",
        sign_ins,
    )


async def test_more_than_a_batch_is_removed_at_once(own_minato: Minato) -> None:
    await leave(own_minato.db, 2 * BATCH + 1)
    await clean(own_minato)
    await emptied(own_minato, "flow_state")


async def test_a_server_cleans_up_by_itself(address: DatabaseAddress, tmp_path: Path) -> None:
    db = await asyncpg.connect(address.admin)
    await leave(db, 1)
    await db.close()
    async with running(address, settings_for(tmp_path)) as minato:
        await emptied(minato, "flow_state")


@pytest.mark.parametrize(("settings", "left"), [({}, (2, 1)), ({"db_cleanup_enabled": True}, (1, 0))])
async def test_revoked_tokens_and_old_anonymous_users_stay_unless_the_operator_says_so(
    address: DatabaseAddress, tmp_path: Path, settings: dict[str, Any], left: tuple[int, int]
) -> None:
    auth = AuthSettings(mailer_autoconfirm=True, external_anonymous_users_enabled=True, **settings)
    async with running(address, settings_for(tmp_path, auth=auth)) as minato, minato.client() as client:
        account = await opened_account(minato)
        session = (await sign_in(client, account["email"])).json()
        grant = "/auth/v1/token?grant_type=refresh_token"
        await client.post(grant, json={"refresh_token": session["refresh_token"]})
        await client.post("/auth/v1/signup", json={})
        minato.backend.clock.advance(timedelta(days=31))
        await clean(minato)
        # As `emptied`: the server's own cleanup may hold a row.
        await until_rows(
            minato.db,
            "select (select count(*) from auth.refresh_tokens where user_id = $1) = $2"
            " and (select count(*) from auth.users where is_anonymous) = $3",
            account["id"],
            *left,
        )


async def test_a_session_past_its_time_is_removed_where_the_operator_says_so(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    auth = AuthSettings(db_cleanup_enabled=True, sessions_timebox=3600, sessions_inactivity_timeout=60)
    async with running(address, settings_for(tmp_path, auth=auth)) as minato, minato.client() as client:
        account = await opened_account(minato)
        await sign_in(client, account["email"])
        await clean(minato)
        assert await count(minato, "sessions") == 1
        minato.backend.clock.advance(timedelta(hours=24, minutes=2))
        await clean(minato)
        await emptied(minato, "sessions")
