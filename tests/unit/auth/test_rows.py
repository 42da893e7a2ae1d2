"""The classes of rows are their tables, column by column."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from minato.auth.factors.passkeys import Passkey
from minato.auth.oauth_server import tables as oauth
from minato.auth.oauth_server.authorizations import Authorization, Consent
from minato.auth.oauth_server.clients import OAuthClient
from minato.auth.rows import tables
from minato.auth.rows.factors import Challenge, Factor
from minato.auth.rows.flow_states import FlowState
from minato.auth.rows.identities import Identity
from minato.auth.rows.refresh_tokens import RefreshToken
from minato.auth.rows.sessions import Method, Session
from minato.auth.rows.users import User
from sqlalchemy import Table


@pytest.mark.parametrize(
    ("table", "row"),
    [
        (tables.users, User),
        (tables.identities, Identity),
        (tables.sessions, Session),
        (tables.amr_claims, Method),
        (tables.refresh_tokens, RefreshToken),
        (tables.factors, Factor),
        (tables.challenges, Challenge),
        (tables.webauthn_credentials, Passkey),
        (tables.flow_states, FlowState),
        (oauth.clients, OAuthClient),
        (oauth.authorizations, Authorization),
        (oauth.consents, Consent),
    ],
    ids=lambda given: getattr(given, "__name__", ""),
)
def test_a_row_has_the_columns_of_its_table(table: Table, row: Any) -> None:
    assert [field.name for field in fields(row)] == [column.name for column in table.columns]
