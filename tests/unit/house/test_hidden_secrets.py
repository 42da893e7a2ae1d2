"""A secret that a dataclass keeps is not in its repr: that is what lands in logs and in the words of exceptions."""

from __future__ import annotations

from dataclasses import fields

import pytest
from minato.auth.endpoints.oauth_token import Credentials
from minato.auth.external.custom_providers import CustomProvider
from minato.auth.providers.exchange import OAuth1
from minato.auth.providers.provider import Provider
from minato.auth.rows.one_time_tokens import NewToken
from minato.backend import Backend
from minato.cli.announcement import Announcement, Welcome
from minato.cli.gen_types.command import Asked
from minato.cli.local.data_folder import State
from minato.cli.local.database_target import DatabaseTarget
from minato.cli.local.running_database import RunningDatabase
from minato.cli.prefork.parent import ParentRun
from minato.cli.prefork.worker import Boot
from minato.cli.running import Run
from minato.cli.target import Target
from minato.postgres.address import PostgresAddress
from minato.realtime.handshake import Handshake
from minato.storage.s3_wire.caller import S3Credentials
from minato.storage.s3_wire.signature import Signer
from minato.storage.signer import Seal
from minato.tokens.api_keys import ApiKeys
from minato.tokens.caller import Caller

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
    (Signer, {"key"}),
    (State, {"values", "announcement", "settings"}),
    (Target, {"passwords"}),
    (Welcome, {"password"}),
]


@pytest.mark.parametrize(("kind", "secrets"), SECRETS)
def test_a_secret_is_not_in_what_is_said_of_its_keeper(kind: type, secrets: set[str]) -> None:
    keeper: object = object.__new__(kind)
    names = [field.name for field in fields(kind)]
    assert secrets <= set(names)
    for name in names:
        object.__setattr__(keeper, name, f"<{name} in full>")
    assert [name for name in secrets if f"<{name} in full>" in repr(keeper)] == []
