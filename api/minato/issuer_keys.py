"""The keys of other issuers, fetched beside the requests: at the start, every ten minutes, and when one is missed.

What an issuer answers is never trusted to be in time, small, JSON or its own. A fetch that fails leaves the keys that
were there, and is told once, as is that it goes again.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

import orjson
import structlog

from minato.clock import Clock
from minato.config.third_party import why_unsafe
from minato.http.outgoing import Outgoing, OutgoingError
from minato.json_text import JsonObject
from minato.tokens.jwk_set import public_keys
from minato.tokens.keys import Key
from minato.tokens.third_party import Issuer

# Seconds in which an issuer must answer; from one fetch to the next; after one that failed; and at least, whatever
# tokens name.
SECONDS: Final = 5.0
EVERY: Final = 600.0
AGAIN: Final = 30.0
SELDOM: Final = 30.0
MOST_KEYS: Final = 100
# Characters of a reason, which may be the issuer's own words.
LONGEST: Final = 300


class NotFetched(Exception):
    """Why there are no keys; the text says so, without any token."""


class IssuerKeys:
    """Keeps the keys of one issuer fresh."""

    def __init__(
        self, issuer: Issuer, outgoing: Outgoing, clock: Clock, log: structlog.stdlib.BoundLogger, production: bool
    ) -> None:
        self._issuer = issuer
        self._outgoing = outgoing
        self._clock = clock
        self._log = log
        self._production = production
        self._asked = asyncio.Event()
        self._last: float | None = None
        self._failed = False
        issuer.missed = self.ask

    def ask(self) -> None:
        """Fetch at once, unless that was done a moment ago."""
        if self._last is None or self._clock.monotonic() - self._last >= SELDOM:
            self._asked.set()

    async def run(self) -> None:
        """Fetch, now and whenever it is time, until cancelled."""
        while True:
            await self._refresh()
            with suppress(TimeoutError):
                async with asyncio.timeout(AGAIN if self._failed else EVERY):
                    await self._asked.wait()

    async def _refresh(self) -> None:
        self._last = self._clock.monotonic()
        self._asked.clear()
        try:
            keys = await self._fetch()
        except NotFetched as error:
            if not self._failed:
                reason = str(error)[:LONGEST]
                self._log.warning("the keys of an issuer can't be had", issuer=self._issuer.url, reason=reason)
            self._failed = True
            return
        if self._failed:
            self._log.info("the keys of an issuer are there again", issuer=self._issuer.url)
        self._failed = False
        self._issuer.replace(keys)

    async def _fetch(self) -> list[Key]:
        """The issuer's keys, none where it has withdrawn them all. Raises NotFetched."""
        document = await self._document(discovery_url(self._issuer.url))
        if document.get("issuer") != self._issuer.url:
            raise NotFetched(f"the document is of {document.get('issuer')!r}")
        address = document.get("jwks_uri")
        wrong = why_unsafe(address, self._production) if isinstance(address, str) else "is missing"
        if not isinstance(address, str) or wrong is not None:
            raise NotFetched(f"jwks_uri {wrong}")
        keys = (await self._document(address)).get("keys")
        if not isinstance(keys, list) or len(keys) > MOST_KEYS:
            raise NotFetched(f"{address} has no list of at most {MOST_KEYS} keys")
        return public_keys(keys)

    async def _document(self, url: str) -> JsonObject:
        """The JSON object at `url`; a redirect is none. Raises NotFetched."""
        try:
            reply = await self._outgoing.get(url, headers={"accept": "application/json"}, seconds=SECONDS)
            found = orjson.loads(reply.body) if reply.status == 200 else None
        except (OutgoingError, ValueError) as error:
            raise NotFetched(f"{url}: {error}") from None
        if not isinstance(found, dict):
            raise NotFetched(f"{url} answered {reply.status}, and no JSON object")
        return found


def discovery_url(issuer: str, url: str = "") -> str:
    """Where an issuer's discovery document is (OpenID Connect Discovery 1.0, 4), unless somebody has told.

    >>> discovery_url("https://harbour.eu.auth0.com/")
    'https://harbour.eu.auth0.com/.well-known/openid-configuration'
    """
    return url or issuer.rstrip("/") + "/.well-known/openid-configuration"
