"""What the two passkey ceremonies share: a challenge that is asked once, answered once and runs out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from minato.auth import passkeys
from minato.auth.call import Answer, Call
from minato.auth.errors import AuthError, CommittedError, invalid
from minato.auth.webauthn import decoded, encoded


@dataclass
class PasskeyVerifyParams:
    challenge_id: str = ""
    credential: Any = None


def require_enabled(call: Call) -> None:
    if not call.settings.passkey_enabled:
        raise AuthError(404, "passkey_disabled", "Passkeys are disabled")


async def answer_options(
    call: Call, kind: str, user_id: UUID | None, challenge: bytes, options: dict[str, Any]
) -> Answer:
    """Remember the ceremony and answer with its options."""
    challenge_id = call.backend.entropy.uuid4()
    expires = call.now + timedelta(seconds=call.settings.webauthn_challenge_expiry_duration)
    session = {"challenge": encoded(challenge)}
    await passkeys.ask(call.db, challenge_id, kind, user_id, session, created_at=call.now, expires_at=expires)
    body = {"challenge_id": str(challenge_id), "options": options, "expires_at": int(expires.timestamp())}
    return Answer(body)


async def require_challenge(call: Call, kind: str, user_id: UUID | None) -> tuple[bytes, Any]:
    """The challenge that was asked and the credential that answers it; asked no more, however this ends."""
    params = call.params(PasskeyVerifyParams)
    if not params.challenge_id:
        raise invalid("challenge_id is required")
    if params.credential is None:
        raise invalid("credential is required")
    try:
        challenge_id = UUID(params.challenge_id)
    except ValueError as error:
        raise invalid("challenge_id must be a valid UUID") from error
    asked = await passkeys.consume(call.db, challenge_id, kind, user_id)
    if asked is None:
        raise AuthError(400, "webauthn_challenge_not_found", "Challenge not found or already used")
    if call.now > asked["expires_at"]:
        raise CommittedError(400, "webauthn_challenge_expired", "Challenge has expired")
    return decoded(asked["session_data"]["challenge"]), params.credential


def malformed() -> AuthError:
    return CommittedError(400, "webauthn_verification_failed", "Invalid credential response")


def unverified() -> AuthError:
    return CommittedError(400, "webauthn_verification_failed", "Credential verification failed")
