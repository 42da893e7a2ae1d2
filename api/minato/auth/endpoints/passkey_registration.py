"""POST /passkeys/registration/options and /verify: a signed-in user adds a passkey."""

from __future__ import annotations

from minato.auth.endpoints.passkey_ceremony import (
    answer_options,
    malformed,
    require_challenge,
    require_enabled,
    unverified,
)
from minato.auth.factors import passkeys, webauthn
from minato.auth.factors.passkeys import passkey_name
from minato.auth.request.context import ReadTransaction, Transaction
from minato.auth.request.data import RequestData
from minato.auth.request.response import Response
from minato.auth.rows import factors
from minato.auth.rows.users import User
from minato.auth.sessions.authentication import Authenticated, require_known_user
from minato.auth.wire.errors import AuthError, CommittedError, invalid
from minato.auth.wire.json_format import render_time


async def registration_options(tx: Transaction) -> Response:
    who = await _require_registrant(tx)
    _require_room(tx, await passkeys.count(tx.db, who.user.id))
    known = await passkeys.of_user(tx.db, who.user.id)
    exclude = [webauthn.descriptor(row.credential_id) for row in known]
    challenge = tx.backend.entropy.bytes(webauthn.CHALLENGE_BYTES)
    party = webauthn.relying_party(tx)
    options = webauthn.creation_options(party, challenge, _entity(who.user), exclude, passkey=True)
    return await answer_options(tx, passkeys.REGISTRATION, who.user.id, challenge, options)


async def verify_registration(tx: Transaction) -> Response:
    who = await _require_registrant(tx)
    challenge, response = await require_challenge(tx, passkeys.REGISTRATION, who.user.id)
    try:
        credential = webauthn.verify_creation(webauthn.relying_party(tx), challenge, response)
    except webauthn.MalformedResponse as error:
        raise malformed() from error
    except webauthn.UnverifiedResponse as error:
        raise unverified() from error
    _require_room(tx, await passkeys.count(tx.db, who.user.id))
    passkey_id, name = tx.backend.entropy.uuid4(), passkey_name(credential.aaguid)
    created = await passkeys.create(tx.db, passkey_id, who.user.id, credential, name, tx.now)
    if created is None:
        raise CommittedError(422, "webauthn_credential_exists", "This credential is already registered")
    await tx.record(who.user, "passkey_created", passkey_id=str(passkey_id))
    return Response({"id": str(passkey_id), "friendly_name": name, "created_at": render_time(created.created_at)})


async def require_strong(tx: ReadTransaction, who: Authenticated) -> None:
    """Whoever has a second factor must have proven it before touching passkeys."""
    if not who.is_strong and await factors.has_verified(tx.db, who.user.id):
        message = "AAL2 session is required to manage passkeys when MFA is enabled"
        raise AuthError(403, "insufficient_aal", message)


async def _require_registrant(tx: ReadTransaction) -> Authenticated:
    require_enabled(tx)
    who = await require_known_user(tx)
    if who.user.is_sso_user:
        raise invalid("SSO users cannot register passkeys", 422)
    await require_strong(tx, who)
    return who


def _require_room(data: RequestData, count: int) -> None:
    if count >= data.settings.passkey_max_passkeys_per_user:
        raise CommittedError(422, "too_many_passkeys", "Maximum number of passkeys reached")


def _entity(user: User) -> dict[str, str]:
    name = user.email or user.phone or ""
    shown = user.user_metadata.get("name")
    return {"name": name, "displayName": shown if shown and isinstance(shown, str) else name, "id": str(user.id)}
