"""The doors of what only a developer may see: which of them stays shut, and what a token opens."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest
from minato.dev.guard import NOT_LOCAL, TOKEN_NEEDED, WRONG_HOST, WRONG_ORIGIN, Guard, Refused

TOKEN = "a token of at least thirty-two characters"
BEARER = f"Bearer {TOKEN}"
IDP = "/_dev/idp/google/token"


def basic(password: str) -> str:
    """What a browser sends when its person was asked."""
    return f"Basic {b64encode(f'me:{password}'.encode()).decode()}"


def asked(peer: str = "127.0.0.1", **headers: str) -> dict[str, Any]:
    """A request from `peer`; `_` in a header's name stands for `-`."""
    sent = {"host": "127.0.0.1:54321", **{name.replace("_", "-"): value for name, value in headers.items()}}
    pairs = [(name.encode(), value.encode()) for name, value in sent.items()]
    known = {"path": "/_dev/v1/branches", "method": "POST", "query_string": b""}
    return {**known, "client": (peer, 1), "headers": pairs}


@pytest.mark.parametrize(
    ("scope", "door"),
    [
        (asked(), None),
        (asked(origin="http://127.0.0.1:54321"), None),
        (asked("10.0.0.7"), NOT_LOCAL),
        (asked(x_forwarded_for="10.0.0.7"), NOT_LOCAL),
        (asked(host="evil.example"), WRONG_HOST),
        (asked(origin="http://evil.example"), WRONG_ORIGIN),
        (asked(origin="null"), WRONG_ORIGIN),
        (asked(sec_fetch_site="cross-site"), WRONG_ORIGIN),
    ],
)
def test_the_first_door_that_stays_shut_is_named(scope: dict[str, Any], door: Refused | None) -> None:
    assert Guard().refusal(scope) is door


@pytest.mark.parametrize(
    ("scope", "door"),
    [
        (asked(), TOKEN_NEEDED),
        (asked(authorization="Bearer another one"), TOKEN_NEEDED),
        (asked(authorization=BEARER), None),
        (asked(authorization=basic(TOKEN)), None),
        (asked(authorization=basic("another one")), TOKEN_NEEDED),
        (asked(authorization="Basic é"), TOKEN_NEEDED),
        (asked(authorization="Basic /w=="), TOKEN_NEEDED),
        ({**asked(), "path": IDP}, None),
        ({**asked(), "path": IDP, "query_string": b"client%5fid="}, TOKEN_NEEDED),
        ({**asked(), "path": "/_dev/idp/saml/acme.example/metadata"}, None),
        ({**asked(), "path": "/_dev/idp/saml/acme.example/sso"}, TOKEN_NEEDED),
        ({**asked(origin="http://evil.example"), "path": IDP}, WRONG_ORIGIN),
        (asked("10.0.0.7", host="minato:54321", authorization=BEARER), None),
        (asked(x_forwarded_for="10.0.0.7", authorization=BEARER), None),
        (asked(origin="http://evil.example", authorization=BEARER), WRONG_ORIGIN),
    ],
)
def test_a_token_is_asked_of_everybody_and_lets_its_bearer_in_from_anywhere(
    scope: dict[str, Any], door: Refused | None
) -> None:
    assert Guard(TOKEN).refusal(scope) is door


def test_the_name_that_the_public_address_gives_this_machine_is_its_own() -> None:
    assert Guard(called="minato.test").refusal(asked(host="minato.test:54321")) is None
    assert Guard().refusal(asked(host="minato.test:54321")) is WRONG_HOST
