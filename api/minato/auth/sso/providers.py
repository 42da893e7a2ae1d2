"""Identity providers of organisations: their rows, their domains, and how they are shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, delete, func, insert, select, update

from minato.auth.rows.tables import Writer
from minato.auth.sso.tables import saml_providers, sso_domains, sso_providers
from minato.auth.wire.json_format import render_time, sorted_map
from minato.database.wire.transaction import ServiceTransaction
from minato.json_text import JsonObject


@dataclass(frozen=True, slots=True)
class SSOProviderRow:
    """A row of auth.sso_providers."""

    id: UUID
    resource_id: str | None
    disabled: bool | None
    created_at: datetime | None
    updated_at: datetime | None


@dataclass(frozen=True, slots=True)
class SAMLProvider:
    """A row of auth.saml_providers."""

    id: UUID
    sso_provider_id: UUID
    entity_id: str
    metadata_xml: str
    metadata_url: str | None
    name_id_format: str | None
    attribute_mapping: JsonObject | None
    created_at: datetime | None
    updated_at: datetime | None


@dataclass(frozen=True, slots=True)
class SSOProvider:
    """A provider with what SAML knows of it and the domains it stands for."""

    row: SSOProviderRow
    saml: SAMLProvider
    domains: tuple[str, ...]

    @property
    def id(self) -> UUID:
        return self.row.id

    @property
    def name(self) -> str:
        """What identities call it."""
        return f"sso:{self.id}"

    @property
    def is_enabled(self) -> bool:
        return not self.row.disabled


async def find(db: ServiceTransaction, provider_id: UUID) -> SSOProvider | None:
    return await _one(db, sso_providers.c.id == provider_id)


async def find_by_resource(db: ServiceTransaction, resource_id: str) -> SSOProvider | None:
    return await _one(db, func.lower(sso_providers.c.resource_id) == resource_id.lower())


async def find_by_domain(db: ServiceTransaction, domain: str) -> SSOProvider | None:
    """The provider that an address at `domain` signs in through."""
    owner = select(sso_domains.c.sso_provider_id).where(func.lower(sso_domains.c.domain) == domain.lower())
    return await _one(db, sso_providers.c.id.in_(owner))


async def find_by_entity(db: ServiceTransaction, entity_id: str) -> SSOProvider | None:
    """The provider that calls itself `entity_id`."""
    owner = select(saml_providers.c.sso_provider_id).where(saml_providers.c.entity_id == entity_id)
    return await _one(db, sso_providers.c.id.in_(owner))


async def find_all(db: ServiceTransaction, resource_id: str = "", prefix: str = "") -> list[SSOProvider]:
    """All, or those with this resource id, or whose resource id begins so."""
    conditions: list[ColumnElement[bool]] = []
    if resource_id:
        conditions.append(func.lower(sso_providers.c.resource_id) == resource_id.lower())
    elif prefix:
        conditions.append(func.lower(sso_providers.c.resource_id).startswith(prefix.lower(), autoescape=True))
    rows = await db.execute(select(sso_providers).where(*conditions).order_by(sso_providers.c.created_at))
    return [await _whole(db, SSOProviderRow(**row)) for row in rows.mappings().all()]


async def create(writer: Writer, provider_id: UUID, own: JsonObject, saml: JsonObject) -> None:
    """A provider without domains, and its SAML row."""
    times = {"created_at": writer.now, "updated_at": writer.now}
    row_id = writer.new_id()
    await writer.db.execute(insert(sso_providers).values(id=provider_id, **own, **times))
    await writer.db.execute(insert(saml_providers).values(id=row_id, sso_provider_id=provider_id, **saml, **times))


async def change(writer: Writer, provider_id: UUID, own: JsonObject, saml: JsonObject) -> None:
    this = update(sso_providers).where(sso_providers.c.id == provider_id)
    await writer.db.execute(this.values(updated_at=writer.now, **own))
    if saml:
        mine = update(saml_providers).where(saml_providers.c.sso_provider_id == provider_id)
        await writer.db.execute(mine.values(updated_at=writer.now, **saml))


async def add_domain(writer: Writer, provider_id: UUID, domain: str) -> None:
    row = {"id": writer.new_id(), "sso_provider_id": provider_id, "domain": domain}
    statement = insert(sso_domains).values(**row, created_at=writer.now, updated_at=writer.now)
    await writer.db.execute(statement)


async def remove_domains(db: ServiceTransaction, provider_id: UUID, domains: Iterable[str]) -> None:
    gone = (sso_domains.c.sso_provider_id == provider_id) & sso_domains.c.domain.in_(list(domains))
    await db.execute(delete(sso_domains).where(gone))


async def remove(db: ServiceTransaction, provider_id: UUID) -> None:
    await db.execute(delete(sso_providers).where(sso_providers.c.id == provider_id))


def provider_json(provider: SSOProvider, with_xml: bool = True) -> dict[str, object]:
    """The provider as administrators see it; lists leave the XML out."""
    saml = provider.saml
    shown: dict[str, object] = {"entity_id": saml.entity_id}
    if with_xml:
        shown["metadata_xml"] = saml.metadata_xml
    if saml.metadata_url:
        shown["metadata_url"] = saml.metadata_url
    shown["attribute_mapping"] = sorted_map(saml.attribute_mapping or {})
    if saml.name_id_format:
        shown["name_id_format"] = saml.name_id_format
    resource = {"resource_id": provider.row.resource_id} if provider.row.resource_id else {}
    return {
        "id": str(provider.id),
        **resource,
        "disabled": provider.row.disabled,
        "saml": shown,
        "domains": [{"domain": domain} for domain in provider.domains],
        "created_at": render_time(provider.row.created_at),
        "updated_at": render_time(provider.row.updated_at),
    }


async def _one(db: ServiceTransaction, condition: ColumnElement[bool]) -> SSOProvider | None:
    row = (await db.execute(select(sso_providers).where(condition))).mappings().one_or_none()
    return await _whole(db, SSOProviderRow(**row)) if row else None


async def _whole(db: ServiceTransaction, row: SSOProviderRow) -> SSOProvider:
    mine = saml_providers.c.sso_provider_id == row.id
    saml = (await db.execute(select(saml_providers).where(mine))).mappings().one()
    domains = select(sso_domains.c.domain).where(sso_domains.c.sso_provider_id == row.id)
    found = (await db.execute(domains.order_by(sso_domains.c.created_at, sso_domains.c.domain))).scalars().all()
    return SSOProvider(row, SAMLProvider(**saml), tuple(found))
