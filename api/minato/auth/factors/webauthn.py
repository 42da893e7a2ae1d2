"""WebAuthn: the options of a ceremony as GoTrue words them, and the verification of what an authenticator answers."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit
from uuid import UUID

from minato.auth.request.data import RequestData
from minato.auth.rows.users import NIL
from minato.json_text import JsonObject

if TYPE_CHECKING:
    from webauthn.helpers.structs import AuthenticationCredential, RegistrationCredential

S = TypeVar("S")
T = TypeVar("T")

CHALLENGE_BYTES = 32
TIMEOUT_MS = 300_000
# COSE numbers, strongest habit first: ES256, ES384, ES512, RS256/384/512, PS256/384/512, EdDSA
ALGORITHMS = (-7, -35, -36, -257, -258, -259, -37, -38, -39, -8)


class MalformedResponse(Exception):
    """What came is no answer of an authenticator."""


class UnverifiedResponse(Exception):
    """An answer to another challenge, for another site, or not signed by the key it names."""


@dataclass(frozen=True)
class RelyingParty:
    """Who asks: the domain keys are bound to, its name, and the origins of its pages."""

    id: str
    name: str
    origins: tuple[str, ...]


@dataclass(frozen=True)
class Credential:
    """A public key and what its authenticator told about itself; `public_key` is COSE."""

    id: bytes
    public_key: bytes
    sign_count: int
    backup_eligible: bool = False
    backed_up: bool = False
    aaguid: UUID = NIL
    attestation_type: str = ""
    transports: list[str] = field(default_factory=list)


def relying_party(data: RequestData) -> RelyingParty:
    """As configured; the site itself where nothing is."""
    settings, site = data.settings, urlsplit(data.site_url)
    origins = settings.webauthn_origins or (f"{site.scheme}://{site.netloc}",)
    return RelyingParty(settings.webauthn_rp_id or site.hostname or "", settings.webauthn_rp_display_name, origins)


def creation_options(
    party: RelyingParty, challenge: bytes, user: Mapping[str, str], exclude: list[dict[str, object]], passkey: bool
) -> dict[str, object]:
    """PublicKeyCredentialCreationOptions for `user` (`name`, `displayName`, `id`); a passkey must be discoverable."""
    resident = {"requireResidentKey": passkey, **({"residentKey": "required"} if passkey else {})}
    return {
        "rp": {"name": party.name, "id": party.id},
        "user": {**user, "id": encoded(user["id"].encode())},
        "challenge": encoded(challenge),
        "pubKeyCredParams": [{"type": "public-key", "alg": number} for number in ALGORITHMS],
        "timeout": TIMEOUT_MS,
        **({"excludeCredentials": exclude} if exclude else {}),
        "authenticatorSelection": {**resident, "userVerification": "preferred"},
        **({"attestation": "none"} if passkey else {}),
    }


def request_options(party: RelyingParty, challenge: bytes, allow: list[dict[str, object]]) -> dict[str, object]:
    """PublicKeyCredentialRequestOptions; without `allow` any discoverable key may answer."""
    return {
        "challenge": encoded(challenge),
        "timeout": TIMEOUT_MS,
        "rpId": party.id,
        **({"allowCredentials": allow} if allow else {}),
        "userVerification": "preferred",
    }


def descriptor(credential_id: bytes, transports: Iterable[str] = ()) -> dict[str, object]:
    """How options name a credential."""
    named = {"type": "public-key", "id": encoded(credential_id)}
    return {**named, **({"transports": list(transports)} if transports else {})}


def verify_creation(party: RelyingParty, challenge: bytes, response: object) -> Credential:
    """The new credential in `response`. Raises MalformedResponse, UnverifiedResponse."""
    from webauthn import verify_registration_response  # 15 MB that only WebAuthn needs
    from webauthn.helpers import parse_attestation_object, parse_registration_credential_json

    parsed = _parsed(parse_registration_credential_json, response)
    _readable(parse_attestation_object, parsed.response.attestation_object)
    _readable_client_data(parsed)
    try:
        verified = verify_registration_response(
            credential=parsed,
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=list(party.origins),
        )
    except Exception as error:
        raise UnverifiedResponse from error
    return Credential(
        id=verified.credential_id,
        public_key=verified.credential_public_key,
        sign_count=verified.sign_count,
        backup_eligible=verified.credential_device_type == "multi_device",
        backed_up=verified.credential_backed_up,
        aaguid=UUID(verified.aaguid),
        attestation_type=verified.fmt,
        transports=[transport.value for transport in parsed.response.transports or []],
    )


def claimed(response: object) -> tuple[bytes, bytes]:
    """The credential id and user handle of an unverified assertion. Raises MalformedResponse."""
    from webauthn.helpers import parse_authentication_credential_json

    parsed = _parsed(parse_authentication_credential_json, response)
    return parsed.raw_id, parsed.response.user_handle or b""


def verify_request(party: RelyingParty, challenge: bytes, response: object, credential: Credential) -> tuple[int, bool]:
    """The new signature count and whether the key is backed up. Raises MalformedResponse, UnverifiedResponse."""
    from webauthn import verify_authentication_response
    from webauthn.helpers import parse_authentication_credential_json, parse_authenticator_data

    parsed = _parsed(parse_authentication_credential_json, response)
    _readable(parse_authenticator_data, parsed.response.authenticator_data)
    _readable_client_data(parsed)
    try:
        verified = verify_authentication_response(
            credential=parsed,
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=list(party.origins),
            credential_public_key=credential.public_key,
            credential_current_sign_count=credential.sign_count,
        )
    except Exception as error:
        raise UnverifiedResponse from error
    # Whether a key can be copied is decided when it is made; one that changes its mind is another key.
    if (
        parsed.raw_id != credential.id
        or (verified.credential_device_type == "multi_device") != credential.backup_eligible
    ):
        raise UnverifiedResponse
    return verified.new_sign_count, verified.credential_backed_up


def _parsed(parse: Callable[[JsonObject], T], response: object) -> T:
    if not isinstance(response, dict):
        raise MalformedResponse
    return _readable(parse, response)


def _readable_client_data(parsed: RegistrationCredential | AuthenticationCredential) -> None:
    from webauthn.helpers import parse_client_data_json

    _readable(parse_client_data_json, parsed.response.client_data_json)


def _readable(parse: Callable[[S], T], octets: S) -> T:
    """Forged CBOR makes the parsers raise whatever they like."""
    try:
        return parse(octets)
    except Exception as error:
        raise MalformedResponse from error


def encoded(octets: bytes) -> str:
    """base64url without padding."""
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
