"""POST /passkeys/authentication/options and /verify: signing in with a passkey alone."""

from __future__ import annotations

from uuid import UUID

from minato.auth.endpoints.passkey_ceremony import (
    answer_options,
    malformed,
    require_challenge,
    require_enabled,
    unverified,
)
from minato.auth.factors import passkeys, webauthn
from minato.auth.factors.passkeys import Passkey
from minato.auth.request.context import Transaction
from minato.auth.request.response import Response
from minato.auth.rows import users
from minato.auth.rows.users import User
from minato.auth.sessions.sign_in import answer_session
from minato.auth.wire.errors import AuthError, CommittedError


async def authentication_options(tx: Transaction) -> Response:
    require_enabled(tx)
    challenge = tx.backend.entropy.bytes(webauthn.CHALLENGE_BYTES)
    # No credentials are named: the passkey itself says whose it is.
    options = webauthn.request_options(webauthn.relying_party(tx), challenge, [])
    return await answer_options(tx, passkeys.AUTHENTICATION, None, challenge, options)


async def verify_authentication(tx: Transaction) -> Response:
    require_enabled(tx)
    challenge, response = await require_challenge(tx, passkeys.AUTHENTICATION, None)
    try:
        credential_id, handle = webauthn.claimed(response)
        user, passkey = await _claimed(tx, credential_id, handle)
        count, backed_up = webauthn.verify_request(
            webauthn.relying_party(tx), challenge, response, stored_credential(passkey)
        )
    except webauthn.MalformedResponse as error:
        raise malformed() from error
    except webauthn.UnverifiedResponse as error:
        raise unverified() from error
    _require_usable(tx, user)
    used = {"sign_count": count, "backed_up": backed_up, "last_used_at": tx.now}
    await passkeys.change(tx.db, passkey.id, tx.now, **used)
    await tx.record(user, "login", passkey_id=str(passkey.id))
    return await answer_session(tx, user, "passkey")


def stored_credential(passkey: Passkey) -> webauthn.Credential:
    """What an assertion is checked against."""
    return webauthn.Credential(
        passkey.credential_id, passkey.public_key, passkey.sign_count, backup_eligible=passkey.backup_eligible
    )


async def _claimed(tx: Transaction, credential_id: bytes, handle: bytes) -> tuple[User, Passkey]:
    """The account and passkey an authenticator claims to be; the handle is the account's id as text."""
    try:
        user = await users.find(tx.db, UUID(handle.decode("ascii")))
    except ValueError:
        user = None
    passkey = await passkeys.find_claimed(tx.db, user.id, credential_id) if user else None
    if user is None or passkey is None:
        raise webauthn.UnverifiedResponse
    return user, passkey


def _require_usable(tx: Transaction, user: User) -> None:
    refusal: AuthError | None = None
    if user.email and user.email_confirmed_at is None:
        refusal = CommittedError(403, "email_not_confirmed", "Email not confirmed")
    elif user.phone and user.phone_confirmed_at is None:
        refusal = CommittedError(403, "phone_not_confirmed", "Phone not confirmed")
    elif user.is_banned(tx.now):
        refusal = CommittedError(403, "user_banned", "User is banned")
    if refusal is not None:
        raise refusal
