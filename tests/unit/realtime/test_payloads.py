"""What a join may carry, and what becomes of nonsense in it."""

from __future__ import annotations

from typing import Any

import pytest
from minato.realtime.payloads import JoinConfig, join_token, number_entries, parse_join


@pytest.mark.parametrize(
    ("payload", "config"),
    [
        ({}, JoinConfig(by_topic=True)),
        (None, JoinConfig()),
        ({"config": 5}, JoinConfig()),
        ({"config": {"broadcast": {"ack": "TRUE", "self": True}}}, JoinConfig(broadcast_ack=True, broadcast_self=True)),
        ({"config": {"broadcast": {"ack": "yes"}, "private": 1}}, JoinConfig()),
        ({"config": {"broadcast": {"replay": None}}}, JoinConfig(wants_replay=True)),
        ({"config": {"presence": {"key": "", "enabled": True}}}, JoinConfig(presence_enabled=True)),
        ({"config": {"presence": {"key": 7}}}, JoinConfig(presence_key="7")),
        ({"config": {"postgres_changes": [None, {"table": "a"}]}}, JoinConfig(postgres_changes=[{"table": "a"}])),
        ({"config": {"postgres_changes": {"table": "a"}}}, JoinConfig()),
        ({"config": {"private": "true"}}, JoinConfig(private=True)),
    ],
)
def test_a_field_of_the_wrong_type_takes_its_default(payload: Any, config: JoinConfig) -> None:
    assert parse_join(payload) == config


@pytest.mark.parametrize(
    ("payload", "token"),
    [
        ({}, None),
        ({"access_token": None}, None),
        ({"access_token": 5}, None),
        ({"access_token": "sb_publishable_x"}, None),
        ({"access_token": "a"}, "a"),
        ({"access_token": "a", "user_token": "b"}, "b"),
        ([], None),
    ],
)
def test_the_token_of_a_join_is_the_users_or_the_keys(payload: Any, token: str | None) -> None:
    assert join_token(payload) == token


def test_equal_entries_share_an_id_and_different_ones_do_not() -> None:
    first, again, other = number_entries([{"table": "a"}, {"table": "a"}, {"table": "b"}])
    assert first["id"] == again["id"] != other["id"]
    assert first == {"table": "a", "id": first["id"]}
    assert first["id"] > 0
