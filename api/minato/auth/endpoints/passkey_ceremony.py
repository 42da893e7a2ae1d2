"""What the two passkey ceremonies share: a challenge that is asked once, answered once and runs out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from minato.auth.factors import passkeys
from minato.auth.factors.webauthn import decoded, encoded
from minato.auth.request.context import Transaction
from minato.auth.request.data import RequestData
from minato.auth.request.response import Response
from minato.auth.wire.errors import AuthError, CommittedError, invalid


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
