"""What a users file says, and where it is wrong."""

from __future__ import annotations

import json

import pytest
from minato.project.errors import ProjectError
from minato.project.users_file import UsersFile, parse_users

ANNA = """
[[user]]
name = "anna"
email = "Anna@Example.com"
password = "correct horse"
user_metadata = { full_name = "Anna", since = 2026-01-01 }
[[user.identities]]
provider = "google"
id = "1234"
[[user.factors]]
secret = "gezd gnbv gy3t qojq"
[[user]]
phone = "+81 90 1234 5678"
banned_until = 2030-01-01T00:00:00Z
"""


def users(text: str) -> UsersFile:
    return parse_users(text, "users.toml")


def test_a_person_is_who_the_file_says() -> None:
    anna, bob = users(ANNA).user
    assert (anna.email, anna.providers, anna.factors[0].secret) == (
        "anna@example.com", ["email", "google"], "GEZDGNBVGY3TQOJQ")  # fmt: skip
    assert (bob.phone, bob.providers, bob.confirmed) == ("819012345678", ["phone"], True)
    assert anna.user_metadata == {"full_name": "Anna", "since": "2026-01-01"}
    assert "correct horse" not in repr(anna)


def test_whoever_has_no_id_has_the_same_one_everywhere() -> None:
    assert users(ANNA).user[0].uuid == users(ANNA).user[0].uuid
    assert users(ANNA).user[0].uuid != users(ANNA).user[1].uuid


def test_the_same_as_json_is_the_same_people() -> None:
    said = {"user": [{"name": "anna", "email": "anna@example.com"}]}
    assert users(json.dumps(said)).named("anna") is not None
    assert users(json.dumps(said)).named("bob") is None


def test_who_signs_in_elsewhere_alone_has_no_address_to_sign_in_by() -> None:
    (only,) = users('[[user]]\nemail = "a@b.c"\n[[user.identities]]\nprovider = "github"').user
    assert only.providers == ["github"]


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ('[[user]]\nemail = "a@b.c"\n\n[[user]]\nemial = "x"', ":5:", "emial"),
        ('[[user]]\nemail = "a"', ":2:", "an e-mail address is wanted"),
        ('[[user]]\nname = "a"', ":1:", "email or phone is wanted"),
        ('[[user]]\nname = "7"\nemail = "a@b.c"', ":2:", "pattern"),
        ('[[user]]\nphone = "abc"', ":2:", "a phone number is wanted"),
        ('[[user]]\nemail = "a@b.c"\n[[user.factors]]\nsecret = "1"', ":4:", "base32"),
        ('[[user]]\nemail = "a@b.c"\n[[user.factors]]\nsecret = "ABCDEFG"', ":4:", "multiple of eight"),
        ('[[user]]\nemail = "a@b.c"\n[[user.factors]]\ntype = "totp"', ":3:", "wants secret"),
        ('[[user]]\nemail = "a@b.c"\n[[user.identities]]\nid = "x"', ":3:", "provider"),
        ('[[user]]\nemail = "a@b.c"\n[[user]]\nemail = "A@b.c"', ":", "stands there twice"),
        (f'[[user]]\nemail = "a@b.c"\npassword = "{"x" * 73}"', ":3:", "72 bytes"),
        ('[[user]]\nemail = "a@b.c"\nuser_metadata = { a = "\\u0000" }', ":", "does not store"),
        ('{"user": [{"email": "a@b.c", "role": "\\ud800"}]}', ":", "does not store"),
        ('{"user": [{"email": "a@b.c", "app_metadata": {"a": NaN}}]}', ":", "JSON"),
        ("[[users]]", ":", "users"),
        ("[[user]", ":", "Expected"),
        ("{", ":", "Expecting"),
        ("[[user]]\nuser_metadata = " + "[" * 5000, ":", ""),
    ],
)
def test_a_mistake_is_told_with_its_file_and_line(text: str, place: str, said: str) -> None:
    with pytest.raises(ProjectError) as refused:
        users(text)
    assert str(refused.value).startswith(f"users.toml{place}")
    assert said in str(refused.value)
