"""The classes of rows are their tables, column by column."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from minato.auth.accounts import pending_sign_ups
from minato.auth.accounts.pending_sign_ups import PendingSignUp
from minato.auth.external import client_states, custom_providers
from minato.auth.external.client_states import ClientState
from minato.auth.external.custom_providers import CustomProvider
from minato.auth.factors.passkeys import Passkey, PasskeyChallenge
from minato.auth.oauth_server import tables as oauth
from minato.auth.oauth_server.authorizations import Authorization, Consent
from minato.auth.oauth_server.clients import OAuthClient
from minato.auth.rows import tables
from minato.auth.rows.audit_log import AuditLogEntry
from minato.auth.rows.factors import Challenge, Factor
from minato.auth.rows.flow_states import FlowState
from minato.auth.rows.identities import Identity
from minato.auth.rows.refresh_tokens import RefreshToken
from minato.auth.rows.sessions import Method, Session
from minato.auth.rows.users import User
from minato.auth.sso import tables as sso
from minato.auth.sso.providers import SAMLProvider, SSOProviderRow
from minato.auth.sso.relay_states import RelayState
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
        (tables.webauthn_challenges, PasskeyChallenge),
        (tables.flow_states, FlowState),
        (tables.audit_log_entries, AuditLogEntry),
        (pending_sign_ups.pending, PendingSignUp),
        (client_states.oauth_client_states, ClientState),
        (custom_providers.custom_providers, CustomProvider),
        (sso.sso_providers, SSOProviderRow),
        (sso.saml_providers, SAMLProvider),
        (sso.relay_states, RelayState),
        (oauth.clients, OAuthClient),
        (oauth.authorizations, Authorization),
        (oauth.consents, Consent),
    ],
    ids=lambda given: getattr(given, "__name__", ""),
)
def test_a_row_has_the_columns_of_its_table(table: Table, row: Any) -> None:
    assert [field.name for field in fields(row)] == [column.name for column in table.columns]
