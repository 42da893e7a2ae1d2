"""What auth draws at random for others to keep: as many characters as the docstring says, of one alphabet."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from minato.auth.external.client_states import new_verifier
from minato.auth.factors.webauthn import RelyingParty, creation_options
from minato.auth.oauth_server.clients import new_secret
from minato.auth.wire.redirects import is_allowed
from minato.entropy import Entropy

BASE64URL = re.compile(r"[A-Za-z0-9_-]{43}")


@pytest.mark.parametrize("make", [new_verifier, new_secret])
def test_a_secret_is_256_bits_in_43_characters_without_padding(make: Callable[[Entropy], str]) -> None:
    first, second = make(Entropy()), make(Entropy())
    assert BASE64URL.fullmatch(first)
    assert BASE64URL.fullmatch(second)
    assert first != second


def test_keys_are_asked_for_by_the_algorithms_of_the_reference_in_its_order() -> None:
    """go-webauthn's defaults: ES256 to ES512, RS256 to RS512, PS256 to PS512, EdDSA."""
    party = RelyingParty("shop.test", "Shop", ("https://shop.test",))
    user = {"name": "anna", "displayName": "Anna", "id": "1"}
    options = creation_options(party, b"challenge", user, [], passkey=True)
    assert options["pubKeyCredParams"] == [
        {"type": "public-key", "alg": number} for number in (-7, -35, -36, -257, -258, -259, -37, -38, -39, -8)
    ]


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("host", ["shop_.test", "%65vil.test", "evil.test%2f", "-shop.test"])
def test_a_host_that_readers_take_apart_differently_is_no_target_however_wide_the_globs(scheme: str, host: str) -> None:
    assert not is_allowed(f"{scheme}://{host}/", "https://shop.test", ["**"])
    assert is_allowed(f"{scheme}://other.test/", "https://shop.test", ["**"])
