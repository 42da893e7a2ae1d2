"""What anybody may read about the server: settings, health, keys."""

from __future__ import annotations

from contextlib import AsyncExitStack

from tests.support.server import Minato
from tests.support.waiting import PATIENCE


async def test_health_settings_and_keys_answer_while_every_connection_is_taken(own_minato: Minato) -> None:
    sessions = own_minato.backend.database.service("supabase_auth_admin")
    async with AsyncExitStack() as stack, own_minato.client() as client:
        for _ in range(own_minato.backend.settings.database.service_pool_size):
            await stack.enter_async_context(sessions.transaction())
        health = await client.get("/auth/v1/health", timeout=PATIENCE)
        assert health.json()["name"] == "GoTrue"
        offered = (await client.get("/auth/v1/settings", timeout=5)).json()
        assert (offered["external"]["email"], offered["external"]["google"]) == (True, False)
        keys = await client.get("/auth/v1/.well-known/jwks.json", timeout=PATIENCE)
        assert keys.headers["cache-control"] == "public, max-age=600"
        document = (await client.get("/auth/v1/.well-known/openid-configuration", timeout=PATIENCE)).json()
        assert document["jwks_uri"] == f"{document['issuer']}/.well-known/jwks.json"
