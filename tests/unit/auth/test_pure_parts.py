"""The rules of the auth room that need neither a database nor a clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from minato.auth.body import parse_params
from minato.auth.errors import AuthError, WeakPassword, render_error
from minato.auth.mail_templates import render_mail
from minato.auth.one_time_tokens import token_hash
from minato.auth.passwords import hash_password, verify_password
from minato.auth.redirects import is_allowed, with_fragment
from minato.auth.validation import require_strong, validate_email, validate_phone
from minato.config.auth import AuthSettings


@dataclass
class SignupParams:
    email: str = ""
    data: dict[str, Any] | None = None


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        (b"", "unexpected end of JSON input"),
        (b'{"email":', "unexpected end of JSON input"),
        (b"hello", "invalid character 'h' looking for beginning of value"),
        (b"nope", "invalid character 'o' in literal null (expecting 'u')"),
        (b"{a:1}", "invalid character 'a' looking for beginning of object key string"),
        (b'{"a" 1}', "invalid character '1' after object key"),
        (b'{"a":1 2}', "invalid character '2' after object key:value pair"),
        (b"[1 2]", "invalid character '2' after array element"),
        (b"{} x", "invalid character 'x' after top-level value"),
        (b'{"email":1}', "json: cannot unmarshal number into Go struct field SignupParams.email of type string"),
        (b"[]", "json: cannot unmarshal array into Go value of type api.SignupParams"),
    ],
)
def test_a_body_is_refused_in_the_words_of_go(body: bytes, detail: str) -> None:
    with pytest.raises(AuthError) as refused:
        parse_params(SignupParams, body)
    assert (refused.value.status, refused.value.code) == (400, "bad_json")
    assert refused.value.message == f"Could not parse request body as JSON: {detail}"


def test_null_and_unknown_fields_are_absent() -> None:
    assert parse_params(SignupParams, b'{"email":null,"other":[1]}') == SignupParams()


def test_a_token_hash_is_of_address_and_code() -> None:
    assert len(token_hash("anna@example.com", "123456", "s")) == 56
    assert token_hash("anna@example.com", "123456", "s") != token_hash("bert@example.com", "123456", "s")


@pytest.mark.parametrize(
    ("target", "allowed"),
    [
        ("https://shop.example/any?x=1", True),
        ("https://shop.example:8443/", False),
        ("http://shop.example/", False),
        ("http://127.0.0.1:9/x", True),
        ("http://10.0.0.1/", False),
        ("http://2130706433/", False),
        ("https://a.preview.example/", True),
        ("https://a.b.preview.example/", False),
        ("https://deep.example/a/b/c.html#x", True),
        ("https://evil.example/shop.example", False),
        ("javascript:alert(1)", False),
        ("https://evil.example\\@shop.example/", False),
        ("https://shop.example\\.evil.example/", False),
        ("ht\ttps://shop.example/", False),
        ("", False),
    ],
)
def test_only_listed_targets_are_redirected_to(target: str, allowed: bool) -> None:
    globs = ["https://*.preview.example/", "https://deep.example/**"]
    assert is_allowed(target, "https://shop.example", globs) is allowed


def test_a_fragment_is_sorted_and_marked() -> None:
    assert with_fragment("https://a.b/", {"type": "signup", "a": "x y"}) == "https://a.b/#a=x+y&sb=&type=signup"


@pytest.mark.parametrize("address", ["", "anna", "anna@", "a b@c.de", "anna@-x.de", "x" * 251 + "@b.de"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(AuthError, match="email address"):
        validate_email(address)


def test_a_phone_number_is_stored_without_its_plus() -> None:
    assert validate_phone("+49 30 123456") == "4930123456"
    with pytest.raises(AuthError, match=r"E\.164"):
        validate_phone("030123")


def test_a_weak_password_names_its_reasons_in_order() -> None:
    settings = AuthSettings(password_required_characters="abc:123")
    with pytest.raises(WeakPassword) as weak:
        require_strong("a", settings)
    assert weak.value.reasons == ["length", "characters"]
    status, headers, body = render_error(weak.value, False, "id")
    assert (status, headers["x-sb-error-code"]) == (422, "weak_password")
    assert body.endswith(b'"weak_password":{"reasons":["length","characters"]}}')
    assert "x-sb-error-code" not in render_error(weak.value, True, "id")[1]


def test_a_hash_is_bcrypt_as_gotrue_writes_it() -> None:
    hashed = hash_password("correct horse")
    assert hashed.startswith("$2a$10$")
    assert verify_password("correct horse", hashed)
    assert not verify_password("wrong horse", hashed)
    assert not verify_password("x" * 80, hashed)


def test_a_firebase_hash_is_verified() -> None:
    # the example of Firebase's own scrypt tool
    hashed = (
        "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,"
        "sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$"
        "42xEC+ixf3L2lw==$"
        "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="
    )
    assert verify_password("user1password", hashed)
    assert not verify_password("user2password", hashed)


def test_a_mail_escapes_what_users_wrote_and_takes_other_templates() -> None:
    settings = AuthSettings(
        mailer_subjects_confirmation="Hi {{ .Data.name }}", mailer_templates_confirmation="<b>{{ .Data.name }}</b>"
    )
    subject, html = render_mail("confirmation", settings, {"Data": {"name": "<Anna>\nBcc: x"}})
    assert subject == "Hi <Anna> Bcc: x"
    assert html == "<b>&lt;Anna&gt;\nBcc: x</b>"
