"""A secret that a dataclass keeps is not in its repr: that is what lands in logs and in the words of exceptions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import fields

import pytest
from minato.auth.endpoints.oauth_token import Credentials
from minato.auth.external.custom_providers import CustomProvider
from minato.auth.providers.exchange import OAuth1
from minato.auth.providers.provider import Provider
from minato.auth.rows.factors import Factor
from minato.auth.rows.one_time_tokens import NewToken
from minato.auth.rows.sessions import Session
from minato.auth.rows.users import User
from minato.backend import Backend
from minato.cli.announcement import Announcement, Welcome
from minato.cli.gen_types_command import Asked
from minato.cli.local.data_folder import State
from minato.cli.local.database_target import DatabaseTarget
from minato.cli.local.running_database import RunningDatabase
from minato.cli.prefork.parent import ParentRun
from minato.cli.prefork.worker import Boot
from minato.cli.running import Run
from minato.cli.target import Target
from minato.mail.email import Email
from minato.postgres.address import PostgresAddress
from minato.realtime.handshake import Handshake
from minato.sms.sender import TextMessage
from minato.storage.s3_wire.caller import S3Credentials
from minato.storage.s3_wire.signature import Signer
from minato.storage.signer import Seal
from minato.tokens.api_keys import ApiKeys
from minato.tokens.caller import Caller

from tests.unit.house.test_rules import modules

SECRETS: list[tuple[type, set[str]]] = [
    (Announcement, {"service_role_key", "secret_key", "jwt_secret", "s3_access_key_secret", "db_url"}),
    (ApiKeys, {"service_role", "secret", "s3_access_key_secret"}),
    (Asked, {"db_url"}),
    (Backend, {"sealing_key"}),
    (Boot, {"address", "secret"}),
    (Caller, {"token"}),
    (Credentials, {"secret"}),
    (CustomProvider, {"client_secret"}),
    (DatabaseTarget, {"dsn", "environment"}),
    (Email, {"html", "text", "link", "token", "token_hash", "unsubscribe", "source"}),
    (Factor, {"secret"}),
    (Handshake, {"api_token"}),
    (NewToken, {"hashed", "otp"}),
    (OAuth1, {"secret"}),
    (ParentRun, {"secret"}),
    (PostgresAddress, {"password", "owner_password"}),
    (Provider, {"secret"}),
    (Run, {"secret"}),
    (RunningDatabase, {"secret"}),
    (S3Credentials, {"secret"}),
    (Seal, {"key"}),
    (Session, {"refresh_token_hmac_key"}),
    (Signer, {"key"}),
    (State, {"values", "announcement", "settings"}),
    (Target, {"passwords"}),
    (TextMessage, {"text", "token"}),
    (User, {"encrypted_password", "confirmation_token", "recovery_token", "reauthentication_token"}),
    (Welcome, {"password"}),
]

# What a field is called that keeps a secret, or what stands for one in the database, where it is text or bytes.
SECRET_NAME = re.compile(
    r"(?:^|_)(?:passwords?|secrets?|tokens?|hash|hashed|otp|otp_code|auth_code|authorization_code|nonce|verifier"
    r"|hmac_key|sealing_key|secret_key)(?:_new|_current|_hash)?$"
)
# (class, field) → what it is instead.
NO_SECRETS = {
    ("ClientSignature", "payload_hash"): "of what was sent",
    ("Record", "token"): "an address",
    ("Record", "request_token"): "an address",
    ("Record", "comes_with_token"): "the name of a key",
}


@pytest.mark.parametrize(("kind", "secrets"), SECRETS)
def test_a_secret_is_not_in_what_is_said_of_its_keeper(kind: type, secrets: set[str]) -> None:
    keeper: object = object.__new__(kind)
    names = [field.name for field in fields(kind)]
    assert secrets <= set(names)
    for name in names:
        object.__setattr__(keeper, name, f"<{name} in full>")
    assert [name for name in secrets if f"<{name} in full>" in repr(keeper)] == []


def kept() -> Iterator[tuple[str, str, str, str]]:
    """File, class, field and the source of each text or bytes that a dataclass keeps under a secret's name."""
    for file, tree in modules():
        for keeper in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
            if not any("dataclass" in ast.unparse(decorator) for decorator in keeper.decorator_list):
                continue
            for field in (node for node in keeper.body if isinstance(node, ast.AnnAssign)):
                name = ast.unparse(field.target)
                if SECRET_NAME.search(name) and re.search(r"\b(str|bytes)\b", ast.unparse(field.annotation)):
                    yield file, keeper.name, name, ast.unparse(field)


def test_whatever_has_the_name_of_a_secret_is_kept_out_of_the_repr() -> None:
    shown = [
        f"{file}: {keeper}.{name}"
        for file, keeper, name, source in kept()
        if "repr=False" not in source and (keeper, name) not in NO_SECRETS
    ]
    assert shown == []


def test_what_is_said_to_be_no_secret_is_still_there() -> None:
    assert set(NO_SECRETS) <= {(keeper, name) for _, keeper, name, _ in kept()}
