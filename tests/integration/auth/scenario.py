"""A scenario of the tables: who asks what, the answer, and what it must leave behind."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import bcrypt
import httpx

from tests.integration.auth.test_journey import NEW, PASSWORD
from tests.support.server import Minato
from tests.support.waiting import PATIENCE

TABLES = ("users", "identities", "sessions", "refresh_tokens", "mfa_factors", "one_time_tokens", "webauthn_credentials")

# The cheapest bcrypt allows: signing in is not what these tables are about.
CHEAP_HASH = bcrypt.hashpw(PASSWORD.encode(), bcrypt.gensalt(4, prefix=b"2a")).decode()


@dataclass(frozen=True)
class Scenario:
    """`who` asks; `has` and `lacks` are texts of the answer, `mails` kinds sent, `rows` changes of table counts.

    In path and body `{own}`, `{other}`, `{own_email}`, `{other_email}`, `{new_email}` and `{unknown}` stand for ids and
    addresses of this run.
    """

    who: str
    request: str
    body: Any
    status: int
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    mails: tuple[str, ...] = ()
    rows: dict[str, int] = field(default_factory=dict)

    @property
    def accounts(self) -> list[str]:
        """Which of `own` and `other` it needs."""
        told = f"{self.request} {self.body} {{own}}" if self.who == "user" else f"{self.request} {self.body}"
        return [name for name in ("own", "other") if f"{{{name}" in told]

    def __str__(self) -> str:
        return f"{self.who}: {self.request} → {self.status} {' '.join(self.has)}"


class Stage:
    """A server of its own whose mail and rows are watched."""

    def __init__(self, minato: Minato) -> None:
        self.minato = minato

    async def play(self, scenario: Scenario) -> None:
        """The accounts it speaks of, fresh; the request; and everything the scenario says about it."""
        async with httpx.AsyncClient(base_url=self.minato.url, headers=NEW, timeout=PATIENCE) as client:
            accounts = {name: await self._open(client) for name in scenario.accounts}
            names = {name: account["user"]["id"] for name, account in accounts.items()}
            names |= {f"{name}_email": account["user"]["email"] for name, account in accounts.items()}
            names |= {"new_email": f"{uuid4().hex}@example.com", "unknown": str(uuid4())}
            before, sent = await self._counts(), self._mails(names)
            method, _, path = scenario.request.partition(" ")
            answer = await client.request(
                method,
                f"/auth/v1{_filled(path, names)}",
                json=_filled(scenario.body, names),
                headers=self._headers(scenario.who, accounts),
            )
        assert answer.status_code == scenario.status, answer.text
        assert [text for text in scenario.has if text not in answer.text] == [], answer.text
        secret = (PASSWORD, "encrypted_password", "confirmation_token", "recovery_token")
        assert [text for text in (*scenario.lacks, *secret) if text in answer.text] == [], answer.text
        after = await self._counts()
        assert {name: after[name] - before[name] for name in TABLES if after[name] != before[name]} == scenario.rows
        assert sorted(self._mails(names)[len(sent) :]) == sorted(scenario.mails)

    async def _open(self, client: httpx.AsyncClient) -> dict[str, Any]:
        email = f"{uuid4().hex}@example.com"
        body = {"email": email, "password_hash": CHEAP_HASH, "email_confirm": True}
        headers = {"authorization": f"Bearer {self.minato.service_role_key}"}
        await client.post("/auth/v1/admin/users", json=body, headers=headers)
        credentials = {"email": email, "password": PASSWORD}
        session: dict[str, Any] = (await client.post("/auth/v1/token?grant_type=password", json=credentials)).json()
        return session

    def _headers(self, who: str, accounts: dict[str, dict[str, Any]]) -> dict[str, str]:
        """`nobody` sends nothing, `anon` the anon key, `admin` the service key, `user` is the account `own`."""
        tokens = {"anon": self.minato.anon_key, "admin": self.minato.service_role_key}
        tokens |= {"user": accounts["own"]["access_token"]} if "own" in accounts else {}
        return {"authorization": f"Bearer {tokens[who]}"} if who in tokens else {}

    def _mails(self, names: dict[str, str]) -> list[str]:
        addresses = {value for name, value in names.items() if name.endswith("_email")}
        found = [entry.message for entry in self.minato.backend.outbox.find() if entry.message.to in addresses]
        return [mail.type for mail in reversed(found)]

    async def _counts(self) -> dict[str, int]:
        return {name: await self.minato.db.fetchval(f"select count(*) from auth.{name}") for name in TABLES}


def _filled(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _filled(item, names) for key, item in value.items()}
    if isinstance(value, str):
        for name, known in names.items():
            value = value.replace(f"{{{name}}}", known)
    return value
