"""A security key as second factor: what its challenge asks and how its answer is checked."""

from __future__ import annotations

from dataclasses import asdict
from uuid import UUID

from minato.auth.factors import webauthn
from minato.auth.request.context import Transaction
from minato.auth.rows import factors
from minato.auth.rows.factors import Challenge, Factor
from minato.auth.rows.users import User
from minato.auth.wire.errors import AuthError, invalid
from minato.auth.wire.json_format import render_time
from minato.json_text import JsonObject

ROAMING = ("usb", "nfc")


async def ask(tx: Transaction, user: User, factor: Factor) -> tuple[JsonObject, JsonObject]:
    """What the client is shown and what is remembered: to create a key while unverified, then to use it."""
    party, challenge = webauthn.relying_party(tx), tx.backend.entropy.bytes(webauthn.CHALLENGE_BYTES)
    if factor.status == "unverified":
        known = [_stored(one.web_authn_credential) for one in await _with_key(tx, user)]
        exclude = [webauthn.descriptor(credential.id, ROAMING) for credential in known]
        name = user.email or ""
        entity = {"name": name, "displayName": name, "id": str(user.id)}
        kind, options = "create", webauthn.creation_options(party, challenge, entity, exclude, passkey=False)
    else:
        own = _stored(factor.web_authn_credential)
        allow = [webauthn.descriptor(own.id, own.transports)]
        kind, options = "request", webauthn.request_options(party, challenge, allow)
    shown = {"type": kind, "credential_options": {"publicKey": options}}
    return shown, {"challenge": webauthn.encoded(challenge)}


def require_answer(given: dict[str, object] | None) -> tuple[str, object]:
    """`create` or `request`, and what the authenticator said."""
    if given is None:
        raise invalid("WebAuthn config required")
    kind = given.get("type")
    if kind not in ("create", "request"):
        raise invalid("WebAuthn type must be create or request")
    if "credential_response" not in given:
        raise invalid("credential_response required")
    return str(kind), given["credential_response"]


def check(tx: Transaction, factor: Factor, asked: Challenge, kind: str, response: object) -> dict[str, object]:
    """The factor's new columns, where the answer is right."""
    if kind == "create" and factor.status == "verified":
        # Else any new key would prove the factor; the reference takes it.
        raise invalid("WebAuthn type must be request")
    party = webauthn.relying_party(tx)
    challenge = webauthn.decoded((asked.web_authn_session_data or {}).get("challenge", ""))
    try:
        if kind == "create":
            values = _columns(webauthn.verify_creation(party, challenge, response))
        else:
            values = _check_use(factor, party, challenge, response)
    except webauthn.MalformedResponse as error:
        raise invalid("Invalid credential_response") from error
    except webauthn.UnverifiedResponse as error:
        raise AuthError(422, "mfa_verification_failed", "Failed to validate WebAuthn MFA response") from error
    return {**values, "last_webauthn_challenge_data": _remembered(asked, kind, response)}


def _check_use(factor: Factor, party: webauthn.RelyingParty, challenge: bytes, response: object) -> dict[str, object]:
    """Only the factor's own key proves it."""
    if factor.web_authn_credential is None:
        raise webauthn.UnverifiedResponse
    credential = _stored(factor.web_authn_credential)
    count, _ = webauthn.verify_request(party, challenge, response, credential)
    return {"web_authn_credential": {**factor.web_authn_credential, "sign_count": count}}


async def _with_key(tx: Transaction, user: User) -> list[Factor]:
    enrolled = await factors.of_user(tx.db, user.id)
    return [one for one in enrolled if one.is_verified and one.web_authn_credential]


def _columns(credential: webauthn.Credential) -> dict[str, object]:
    kept = asdict(credential) | {"id": webauthn.encoded(credential.id), "aaguid": str(credential.aaguid)}
    kept["public_key"] = webauthn.encoded(credential.public_key)
    return {"web_authn_credential": kept, "web_authn_aaguid": credential.aaguid}


def _stored(kept: JsonObject | None) -> webauthn.Credential:
    assert kept is not None, "a verified factor has its key"
    given = {**kept, "id": webauthn.decoded(kept["id"]), "public_key": webauthn.decoded(kept["public_key"])}
    return webauthn.Credential(**{**given, "aaguid": UUID(kept["aaguid"])})


def _remembered(asked: Challenge, kind: str, response: object) -> dict[str, object]:
    """Kept for whoever wants to verify it again."""
    challenge = {
        "challenge_id": str(asked.id),
        "factor_id": str(asked.factor_id),
        "created_at": render_time(asked.created_at),
        "ip_address": str(asked.ip_address).split("/")[0],
    }
    return {"challenge": challenge, "type": kind, "credential_response": response}
