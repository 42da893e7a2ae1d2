"""POST /_dev/v1/users/organisations: the people at a domain sign in through this server's own identity provider."""

from __future__ import annotations

from uuid import UUID

from pydantic import BaseModel, Field

from minato.auth.people.asked import read
from minato.auth.people.refusals import PersonError
from minato.auth.request.context import Transaction
from minato.auth.request.response import Response
from minato.auth.sso import providers
from minato.auth.sso.metadata import CreateSSOProviderParams
from minato.auth.sso.providers import SSOProvider
from minato.auth.sso.service_provider import require_saml
from minato.auth.wire.errors import AuthError
from minato.config.auth_external import FAKE
from minato.saml.stand_in import DOMAIN, StandIn

# What it says of people, by the names that claims have.
MAPPING: dict[str, object] = {
    "keys": {name: {"name": name} for name in ("name", "given_name", "family_name", "picture")}
}
OFF = f'GOTRUE_SAML_ENABLED="true" and, without a key of your own, GOTRUE_SAML_PRIVATE_KEY="{FAKE}".'


class NewOrganisation(BaseModel, extra="forbid"):
    """The body: whose people, and what is kept of them, as the admin API has it."""

    domain: str = Field(pattern=f"^{DOMAIN.pattern}$")
    attribute_mapping: dict[str, object] = MAPPING


async def enter_organisation(tx: Transaction) -> Response:
    """The provider as the admin API shows it; the one that is there, if there is one."""
    _require_saml(tx)
    asked = read(NewOrganisation, tx.body)
    stand_in = StandIn(asked.domain, tx.backend.public_url, tx.backend.sealing_key)
    found = await providers.find_by_entity(tx.db, stand_in.entity_id)
    if found is not None:
        return Response(providers.provider_json(found))
    made = await _entered(tx, asked, stand_in)
    return Response(providers.provider_json(made), 201)


def _require_saml(tx: Transaction) -> None:
    try:
        require_saml(tx)
    except AuthError as error:
        if error.status != 404:
            raise
        raise PersonError(400, error.code, error.message, OFF) from None


async def _entered(tx: Transaction, asked: NewOrganisation, stand_in: StandIn) -> SSOProvider:
    holder = await providers.find_by_domain(tx.db, asked.domain)
    if holder is not None:
        message = f"The people at {asked.domain} sign in through another provider ({holder.id})."
        raise PersonError(409, "sso_domain_already_exists", message)
    id_ = tx.backend.entropy.uuid4()
    mapping = CreateSSOProviderParams(attribute_mapping=asked.attribute_mapping).mapping()
    saml: dict[str, object] = {"entity_id": stand_in.entity_id, "metadata_xml": stand_in.metadata}
    saml |= {"metadata_url": stand_in.metadata_url, "attribute_mapping": mapping or {}}
    await providers.create(tx.writer, id_, {}, saml)
    await providers.add_domain(tx.writer, id_, asked.domain)
    return await _known(tx, id_)


async def _known(tx: Transaction, id_: UUID) -> SSOProvider:
    found = await providers.find(tx.db, id_)
    assert found is not None, "it was written a moment ago"
    return found
