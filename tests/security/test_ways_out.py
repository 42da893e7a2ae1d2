"""What an administrator enters while the server runs leads to the public internet, never into the operator's network.

`idp.test` is a provider in a network that a setting allows; `inside.test` is a machine that must not be called, and the
tests look whether anybody connected to it.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from minato.clock import Clock
from minato.config.auth import AuthSettings
from minato.config.server import ServerSettings
from minato.http.outgoing import OutgoingError, PublicOutgoing
from minato.http.public_addresses import PublicAddresses
from pydantic import SecretStr

from tests.integration.auth.oauth.test_custom_providers import KNOWN, PROVIDERS
from tests.integration.auth.oauth.test_single_sign_on import PROVIDERS as ORGANISATIONS
from tests.integration.auth.oauth.walk import NEW, Harbour
from tests.support.loopback import Told, loopback
from tests.support.oidc_provider import serving_provider
from tests.support.postgres import Cluster
from tests.support.saml_idp import private_key
from tests.support.server import running, settings_for
from tests.support.tls import self_signed

INSIDE = "127.0.0.2"


@dataclass
class Port:
    """The operator's server, a provider it may call, and a machine inside that notes whoever connects."""

    harbour: Harbour
    names: dict[str, list[str]]
    inside: str
    called: list[str]

    async def enter(self, name: str, **endpoints: str) -> httpx.Response:
        """An OIDC provider whose discovery document says `endpoints`."""
        provider, minato = self.harbour.provider, self.harbour.minato
        provider.endpoints = endpoints
        body = {"provider_type": "oidc", "identifier": f"custom:{name}", "issuer": provider.url, **KNOWN}
        async with minato.client(minato.service_role_key, **NEW) as admin:
            return await admin.post(PROVIDERS, json=body)


@pytest.fixture(scope="module")
async def port(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Port]:
    certificate = self_signed(tmp_path_factory.mktemp("tls"), "idp.test", "inside.test")
    # Addresses of a name are used up one by one; the last one stays.
    names = {"idp.test": ["127.0.0.1"], "inside.test": [INSIDE]}
    called: list[str] = []
    known = socket.getaddrinfo

    def resolve(host: Any, *rest: Any, **named: Any) -> Any:
        found = names.get(host.decode() if isinstance(host, bytes) else host)
        return known(host if not found else found.pop(0) if len(found) > 1 else found[0], *rest, **named)

    async def note(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        called.append(str(writer.get_extra_info("peername")))
        writer.close()

    folder = tmp_path_factory.mktemp("data")
    auth = AuthSettings(
        external_private_networks="127.0.0.1/32",
        uri_allow_list="https://app.example/**",
        saml_enabled=True,
        saml_private_key=SecretStr(private_key()),
    )
    production = ServerSettings(data_dir=folder, environment="production", web_root=None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(certificate))
        patch.setattr(socket, "getaddrinfo", resolve)
        async with serving_provider(Clock(), certificate) as provider, cluster.fresh_database() as address:
            listener = await asyncio.start_server(note, INSIDE, 0)
            inside = f"https://inside.test:{listener.sockets[0].getsockname()[1]}"
            provider.url = provider.url.replace("localhost", "idp.test")
            async with running(address, settings_for(folder, auth=auth, server=production)) as minato:
                provider.clock = minato.backend.clock
                yield Port(Harbour(minato, provider), names, inside, called)
            listener.close()


async def test_a_provider_in_an_allowed_network_signs_people_in(port: Port) -> None:
    assert (await port.enter("allowed")).status_code == 201
    email = port.harbour.meet()
    end = await port.harbour.sign_in("custom:allowed")
    claims = port.harbour.minato.backend.keys.verify(end.fragment["access_token"])
    assert claims["email"] == email


async def test_a_discovery_document_cannot_send_the_code_and_the_secret_inside(port: Port) -> None:
    await port.enter("token", token_endpoint=f"{port.inside}/token")
    port.harbour.meet()
    end = await port.harbour.sign_in("custom:token")
    assert (end.query["error"], end.query["error_code"]) == ("server_error", "unexpected_failure")
    assert port.called == []


async def test_a_discovery_document_cannot_have_userinfo_asked_for_inside(port: Port) -> None:
    await port.enter("userinfo", userinfo_endpoint=f"{port.inside}/userinfo")
    port.harbour.meet()
    port.harbour.provider.sends_id_token = False
    end = await port.harbour.sign_in("custom:userinfo")
    port.harbour.provider.sends_id_token = True
    assert (end.query["error"], end.query["error_code"]) == ("server_error", "unexpected_failure")
    assert port.called == []


async def test_a_discovery_document_cannot_have_keys_asked_for_inside(port: Port) -> None:
    await port.enter("keys", jwks_uri=f"{port.inside}/jwks")
    port.harbour.meet()
    body = {"provider": "custom:keys", "id_token": port.harbour.provider.id_token()}
    async with port.harbour.minato.client(**NEW) as client:
        refused = await client.post("/auth/v1/token?grant_type=id_token", json=body)
    assert (refused.status_code, refused.json()["error_description"]) == (400, "Bad ID token")
    assert port.called == []


async def test_a_name_that_changed_its_address_after_the_check_is_not_called(port: Port) -> None:
    issuer = port.inside.replace("inside.test", "rebound.test")
    port.names["rebound.test"] = ["8.8.8.8", INSIDE]
    body = {"provider_type": "oidc", "identifier": "custom:rebound", "issuer": issuer, **KNOWN}
    async with port.harbour.minato.client(port.harbour.minato.service_role_key, **NEW) as admin:
        refused = await admin.post(PROVIDERS, json=body)
    assert (refused.status_code, refused.json()["code"]) == (400, "validation_failed")
    assert port.called == []


async def test_a_connection_goes_to_the_address_that_was_judged(port: Port) -> None:
    """Between judging and connecting the name is not resolved again."""
    _, _, number = port.harbour.provider.url.rpartition(":")
    port.names["idp.test"] = ["127.0.0.1", INSIDE]
    outgoing = PublicOutgoing(PublicAddresses(port.harbour.minato.backend.settings.auth.private_networks))
    reply = await outgoing.get(f"https://idp.test:{number}/jwks", seconds=5)
    await outgoing.close()
    port.names["idp.test"] = ["127.0.0.1"]
    assert (reply.status, port.called) == (200, [])


async def test_the_certificate_is_that_of_the_name_and_not_of_the_address(port: Port) -> None:
    _, _, number = port.harbour.provider.url.rpartition(":")
    port.names["other.test"] = ["127.0.0.1"]
    outgoing = PublicOutgoing(PublicAddresses(port.harbour.minato.backend.settings.auth.private_networks))
    with pytest.raises(OutgoingError, match="certificate"):
        await outgoing.get(f"https://other.test:{number}/jwks", seconds=5)
    await outgoing.close()


async def test_an_endpoint_without_tls_is_refused_when_the_provider_is_entered(port: Port) -> None:
    for name in ("authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"):
        refused = await port.enter("plain", **{name: "http://idp.test/x"})
        assert (refused.status_code, f"{name} must use HTTPS" in refused.json()["message"]) == (400, True)


async def test_metadata_of_an_organisation_is_not_fetched_from_inside(port: Port) -> None:
    url = f"{port.inside}/metadata.xml"
    async with port.harbour.minato.client(port.harbour.minato.service_role_key, **NEW) as admin:
        refused = await admin.post(ORGANISATIONS, json={"type": "saml", "metadata_url": url})
    assert (refused.status_code, refused.json()["code"]) == (400, "saml_metadata_fetch_failed")
    assert port.called == []


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/x",
        "https://2130706433/x",
        "https://0x7f.1/x",
        "https://[::1]/x",
        "https://[::ffff:127.0.0.1]/x",
        "https://[64:ff9b::a9fe:a9fe]/x",
        "https://[2002:7f00:1::]/x",
        "https://[fe80::1]/x",
        "https://[fd00::1]/x",
        "https://169.254.169.254/latest/meta-data/",
        "https://100.64.0.1/x",
        "https://192.168.0.1/x",
        "https://0.0.0.0/x",
        "https://255.255.255.255/x",
        "https://240.0.0.1/x",
        "https://[::]/x",
        "https://user:pass@127.0.0.1/x",
        "http://8.8.8.8/x",
        "file:///etc/passwd",
        "https:///x",
        "https://\u2488.com@127.0.0.1/x",
    ],
)
async def test_no_spelling_of_a_private_address_is_called(url: str) -> None:
    outgoing = PublicOutgoing(PublicAddresses())
    with pytest.raises(OutgoingError, match=r"cannot resolve to|only https|is none|unable to resolve"):
        await outgoing.get(url, seconds=5)
    await outgoing.close()


async def test_a_redirect_is_not_followed(minato: Any) -> None:
    """Nobody's answer chooses who is called next, not even of those the operator trusts."""
    async with loopback() as inside:
        async with loopback(lambda _: Told(302, headers={"location": inside.url})) as outside:
            reply = await minato.backend.outgoing.get(outside.url, seconds=5)
    assert (reply.status, inside.asked) == (302, [])


async def test_an_answer_that_unpacks_into_more_is_not_unpacked(minato: Any) -> None:
    body = b"\x1f\x8b packed"
    async with loopback(lambda _: Told(200, body, headers={"content-encoding": "gzip"})) as outside:
        reply = await minato.backend.outgoing.get(outside.url, seconds=5)
    assert (reply.body, outside.asked[0].headers["accept-encoding"]) == (body, "identity")
