"""Accounts that have ended: their open channels are closed, and they join none until their tokens expire.

A token tells nothing of its account after it was made. Those that our own sign-in made name a session; whose they are
is looked up now and then, for all of them at once. Any other issuer's accounts are unknown here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from uuid import UUID

from sqlalchemy import bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.dialects.postgresql import UUID as UUID_TYPE

from minato.background import Supervisor, ended
from minato.clock import Clock
from minato.database.database import Database
from minato.realtime.access_token import ChannelToken

ROLE = "supabase_auth_admin"
# Seconds; nobody lets an access token live for longer than a week.
LONGEST_TOKEN = 7 * 24 * 3600
ACCOUNT_ENDED = "The account of this token has ended"
LIVING = text(
    "select id from auth.users where id = any(:ids) and deleted_at is null"
    " and (banned_until is null or banned_until <= :now)"
).bindparams(bindparam("ids", type_=ARRAY(UUID_TYPE(as_uuid=True))))

End = Callable[[str], Awaitable[None]]


class Accounts:
    """Who has channels open; `interval` is the seconds between two looks at them, 0 for none."""

    def __init__(self, database: Database, clock: Clock, supervisor: Supervisor, interval: float) -> None:
        self._database = database
        self._clock = clock
        self._supervisor = supervisor
        self._interval = interval
        self._channels: dict[UUID, dict[str, End]] = {}
        self._ended: dict[UUID, float] = {}
        self._looking: asyncio.Task[None] | None = None

    def start(self) -> None:
        if self._interval:
            self._looking = self._supervisor.begin("looking at accounts", self.look, self._interval)

    async def stop(self) -> None:
        await ended(self._looking)

    def has_ended(self, token: ChannelToken) -> bool:
        """Whether the account of `token` was found to have ended."""
        account = _account(token)
        return account is not None and account in self._ended

    def watch(self, token: ChannelToken, instance: str, end: End) -> None:
        """Let `end` of the channel `instance` hear when the account of `token` ends."""
        account = _account(token)
        if account is not None:
            self._channels.setdefault(account, {})[instance] = end

    def forget(self, token: ChannelToken, instance: str) -> None:
        """The opposite; forgetting twice is fine."""
        account = _account(token)
        channels = self._channels.get(account, {}) if account is not None else {}
        channels.pop(instance, None)
        if account is not None and not channels:
            self._channels.pop(account, None)

    async def look(self) -> None:
        """Close the channels of whoever has ended since."""
        asked = {*self._channels, *self._ended}
        if not asked:
            return
        living = await self._living(asked)
        for account in asked - living:
            self._ended.setdefault(account, self._clock.monotonic())
            for end in list(self._channels.get(account, {}).values()):
                await end(ACCOUNT_ENDED)
        now = self._clock.monotonic()
        self._ended = {
            account: since
            for account, since in self._ended.items()
            if account not in living and now - since < LONGEST_TOKEN
        }

    async def _living(self, accounts: Collection[UUID]) -> set[UUID]:
        async with self._database.engine(ROLE).connect() as connection:
            rows = await connection.execute(LIVING, {"ids": list(accounts), "now": self._clock.now()})
            return set(rows.scalars())


def _account(token: ChannelToken) -> UUID | None:
    """The account of a token that our sign-in made."""
    subject = token.caller.subject
    if subject is None or not token.caller.has_session:
        return None
    try:
        return UUID(subject)
    except ValueError:
        return None
