"""Where an account has a second factor, a session without it changes nothing that opens the account."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.integration.auth.test_factors import FACTORS, enroll, prove
from tests.support.accounts import NEW, PASSWORD, bearer, fresh_address, member, newest, post, sign_in, verify
from tests.support.server import Minato

Session = dict[str, Any]


async def weak(minato: Minato, client: httpx.AsyncClient, email: str, way: str) -> Session:
    """A session of the first factor alone: by password, by its refreshing, or by a mail."""
    if way in ("recovery", "magiclink"):
        await post(client, "/recover" if way == "recovery" else "/otp", {"email": email})
        session: Session = (await verify(client, way, newest(minato, email, way).token_hash)).json()
        return session
    session = (await sign_in(client, email)).json()
    if way == "refreshed":
        body = {"refresh_token": session["refresh_token"]}
        session = (await post(client, "/token?grant_type=refresh_token", body)).json()
    return session


@pytest.mark.parametrize("way", ["password", "refreshed", "recovery", "magiclink"])
async def test_the_first_factor_alone_changes_no_password_address_or_factor(minato: Minato, way: str) -> None:
    async with minato.client(**NEW) as client:
        owner = await member(minato, client)
        factor = await enroll(client, owner)
        strong = (await prove(minato, client, owner, factor)).json()
        session = await weak(minato, client, owner["user"]["email"], way)
        assert minato.backend.keys.verify(session["access_token"])["aal"] == "aal1"
        another = {"factor_type": "totp", "friendly_name": "another"}
        refused = [
            await client.put("/auth/v1/user", json={"password": "new horse 1"}, headers=bearer(session)),
            await client.put("/auth/v1/user", json={"email": fresh_address(minato)}, headers=bearer(session)),
            await client.post(FACTORS, json=another, headers=bearer(session)),
            await client.delete(f"{FACTORS}/{factor['id']}", headers=bearer(session)),
        ]
        assert [answer.json()["code"] for answer in refused] == ["insufficient_aal"] * 4
        assert (await sign_in(client, owner["user"]["email"], PASSWORD)).status_code == 200
        seen = (await client.get("/auth/v1/user", headers=bearer(strong))).json()
    assert [one["id"] for one in seen["factors"]] == [factor["id"]]
