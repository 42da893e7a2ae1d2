"""What is logged holds no password, token, code nor key, also where something breaks."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import httpx
import pytest
from minato.config.auth import AuthSettings
from minato.database.address import DatabaseAddress

from tests.integration.auth.test_factors import enroll, prove
from tests.integration.auth.test_journey import bearer, refresh
from tests.support import server
from tests.support.server import JWT_SECRET, Minato

EMAIL, PASSWORD, OTHER = "anna@example.com", "a very secret horse", "another secret horse"


async def walk(minato: Minato, client: httpx.AsyncClient) -> list[str]:
    """From signing up to a changed password; every secret that was given or sent on the way."""
    await client.post("/auth/v1/signup", json={"email": EMAIL, "password": PASSWORD})
    mail = minato.backend.outbox.find(EMAIL, "signup")[0].email
    wrong = {"type": "signup", "email": EMAIL, "token": "000000"}
    await client.post("/auth/v1/verify", json=wrong)
    session = (await client.post("/auth/v1/verify", json={"type": "email", "token_hash": mail.token_hash})).json()
    factor = await enroll(client, session)
    strong = (await prove(minato, client, session, factor)).json()
    renewed = (await refresh(client, strong["refresh_token"])).json()
    await client.post("/auth/v1/recover", json={"email": EMAIL})
    recovery = minato.backend.outbox.find(EMAIL, "recovery")[0].email
    change = {"password": OTHER, "current_password": PASSWORD}
    await client.put("/auth/v1/user", json=change, headers=bearer(renewed))
    await client.post("/auth/v1/token?grant_type=password", json={"email": EMAIL, "password": PASSWORD})
    opened = (await client.post("/auth/v1/token?grant_type=password", json={"email": EMAIL, "password": OTHER})).json()
    tokens = [one[name] for one in (session, strong, renewed, opened) for name in ("access_token", "refresh_token")]
    return [PASSWORD, OTHER, mail.token_hash, recovery.token_hash, factor["totp"]["secret"], *tokens]


async def break_everything(minato: Minato, client: httpx.AsyncClient) -> list[httpx.Response]:
    """What a broken database makes of requests that hold secrets."""
    session = (await client.post("/auth/v1/token?grant_type=password", json={"email": EMAIL, "password": OTHER})).json()
    await minato.db.execute("alter table auth.audit_log_entries rename to lost")
    await minato.db.execute("alter table auth.refresh_tokens rename column token to lost")
    credentials = {"email": EMAIL, "password": OTHER}
    return [
        await client.post("/auth/v1/token?grant_type=password", json=credentials),
        await refresh(client, session["refresh_token"]),
        await client.put("/auth/v1/user", json={"data": {"note": PASSWORD}}, headers=bearer(session)),
        await client.post("/auth/v1/signup", json={"email": "b@example.com", "password": PASSWORD}),
    ]


async def test_no_secret_is_in_the_log(
    address: DatabaseAddress,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    settings: Any = server.settings_for(tmp_path, auth=AuthSettings())
    async with server.running(address, settings) as minato, minato.client() as client:
        secrets = [*await walk(minato, client), JWT_SECRET, minato.service_role_key, minato.backend.api_keys.secret]
        broken = await break_everything(minato, client)
        hashes = [
            row["encrypted_password"] for row in await minato.db.fetch("select encrypted_password from auth.users")
        ]
        tokens = [row["lost"] for row in await minato.db.fetch("select lost from auth.refresh_tokens")]
    logged = "".join(capfd.readouterr()) + caplog.text
    assert {answer.status_code for answer in broken} == {500}
    # The test would prove nothing with a log that says nothing.
    assert logged.count("auth request failed") == len(broken)
    encoded = [base64.b64encode(secret.encode()).decode() for secret in secrets]
    found = [secret for secret in [*secrets, *encoded, *hashes, *tokens] if secret in logged]
    assert found == [], logged
