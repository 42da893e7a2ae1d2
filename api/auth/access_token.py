"""The access token: a user's session as claims, in GoTrue's order."""

from __future__ import annotations

from typing import Any

from api.auth.call import Call
from api.auth.sessions import Session
from api.auth.user import User

SECOND_FACTORS = frozenset({"totp", "mfa/phone", "mfa/webauthn"})


def assurance_level(methods: list[str]) -> str:
    """`aal2` when one of the methods is a second factor.

    >>> assurance_level(["password", "totp"])
    'aal2'
    """
    return "aal2" if SECOND_FACTORS.intersection(methods) else "aal1"


def issue(call: Call, user: User, session: Session) -> tuple[str, int]:
    """A signed access token and when it expires, in Unix seconds."""
    issued_at = int(call.services.backend.clock.timestamp())
    expires_at = issued_at + call.settings.jwt_exp
    claims: dict[str, Any] = {
        "iss": call.services.issuer,
        "sub": str(user.id),
        "aud": user.aud,
        "exp": expires_at,
        "iat": issued_at,
        "email": user.email or "",
        "phone": user.phone or "",
        "app_metadata": user.app_metadata,
        "user_metadata": user.user_metadata,
        "role": user.role,
        "aal": assurance_level([method for method, _ in session.methods]),
        "amr": [{"method": method, "timestamp": int(at.timestamp())} for method, at in session.methods],
        "session_id": str(session.id),
        "is_anonymous": user.is_anonymous,
    }
    return call.services.backend.keys.sign(claims), expires_at
