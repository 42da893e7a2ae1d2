"""Captchas: the token that came with a request, and what its judge (hCaptcha, Turnstile) says of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from minato.auth.authentication import require_admin, require_claims
from minato.auth.call import Call
from minato.auth.errors import AuthError
from minato.http.outgoing import OutgoingError

_DISALLOWED = "captcha protection: request disallowed"


@dataclass
class captchaRequest:
    gotrue_meta_security: dict[str, Any] | None = None


async def require_captcha(call: Call) -> None:
    """Refuses a request without a captcha that its judge accepts; administrators need none."""
    if not call.settings.security_captcha_enabled or await _is_admin(call):
        return
    token = _token(call)
    if not token:
        raise AuthError(400, "captcha_failed", f"{_DISALLOWED} (no captcha_token found)")
    verdict = await _judge(call, token)
    if verdict.get("success") is not True:
        codes = verdict.get("error-codes")
        listed = ", ".join(str(code) for code in codes) if isinstance(codes, list) else ""
        raise AuthError(400, "captcha_failed", f"{_DISALLOWED} ({listed})")


def _token(call: Call) -> str:
    given = (call.params(captchaRequest).gotrue_meta_security or {}).get("captcha_token") or ""
    if not isinstance(given, str):
        where = "captchaSecurity.gotrue_meta_security.captcha_token of type string"
        message = f"Could not parse request body as JSON: json: cannot unmarshal into Go struct field {where}"
        raise AuthError(400, "bad_json", message)
    return given.strip()


async def _judge(call: Call, token: str) -> dict[str, Any]:
    settings = call.settings
    form = {"secret": settings.security_captcha_secret.get_secret_value().strip(), "response": token}
    try:
        reply = await call.backend.outgoing.post(
            settings.captcha_judge, form={**form, "remoteip": call.ip}, seconds=settings.security_captcha_timeout
        )
        verdict = json.loads(reply.body)
    except (OutgoingError, ValueError) as error:
        raise AuthError(500, "unexpected_failure", "captcha verification process failed") from error
    return verdict if isinstance(verdict, dict) else {}


async def _is_admin(call: Call) -> bool:
    try:
        role = require_claims(call).get("role")
        if not isinstance(role, str) or role not in call.settings.admin_roles:
            return False
        await _require_admin_now(call)
    except AuthError:
        return False
    return True


async def _require_admin_now(call: Call) -> None:
    """`require_admin` before the request has its transaction."""
    await call.db.start()
    try:
        await require_admin(call)
    finally:
        await call.db.close()
        call.db = call.connect()
