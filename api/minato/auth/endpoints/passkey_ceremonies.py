"""/passkeys/registration and /passkeys/authentication: adding a passkey, and signing in with one alone.

Both ceremonies share a challenge that is asked once, answered once and runs out.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from minato.auth.factors import passkeys, webauthn
from minato.auth.factors.passkeys import Passkey, passkey_name
from minato.auth.factors.webauthn import decoded, encoded
from minato.auth.request.context import ReadTransaction, Transaction
from minato.auth.request.data import RequestData
from minato.auth.request.response import Response
from minato.auth.rows import factors, users
from minato.auth.rows.users import User
from minato.auth.sessions.authentication import Authenticated, require_known_user
from minato.auth.sessions.sign_in import answer_session
from minato.auth.wire.errors import AuthError, CommittedError, invalid
from minato.auth.wire.json_format import render_time


@dataclass
class PasskeyVerifyParams:
    challenge_id: str = ""
    credential: object = None


def require_enabled(data: RequestData) -> None:
    if not data.settings.passkey_enabled:
        raise AuthError(404, "passkey_disabled", "Passkeys are disabled")


async def answer_options(
    tx: Transaction, kind: str, user_id: UUID | None, challenge: bytes, options: dict[str, object]
) -> Response:
    """Remember the ceremony and answer with its options."""
    challenge_id = tx.backend.entropy.uuid4()
    expires = tx.now + timedelta(seconds=tx.settings.webauthn_challenge_expiry_duration)
    session = {"challenge": encoded(challenge)}
    await passkeys.ask(tx.db, challenge_id, kind, user_id, session, created_at=tx.now, expires_at=expires)
    body = {"challenge_id": str(challenge_id), "options": options, "expires_at": int(expires.timestamp())}
    return Response(body)


async def require_challenge(tx: Transaction, kind: str, user_id: UUID | None) -> tuple[bytes, object]:
    """The challenge that was asked and the credential that answers it; asked no more, however this ends."""
    params = tx.params(PasskeyVerifyParams)
    if not params.challenge_id:
        raise invalid("challenge_id is required")
    if params.credential is None:
        raise invalid("credential is required")
    try:
        challenge_id = UUID(params.challenge_id)
    except ValueError as error:
        raise invalid("challenge_id must be a valid UUID") from error
    asked = await passkeys.consume(tx.db, challenge_id, kind, user_id)
    if asked is None:
        raise AuthError(400, "webauthn_challenge_not_found", "Challenge not found or already used")
    if tx.now > asked.expires_at:
        raise CommittedError(400, "webauthn_challenge_expired", "Challenge has expired")
    return decoded(asked.session_data["challenge"]), params.credential


def malformed() -> AuthError:
    return CommittedError(400, "webauthn_verification_failed", "Invalid credential response")


def unverified() -> AuthError:
    return CommittedError(400, "webauthn_verification_failed", "Credential verification failed")


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
    name = passkey_name(credential.aaguid)
    created = await passkeys.create(tx.writer, who.user.id, credential, name)
    if created is None:
        raise CommittedError(422, "webauthn_credential_exists", "This credential is already registered")
    await tx.record(who.user, "passkey_created", passkey_id=str(created.id))
    return Response({"id": str(created.id), "friendly_name": name, "created_at": render_time(created.created_at)})


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
