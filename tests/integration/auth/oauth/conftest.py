"""`harbour`: a server whose users may sign in through a provider on loopback, and that provider."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from minato.clock import Clock
from minato.config.auth import AuthSettings
from minato.config.auth_external import PROVIDERS, ProviderSettings
from pydantic import SecretStr

from tests.integration.auth.oauth.walk import Harbour
from tests.support.oidc_provider import CLIENT_ID, CLIENT_SECRET, serving_provider
from tests.support.postgres import Cluster
from tests.support.server import running, settings_for
from tests.support.tls import self_signed


def auth_settings(url: str, **further: object) -> AuthSettings:
    """Every provider enabled at `url`."""
    one = ProviderSettings(enabled=True, client_id=f"{CLIENT_ID},harbour-ios", secret=SecretStr(CLIENT_SECRET), url=url)
    known = {"external": dict.fromkeys(PROVIDERS, one), "security_manual_linking_enabled": True}
    known |= {
        "external_allowed_id_token_issuers": url,
        "external_allowed_id_token_client_ids": CLIENT_ID,
        "uri_allow_list": "https://app.example/**",
    }
    return AuthSettings.model_validate({**known, **further})


@asynccontextmanager
async def secure_harbour(cluster: Cluster, folder: Path) -> AsyncIterator[Harbour]:
    """A server and a provider that speaks https."""
    certificate = self_signed(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(certificate))
        async with serving_provider(Clock(), certificate) as provider, cluster.fresh_database() as address:
            settings = settings_for(folder, auth=auth_settings(provider.url))
            async with running(address, settings) as minato:
                provider.clock = minato.backend.clock
                yield Harbour(minato, provider)


@pytest.fixture(scope="module")
async def harbour(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Harbour]:
    async with serving_provider(Clock()) as provider, cluster.fresh_database() as address:
        settings = settings_for(tmp_path_factory.mktemp("data"), auth=auth_settings(provider.url))
        async with running(address, settings) as minato:
            provider.clock = minato.backend.clock
            yield Harbour(minato, provider)
