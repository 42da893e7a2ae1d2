"""POST /passkeys/registration/options and /verify: a signed-in user adds a passkey."""

from __future__ import annotations

from minato.auth import factors, passkeys, webauthn
from minato.auth.authentication import Authenticated, require_known_user
from minato.auth.call import Answer, Call
from minato.auth.endpoints.passkey_ceremony import (
    answer_options,
    malformed,
    require_challenge,
    require_enabled,
    unverified,
)
from minato.auth.errors import AuthError, CommittedError, invalid
from minato.auth.json_format import render_time
from minato.auth.passkey_names import passkey_name
from minato.auth.users import User


async def registration_options(call: Call) -> Answer:
    who = await _require_registrant(call)
    _require_room(call, await passkeys.count(call.db, who.user.id))
    known = await passkeys.of_user(call.db, who.user.id)
    exclude = [webauthn.descriptor(row["credential_id"]) for row in known]
    challenge = call.backend.entropy.bytes(webauthn.CHALLENGE_BYTES)
    party = webauthn.relying_party(call)
    options = webauthn.creation_options(party, challenge, _entity(who.user), exclude, passkey=True)
    return await answer_options(call, passkeys.REGISTRATION, who.user.id, challenge, options)


async def verify_registration(call: Call) -> Answer:
    who = await _require_registrant(call)
    challenge, response = await require_challenge(call, passkeys.REGISTRATION, who.user.id)
    try:
        credential = webauthn.verify_creation(webauthn.relying_party(call), challenge, response)
    except webauthn.MalformedResponse as error:
        raise malformed() from error
    except webauthn.UnverifiedResponse as error:
        raise unverified() from error
    _require_room(call, await passkeys.count(call.db, who.user.id))
    passkey_id, name = call.backend.entropy.uuid4(), passkey_name(credential.aaguid)
    created = await passkeys.create(call.db, passkey_id, who.user.id, credential, name, call.now)
    if created is None:
        raise CommittedError(422, "webauthn_credential_exists", "This credential is already registered")
    await call.record(who.user, "passkey_created", passkey_id=str(passkey_id))
    return Answer({"id": str(passkey_id), "friendly_name": name, "created_at": render_time(created["created_at"])})


async def require_strong(call: Call, who: Authenticated) -> None:
    """Whoever has a second factor must have proven it before touching passkeys."""
    if not who.is_strong and await factors.has_verified(call.db, who.user.id):
        message = "AAL2 session is required to manage passkeys when MFA is enabled"
        raise AuthError(403, "insufficient_aal", message)


async def _require_registrant(call: Call) -> Authenticated:
    require_enabled(call)
    who = await require_known_user(call)
    if who.user.is_sso_user:
        raise invalid("SSO users cannot register passkeys", 422)
    await require_strong(call, who)
    return who


def _require_room(call: Call, count: int) -> None:
    if count >= call.settings.passkey_max_passkeys_per_user:
        raise CommittedError(422, "too_many_passkeys", "Maximum number of passkeys reached")


def _entity(user: User) -> dict[str, str]:
    name = user.email or user.phone or ""
    shown = user.user_metadata.get("name")
    return {"name": name, "displayName": shown if shown and isinstance(shown, str) else name, "id": str(user.id)}
