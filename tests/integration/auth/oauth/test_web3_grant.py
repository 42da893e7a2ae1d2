"""Signing in with a wallet of Solana or Ethereum."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest
from Crypto.Hash import keccak
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from ecdsa import SECP256k1, SigningKey
from ecdsa.util import sigencode_string
from minato.auth.web3.signed_message import address_of
from minato.config.auth import AuthSettings

from tests.integration.auth.oauth.walk import NEW
from tests.support.postgres import Cluster
from tests.support.server import Minato, running, settings_for

GRANT = "/auth/v1/token?grant_type=web3"
ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


class SolanaWallet:
    """An Ed25519 key; its address is the key itself."""

    chain, title, network = "solana", "Solana", "solana:mainnet"

    def __init__(self) -> None:
        self.key = Ed25519PrivateKey.generate()
        public = self.key.public_key().public_bytes_raw()
        number, self.address = int.from_bytes(public, "big"), ""
        while number:
            number, digit = divmod(number, 58)
            self.address = ALPHABET[digit] + self.address
        # One key in 256 begins with a zero.
        self.address = ALPHABET[0] * (len(public) - len(public.lstrip(b"\0"))) + self.address

    def sign(self, message: str) -> str:
        return base64.b64encode(self.key.sign(message.encode())).decode()


class EthereumWallet:
    """A secp256k1 key; its address is the end of a hash of the key."""

    chain, title, network = "ethereum", "Ethereum", "1"

    def __init__(self) -> None:
        self.key = SigningKey.generate(SECP256k1)
        self.address = address_of(self.key.get_verifying_key().to_string())

    def sign(self, message: str) -> str:
        raw = message.encode()
        prefixed = b"\x19Ethereum Signed Message:\n" + str(len(raw)).encode() + raw
        digest = keccak.new(digest_bits=256, data=prefixed).digest()
        signature: bytes = self.key.sign_digest(digest, sigencode=sigencode_string)
        return f"0x{signature.hex()}1b"


Wallet = SolanaWallet | EthereumWallet


@pytest.fixture(scope="module")
async def port(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Minato]:
    """A server for both chains."""
    auth = AuthSettings(
        external_web3_solana_enabled=True, external_web3_ethereum_enabled=True, site_url="https://app.example"
    )
    async with cluster.fresh_database() as address:
        async with running(address, settings_for(tmp_path_factory.mktemp("data"), auth=auth)) as minato:
            yield minato


@pytest.fixture(params=[SolanaWallet, EthereumWallet])
def wallet(request: pytest.FixtureRequest) -> Wallet:
    made: Wallet = request.param()
    return made


def message(minato: Minato, wallet: Wallet, domain: str = "app.example", **fields: str | None) -> str:
    """What the wallet shows; `fields` replace or, as None, leave out lines."""
    now = minato.backend.clock.now()
    known = {"URI": "https://app.example/sign-in", "Version": "1", "Chain ID": wallet.network, "Nonce": "12345678"}
    known["Issued At"] = written(now)
    lines = [f"{name}: {value}" for name, value in {**known, **fields}.items() if value is not None]
    first = f"{domain} wants you to sign in with your {wallet.title} account:"
    return "\n".join([first, wallet.address, "", "Ahoy.", "", *lines])


def written(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


async def grant(minato: Minato, wallet: Wallet, text: str, **body: Any) -> httpx.Response:
    given = {"chain": wallet.chain, "message": text, "signature": wallet.sign(text), **body}
    async with httpx.AsyncClient(base_url=minato.url, headers=NEW) as client:
        return await client.post(GRANT, json=given)


async def test_a_wallet_opens_the_same_account_again(port: Minato, wallet: Wallet) -> None:
    first = await grant(port, wallet, message(port, wallet))
    assert first.status_code == 200, first.text
    user = first.json()["user"]
    assert (user["email"], user["app_metadata"]["provider"]) == ("", "web3")
    assert user["identities"][0]["id"] == f"web3:{wallet.chain}:{wallet.address}"
    claims = user["identities"][0]["identity_data"]["custom_claims"]
    assert claims == {
        "address": wallet.address,
        "chain": wallet.chain,
        "network": wallet.network,
        "domain": "app.example",
        "statement": "Ahoy.",
    }
    assert port.backend.keys.verify(first.json()["access_token"])["amr"][0]["method"] == "web3"
    again = await grant(port, wallet, message(port, wallet))
    assert again.json()["user"]["id"] == user["id"]


async def test_somebody_elses_signature_is_refused(port: Minato, wallet: Wallet) -> None:
    text, other = message(port, wallet), type(wallet)()
    for signature in (other.sign(text), wallet.sign(text + " ")):
        answer = await grant(port, wallet, text, signature=signature)
        assert (answer.status_code, answer.json()) == (
            400,
            {"error": "invalid_grant", "error_description": "Signature does not match address in message"},
        )


async def test_signatures_nobody_can_make_are_refused(port: Minato) -> None:
    wallet = EthereumWallet()
    text = message(port, wallet)
    for signature in ("0x" + "00" * 65, "0x" + "ff" * 65, "0x" + "zz" * 65, "0x" + "01" * 64 + "1b", "01" * 65):
        answer = await grant(port, wallet, text, signature=signature)
        assert answer.json()["error_description"] == "Signature does not match address in message"


@pytest.mark.parametrize(
    ("fields", "description"),
    [
        ({"URI": "http://app.example/"}, "Signed {} message is using URI which does not use HTTPS"),
        (
            {"URI": "https://evil.example/"},
            "Signed {} message is using URI which is not allowed on this server, message was signed for another app",
        ),
        (
            {"domain": "evil.example"},
            "Signed {} message is using a Domain that does not match the one in URI "
            "which is not allowed on this server",
        ),
        ({"Not Before": 60}, "Signed {} message becomes valid in the future"),
        ({"Issued At": -300, "Not Before": -300, "Expiration Time": -60}, "Signed {} message is expired"),
        ({"Issued At": -601}, "{} message was issued too long ago"),
        ({"Issued At": 660}, "{} message was issued too far in the future"),
    ],
)
async def test_a_message_for_another_app_or_time_is_refused(
    port: Minato, wallet: Wallet, fields: dict[str, Any], description: str
) -> None:
    now = port.backend.clock.now()
    told = {
        name: written(now + timedelta(seconds=value)) if isinstance(value, int) else value
        for name, value in fields.items()
    }
    answer = await grant(port, wallet, message(port, wallet, **told))
    assert (answer.status_code, answer.json()) == (
        400,
        {"error": "invalid_grant", "error_description": description.format(wallet.title)},
    )


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"domain": "app"}, "domain in first line of message is not valid"),
        ({"URI": "nowhere"}, "URI is not valid"),
        ({"URI": None}, "URI is not specified"),
        ({"Version": "2"}, 'Version value is not supported, expected 1 got "2"'),
        ({"Chain ID": "x"}, "Chain ID is not valid"),
        ({"Issued At": None}, "Issued At is not specified"),
        ({"Issued At": "today"}, "Issued At is not a valid ISO8601 timestamp"),
        ({"Expiration Time": "1999-01-01T00:00:00Z"}, "Issued At is after Expiration Time"),
        ({"Resources": "\n- nowhere"}, "Resource at position 0 has invalid URI"),
    ],
)
async def test_a_message_outside_the_grammar_is_refused(
    port: Minato, wallet: Wallet, fields: dict[str, Any], reason: str
) -> None:
    text = message(port, wallet, **fields).replace("Resources: \n", "Resources:\n")
    answer = await grant(port, wallet, text)
    prefix = {"solana": "siws", "ethereum": "siwe"}[wallet.chain]
    assert (answer.status_code, answer.json()) == (
        400,
        {"code": "validation_failed", "message": f"{prefix}: {reason}"},
    )


async def test_what_cannot_be_a_message_or_signature_is_refused(port: Minato, wallet: Wallet) -> None:
    text = message(port, wallet)
    long_signature = {
        "solana": "signature must be 64 bytes encoded as base64 with or without padding",
        "ethereum": "signature must be 65 bytes long, encoded as a 130 character-long hexadecimal string",
    }[wallet.chain]
    for body, told in (
        ({"message": "short"}, "message is too short"),
        ({"message": "x" * 20481}, "message must not exceed 20KB"),
        ({"signature": "x"}, long_signature),
    ):
        answer = await grant(port, wallet, text, **body)
        assert answer.json() == {"code": "validation_failed", "message": told}
    other = await grant(port, wallet, text, chain="bitcoin")
    assert (other.status_code, other.json()["code"]) == (400, "web3_unsupported_chain")


async def test_wallets_are_off_by_default(minato: Minato, wallet: Wallet) -> None:
    answer = await grant(minato, wallet, message(minato, wallet))
    assert (answer.status_code, answer.json()) == (
        422,
        {"code": "web3_provider_disabled", "message": "Web3 provider is disabled"},
    )
