"""Parts of hooks that need no server: signatures, settings, claims."""

from __future__ import annotations

from typing import Any

import pytest
from minato.auth.hooks.http_hook import signed_headers
from minato.auth.hooks.points import REQUIRED, require_claims
from minato.auth.wire.errors import AuthError
from minato.config.auth import AuthSettings
from minato.config.base import seconds
from pydantic import ValidationError

SECRET = "v1,whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def test_a_message_is_signed_as_in_the_specification() -> None:
    # The example of standardwebhooks.com's libraries.
    headers = signed_headers([SECRET], "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    both = signed_headers([SECRET, SECRET], "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    assert both["webhook-signature"].count("v1,g0hM9SsE") == 2


@pytest.mark.parametrize(
    ("uri", "secrets", "flaw"),
    [
        ("pg-functions://postgres/public/f", "", None),
        ("http://localhost:1/x", SECRET, None),
        ("https://example.com/x", f"{SECRET}|{SECRET}", None),
        ("http://example.com/x", "", "only localhost"),
        ("ftp://example.com/x", "", "only postgres hooks"),
        ("https://example.com/x", "v1,whsec_short", "invalid secret format"),
        ("pg-functions://postgres/public", "", "is no name"),
        ("pg-functions://postgres/public/f;drop", "", "is no name"),
    ],
)
def test_a_server_with_an_unsound_hook_does_not_start(uri: str, secrets: str, flaw: str | None) -> None:
    given: dict[str, Any] = {"hook_send_sms_enabled": True, "hook_send_sms_uri": uri, "hook_send_sms_secrets": secrets}
    if flaw is None:
        point = AuthSettings(**given).hook("send_sms")
        assert point is not None
        assert point.uri == uri
    else:
        with pytest.raises(ValidationError, match=flaw):
            AuthSettings(**given)
        off = {**given, "hook_send_sms_enabled": False}
        assert AuthSettings(**off).hook("send_sms") is None


def test_claims_keep_what_the_server_needs() -> None:
    claims = {**dict.fromkeys(REQUIRED, "x"), "exp": 1, "iat": 2.0, "is_anonymous": False}
    assert require_claims({"claims": claims}) == claims
    for answer, message in (
        ({}, "output claims field is missing"),
        ({"claims": 1}, "Error unmarshaling JSON output."),
        ({"claims": {**claims, "exp": "1"}}, "exp: Invalid type. Expected: integer, given: string"),
        ({"claims": {**claims, "aud": None}}, "aud: Invalid type. Expected: string/array, given: null"),
        ({"claims": {"aud": "x"}}, "(root): exp is required"),
    ):
        with pytest.raises(AuthError) as refused:
            require_claims(answer)
        assert message in refused.value.message
        assert refused.value.status == 500


@pytest.mark.parametrize(("given", "expected"), [("1h", 3600), ("1m30s", 90.0), ("500ms", 0.5), ("60", "60"), (5, 5)])
def test_durations_are_read_as_seconds_or_as_go_writes_them(given: Any, expected: Any) -> None:
    assert seconds(given) == expected
