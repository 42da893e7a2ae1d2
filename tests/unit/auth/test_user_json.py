"""Every answer names the second factors of an account, also when there are none."""

from __future__ import annotations

from dataclasses import fields
from typing import Any
from uuid import UUID

from minato.auth.user_json import user_json
from minato.auth.users import User


# SES-001 SES-039
def test_an_account_without_factors_has_an_empty_list_of_them() -> None:
    blank: dict[str, Any] = {field.name: None for field in fields(User)}
    shown = user_json(User(**{**blank, "id": UUID(int=1)}), [])
    assert shown["factors"] == []
    assert list(shown).index("factors") < list(shown).index("identities")
