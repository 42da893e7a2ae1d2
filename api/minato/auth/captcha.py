"""Captchas: the token that came with a request, and what its judge (hCaptcha, Turnstile) says of it."""

from __future__ import annotations

import json
from dataclasses import dataclass

from minato.auth.request.context import RequestContext
from minato.auth.sessions.authentication import require_admin, require_claims
from minato.auth.wire.errors import AuthError
from minato.http.outgoing import OutgoingError

_DISALLOWED = "captcha protection: request disallowed"


@dataclass
class captchaRequest:
    gotrue_meta_security: dict[str, object] | None = None


async def require_captcha(context: RequestContext) -> None:
    """Refuses a request without a captcha that its judge accepts; administrators need none."""
    if not context.settings.security_captcha_enabled or await _is_admin(context):
        return
    token = _token(context)
    if not token:
        raise AuthError(400, "captcha_failed", f"{_DISALLOWED} (no captcha_token found)")
    verdict = await _judge(context, token)
    if verdict.get("success") is not True:
        codes = verdict.get("error-codes")
        listed = ", ".join(str(code) for code in codes) if isinstance(codes, list) else ""
        raise AuthError(400, "captcha_failed", f"{_DISALLOWED} ({listed})")


def _token(context: RequestContext) -> str:
    given = (context.params(captchaRequest).gotrue_meta_security or {}).get("captcha_token") or ""
    if not isinstance(given, str):
        where = "captchaSecurity.gotrue_meta_security.captcha_token of type string"
        message = f"Could not parse request body as JSON: json: cannot unmarshal into Go struct field {where}"
        raise AuthError(400, "bad_json", message)
    return given.strip()


async def _judge(context: RequestContext, token: str) -> dict[str, object]:
    settings = context.settings
    form = {"secret": settings.security_captcha_secret.get_secret_value().strip(), "response": token}
    try:
        reply = await context.services.backend.outgoing.post(
            settings.captcha_judge, form={**form, "remoteip": context.ip}, seconds=settings.security_captcha_timeout
        )
        verdict = json.loads(reply.body)
    except (OutgoingError, ValueError) as error:
        raise AuthError(500, "unexpected_failure", "captcha verification process failed") from error
    return verdict if isinstance(verdict, dict) else {}


async def _is_admin(context: RequestContext) -> bool:
    try:
        role = require_claims(context).get("role")
        if not isinstance(role, str) or role not in context.settings.admin_roles:
            return False
        async with context.read() as tx:
            await require_admin(tx)
    except AuthError:
        return False
    return True
