"""What a browser does between the app, the server and the provider."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

from tests.support.oidc_provider import OIDCProvider
from tests.support.server import Minato

NEW = {"x-supabase-api-version": "2024-01-01"}
APP = "https://app.example/welcome"
VERIFIER = "v" * 64
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
PKCE = {"code_challenge": CHALLENGE, "code_challenge_method": "s256"}


@dataclass
class Landing:
    """Where the browser ended: the page, its query and its fragment."""

    page: str
    query: dict[str, str]
    fragment: dict[str, str]


@dataclass
class Harbour:
    """A server and the provider its users sign in through."""

    minato: Minato
    provider: OIDCProvider

    def meet(self, email: str | None = None, verified: bool = True, **claims: Any) -> str:
        """Somebody new stands before the provider; their address."""
        name = self.minato.backend.entropy.base32(10)
        email = f"{name}@example.com" if email is None else email
        number = int.from_bytes(self.minato.backend.entropy.bytes(4), "big")
        person: dict[str, Any] = {"sub": f"person-{name}", "id": number, "email": email, "email_verified": verified}
        if verified:
            person["confirmed_at"] = "2026-01-01"
        self.provider.person = {**person, "name": "Anna Hafen", "login": name, **claims}
        self.provider.emails = [{"email": email, "verified": verified, "primary": True}]
        return email

    async def sign_in(self, provider: str = "google", **query: str) -> Landing:
        """The whole way as nobody."""
        async with self.minato.client() as client:
            asked = {"provider": provider, "redirect_to": APP, **query}
            left = await client.get("/auth/v1/authorize", params=asked, headers=NEW)
            assert left.status_code == 302, left.text
            return await self.return_from(left.headers["location"])

    async def return_from(self, url: str) -> Landing:
        """From the provider's page to the end."""
        async with httpx.AsyncClient() as browser:
            agreed = await browser.get(url)
            assert agreed.status_code == 302, agreed.text
            back = await browser.get(agreed.headers["location"])
            assert back.status_code == 302, back.text
            return landing(back.headers["location"])


def landing(location: str) -> Landing:
    parts = urlsplit(location)
    query = {name: values[0] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
    fragment = {name: values[0] for name, values in parse_qs(parts.fragment, keep_blank_values=True).items()}
    return Landing(f"{parts.scheme}://{parts.netloc}{parts.path}", query, fragment)


def bearer(session: dict[str, Any]) -> dict[str, str]:
    return {"authorization": f"Bearer {session['access_token']}"}


async def exchange(client: httpx.AsyncClient, code: str, verifier: str = VERIFIER) -> httpx.Response:
    body = {"auth_code": code, "code_verifier": verifier}
    return await client.post("/auth/v1/token?grant_type=pkce", json=body, headers=NEW)
