"""The tables that only single sign-on reads and writes."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, DateTime, Table, Text
from sqlalchemy.dialects.postgresql import JSONB, UUID

from minato.auth.tables import metadata

_moment = DateTime(timezone=True)


def _times() -> tuple[Column[object], Column[object]]:
    return Column("created_at", _moment), Column("updated_at", _moment)


sso_providers = Table(
    "sso_providers",
    metadata,
    Column("id", UUID, primary_key=True),
    Column("resource_id", Text),
    Column("disabled", Boolean),
    *_times(),
)

sso_domains = Table(
    "sso_domains",
    metadata,
    Column("id", UUID, primary_key=True),
    Column("sso_provider_id", UUID),
    Column("domain", Text),
    *_times(),
)

saml_providers = Table(
    "saml_providers",
    metadata,
    Column("id", UUID, primary_key=True),
    Column("sso_provider_id", UUID),
    *(Column(name, Text) for name in ("entity_id", "metadata_xml", "metadata_url", "name_id_format")),
    Column("attribute_mapping", JSONB),
    *_times(),
)

relay_states = Table(
    "saml_relay_states",
    metadata,
    Column("id", UUID, primary_key=True),
    *(Column(name, UUID) for name in ("sso_provider_id", "flow_state_id")),
    *(Column(name, Text) for name in ("request_id", "for_email", "redirect_to")),
    *_times(),
)
