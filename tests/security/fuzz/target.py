"""The server that is fuzzed: with a member, and patient about nothing but the number of requests."""

from __future__ import annotations

from uuid import uuid4

from tests.support.server import Minato


async def tokens(minato: Minato) -> dict[str, str]:
    """What callers show, by their name; who is not here shows nothing."""
    email, password = f"{uuid4().hex}@example.com", "a long enough password"
    async with minato.client(minato.service_role_key) as admin:
        await admin.post("/auth/v1/admin/users", json={"email": email, "password": password, "email_confirm": True})
        signed_in = await admin.post("/auth/v1/token?grant_type=password", json={"email": email, "password": password})
    return {
        "anon": minato.anon_key,
        "member": signed_in.json()["access_token"],
        "service": minato.service_role_key,
        "garbage": "eyJhbGciOiJIUzI1NiJ9.e30.x",
    }
