"""POST /passkeys/authentication/options and /verify: signing in with a passkey alone."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import RowMapping

from minato.auth import passkeys, users, webauthn
from minato.auth.call import Answer, Call
from minato.auth.endpoints.passkey_ceremony import (
    answer_options,
    malformed,
    require_challenge,
    require_enabled,
    unverified,
)
from minato.auth.errors import AuthError, CommittedError
from minato.auth.sign_in import answer_session
from minato.auth.users import User


async def authentication_options(call: Call) -> Answer:
    require_enabled(call)
    challenge = call.backend.entropy.bytes(webauthn.CHALLENGE_BYTES)
    # No credentials are named: the passkey itself says whose it is.
    options = webauthn.request_options(webauthn.relying_party(call), challenge, [])
    return await answer_options(call, passkeys.AUTHENTICATION, None, challenge, options)


async def verify_authentication(call: Call) -> Answer:
    require_enabled(call)
    challenge, response = await require_challenge(call, passkeys.AUTHENTICATION, None)
    try:
        credential_id, handle = webauthn.claimed(response)
        user, passkey = await _claimed(call, credential_id, handle)
        count, backed_up = webauthn.verify_request(
            webauthn.relying_party(call), challenge, response, stored_credential(passkey)
        )
    except webauthn.MalformedResponse as error:
        raise malformed() from error
    except webauthn.UnverifiedResponse as error:
        raise unverified() from error
    _require_usable(call, user)
    used = {"sign_count": count, "backed_up": backed_up, "last_used_at": call.now}
    await passkeys.change(call.db, passkey["id"], call.now, **used)
    await call.record(user, "login", passkey_id=str(passkey["id"]))
    return await answer_session(call, user, "passkey")


def stored_credential(passkey: RowMapping) -> webauthn.Credential:
    """What an assertion is checked against."""
    known = ("public_key", "sign_count", "backup_eligible")
    return webauthn.Credential(id=passkey["credential_id"], **{name: passkey[name] for name in known})


async def _claimed(call: Call, credential_id: bytes, handle: bytes) -> tuple[User, RowMapping]:
    """The account and passkey an authenticator claims to be; the handle is the account's id as text."""
    try:
        user = await users.find(call.db, UUID(handle.decode("ascii")))
    except ValueError:
        user = None
    passkey = await passkeys.find_claimed(call.db, user.id, credential_id) if user else None
    if user is None or passkey is None:
        raise webauthn.UnverifiedResponse
    return user, passkey


def _require_usable(call: Call, user: User) -> None:
    refusal: AuthError | None = None
    if user.email and user.email_confirmed_at is None:
        refusal = CommittedError(403, "email_not_confirmed", "Email not confirmed")
    elif user.phone and user.phone_confirmed_at is None:
        refusal = CommittedError(403, "phone_not_confirmed", "Phone not confirmed")
    elif user.is_banned(call.now):
        refusal = CommittedError(403, "user_banned", "User is banned")
    if refusal is not None:
        raise refusal
