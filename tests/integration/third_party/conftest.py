"""A server that takes the tokens of one other issuer, and that issuer, on loopback."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import pytest
from minato.clock import Clock
from minato.config.server import ServerSettings
from minato.tokens.third_party import Issuer

from tests.support.oidc_provider import OIDCProvider, serving_provider
from tests.support.postgres import Cluster
from tests.support.server import Minato, running, settings_for
from tests.support.waiting import until

SUBJECT = "user_2abcDEF"
FUNCTION = """
from starlette.responses import JSONResponse

async def handle(request):
    return JSONResponse({"called": True})
"""
SCHEMA = """
create table public.moorings (id int primary key, sailor text default (auth.jwt()->>'sub'), berth text);
alter table public.moorings enable row level security;
grant all on public.moorings to anon, authenticated, service_role;
create policy "own" on public.moorings for all to authenticated
    using (sailor = auth.jwt()->>'sub') with check (sailor = auth.jwt()->>'sub');
create table public.numbered (id int primary key, owner uuid);
alter table public.numbered enable row level security;
grant all on public.numbered to anon, authenticated, service_role;
create policy "own" on public.numbered for all to authenticated using (owner = auth.uid());
insert into public.numbered values (1, gen_random_uuid());
alter publication supabase_realtime add table public.moorings, public.numbered;
create policy "members" on realtime.messages for all to authenticated
    using (realtime.topic() = 'deck-' || (auth.jwt()->>'sub'))
    with check (realtime.topic() = 'deck-' || (auth.jwt()->>'sub'));
insert into storage.buckets (id, name) values ('logs', 'logs');
create policy "own" on storage.objects for all to authenticated
    using (owner_id = auth.jwt()->>'sub') with check (owner_id = auth.jwt()->>'sub');
"""


@dataclass
class Abroad:
    """The server and the issuer whose users it serves."""

    minato: Minato
    provider: OIDCProvider

    @property
    def issuer(self) -> Issuer:
        return self.minato.backend.third_party.issuers[self.provider.url]

    def token(self, subject: str = SUBJECT, **claims: Any) -> str:
        """A token as the issuer signs it now; a claim that is None is left out."""
        return self.provider.id_token(**{"sub": subject, "aud": "harbour", "role": "authenticated", **claims})

    def client(self, token: str | None = None) -> httpx.AsyncClient:
        """A client that speaks as a user of the issuer."""
        return self.minato.client(token or self.token())

    async def know(self, kid: str | None = None) -> None:
        """Wait until the server has the issuer's key."""
        wanted = kid or self.provider.kid
        await until(lambda: wanted in [key.kid for key in self.issuer.keys])


def settings_of(folder: Path, *issuers: str, **server: Any) -> ServerSettings:
    """Settings of a server that takes tokens of `issuers`."""
    known = {"data_dir": folder, "environment": "development", "web_root": None, "explain": "off"}
    return ServerSettings.model_validate({**known, "third_party_issuers": ",".join(issuers), **server})


@asynccontextmanager
async def going_abroad(cluster: Cluster, folder: Path, *, knows: bool = True, **server: Any) -> AsyncIterator[Abroad]:
    """An issuer and a server of their own; by default the block begins when the keys are there."""
    async with serving_provider(Clock()) as provider, cluster.fresh_database() as address:
        settings = settings_for(folder, server=settings_of(folder, provider.url, **server))
        async with running(address, settings) as minato:
            provider.clock = minato.backend.clock
            abroad = Abroad(minato, provider)
            if knows:
                await abroad.know()
            yield abroad


@pytest.fixture(scope="module")
async def abroad(cluster: Cluster) -> AsyncIterator[Abroad]:
    """Shared by a module, with tables whose policies read `auth.jwt()`, and a function that wants a token."""
    with TemporaryDirectory(dir="/var/tmp") as name:
        folder = Path(name)
        function = folder / "supabase" / "functions" / "quay" / "main.py"
        function.parent.mkdir(parents=True)
        function.write_text(FUNCTION)
        async with going_abroad(cluster, folder / "data", project=folder) as found:
            await found.minato.db.execute(SCHEMA)
            await found.minato.db.execute("notify pgrst, 'reload schema'")
            yield found
