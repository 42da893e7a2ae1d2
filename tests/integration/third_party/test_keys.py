"""The keys of another issuer come beside the requests, follow its changes, and never keep the server from starting."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog
from minato.background import ended
from minato.clock import Clock
from minato.http.outgoing import Outgoing
from minato.issuer_keys import IssuerKeys
from minato.tokens.third_party import Issuer
from structlog.testing import LogCapture

from tests.integration.third_party.conftest import Abroad, going_abroad, settings_of
from tests.support.oidc_provider import OIDCProvider, serving_provider
from tests.support.postgres import Cluster
from tests.support.server import running, settings_for
from tests.support.waiting import until

LATER = timedelta(seconds=31)
USERS = frozenset({"authenticated"})


async def allowed(abroad: Abroad, token: str) -> bool:
    """Whether the data API knows who asks: there is no such function."""
    async with abroad.client(token) as client:
        status = (await client.get("/rest/v1/rpc/nothing")).status_code
    assert status in (401, 404)
    return status == 404


async def test_a_new_key_is_fetched_when_a_token_names_it_and_a_withdrawn_one_counts_no_more(
    cluster: Cluster, tmp_path: Path
) -> None:
    async with going_abroad(cluster, tmp_path) as abroad:
        before = abroad.token()
        assert await allowed(abroad, before)
        abroad.provider.rotate()
        after = abroad.token()
        # It was asked a moment ago, and whoever makes up names of keys doesn't make the server ask again.
        assert not await allowed(abroad, after)
        assert await allowed(abroad, before)
        abroad.minato.backend.clock.advance(LATER)
        assert not await allowed(abroad, after)
        await abroad.know()
        assert await allowed(abroad, after)
        assert not await allowed(abroad, before)


async def test_an_issuer_that_is_away_at_the_start_is_asked_again(cluster: Cluster, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    settings = settings_for(tmp_path, server=settings_of(tmp_path, f"http://127.0.0.1:{port}"))
    async with cluster.fresh_database() as address, running(address, settings) as minato:
        async with minato.client() as client:
            assert (await client.get("/readyz")).status_code == 200
        async with serving_provider(minato.backend.clock, port=port) as provider:
            abroad = Abroad(minato, provider)
            assert not await allowed(abroad, abroad.token())
            minato.backend.clock.advance(LATER)
            await allowed(abroad, abroad.token())
            await abroad.know()
            assert await allowed(abroad, abroad.token())


# Without a server: what is fetched, and what is said of it.


@asynccontextmanager
async def keeping(
    provider: OIDCProvider, capture: LogCapture, production: bool = False
) -> AsyncIterator[tuple[Issuer, IssuerKeys]]:
    """The keys of the provider, kept until the block ends."""
    log = structlog.wrap_logger(None, processors=[capture], wrapper_class=structlog.stdlib.BoundLogger)
    outgoing, issuer = Outgoing(), Issuer(provider.url, USERS)
    kept = IssuerKeys(issuer, outgoing, provider.clock, log, production)
    task = asyncio.create_task(kept.run())
    try:
        yield issuer, kept
    finally:
        await ended(task)
        await outgoing.close()


async def fetched(provider: OIDCProvider, kept: IssuerKeys) -> None:
    """Fetch once more, and wait until it was asked."""
    before = provider.discoveries
    provider.clock.advance(LATER)
    kept.ask()
    await until(lambda: provider.discoveries > before)


def names(issuer: Issuer) -> list[str | None]:
    return [key.kid for key in issuer.keys]


def messages(capture: LogCapture) -> list[tuple[str, str]]:
    return [(entry["log_level"], entry.get("reason", "")) for entry in capture.entries]


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "another's document": ({"issuer": "https://evil.example"}, "the document is of 'https://evil.example'"),
    "no address of keys": ({"jwks_uri": None}, "jwks_uri is missing"),
    "keys in the clear": ({"jwks_uri": "http://keys.example/"}, "jwks_uri must be https, but at this machine itself"),
    "keys in a file": ({"jwks_uri": "file:///etc/passwd"}, "jwks_uri is no https URL"),
    "nobody there": ({"jwks_uri": "http://127.0.0.1:9/"}, "http://127.0.0.1:9/: "),
    "no set of keys": ({"jwks_uri": "{url}/.well-known/openid-configuration"}, "has no list of at most 100 keys"),
    "too many keys": ({"jwks_uri": "{url}/many"}, "has no list of at most 100 keys"),
    "too large": ({"jwks_uri": "{url}/large"}, "the reply has more than 1048576 bytes"),
    "a redirect": ({"jwks_uri": "{url}/authorize?redirect_uri=x&state=y"}, "answered 302, and no JSON object"),
    "no JSON": ({"jwks_uri": "{url}/text"}, "answered 200, and no JSON object"),
    "an error": ({"jwks_uri": "{url}/nothing"}, "answered 404, and no JSON object"),
}


@pytest.mark.parametrize("what", WRONG)
async def test_what_an_issuer_answers_wrongly_leaves_the_keys_that_were_there(what: str) -> None:
    endpoints, reason = WRONG[what]
    capture = LogCapture()
    async with serving_provider(Clock()) as provider, keeping(provider, capture) as (issuer, kept):
        await until(lambda: bool(issuer.keys))
        known = provider.kid
        provider.rotate()
        provider.open_documents = {
            "/many": {"keys": provider.keys * 101},
            "/large": {"keys": [], "more": "x" * 2**20},
            "/text": "text",
        }
        provider.endpoints = {name: value and value.format(url=provider.url) for name, value in endpoints.items()}
        await fetched(provider, kept)
        await until(lambda: bool(capture.entries))
        assert names(issuer) == [known]
        [(level, told)] = messages(capture)
        assert level == "warning"
        assert reason in told


async def test_each_change_is_told_once() -> None:
    capture = LogCapture()
    async with serving_provider(Clock()) as provider, keeping(provider, capture) as (issuer, kept):
        await until(lambda: bool(issuer.keys))
        provider.endpoints = {"issuer": "https://evil.example"}
        await fetched(provider, kept)
        await fetched(provider, kept)
        provider.endpoints = {}
        provider.rotate()
        await fetched(provider, kept)
        await until(lambda: names(issuer) == [provider.kid])
        assert [level for level, _ in messages(capture)] == ["warning", "info"]


async def test_an_issuer_that_withdraws_its_keys_has_none() -> None:
    capture = LogCapture()
    async with serving_provider(Clock()) as provider, keeping(provider, capture) as (issuer, kept):
        await until(lambda: bool(issuer.keys))
        provider.open_documents = {"/none": {"keys": []}}
        provider.endpoints = {"jwks_uri": f"{provider.url}/none"}
        await fetched(provider, kept)
        await until(lambda: not issuer.keys)
        assert capture.entries == []


async def test_who_asks_again_and_again_is_heard_every_thirty_seconds() -> None:
    capture = LogCapture()
    async with serving_provider(Clock()) as provider, keeping(provider, capture) as (issuer, kept):
        await until(lambda: bool(issuer.keys))
        for _ in range(20):
            kept.ask()
        await fetched(provider, kept)
        kept.ask()
        await fetched(provider, kept)
        assert provider.discoveries == 3


async def test_production_takes_no_keys_in_the_clear() -> None:
    capture = LogCapture()
    async with serving_provider(Clock()) as provider, keeping(provider, capture, production=True) as (issuer, _):
        await until(lambda: bool(capture.entries))
        assert messages(capture) == [("warning", "jwks_uri must be https in production")]
        assert not issuer.keys
