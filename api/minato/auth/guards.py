"""What stands before an endpoint, still without a database connection: the limit of its caller, and the captcha.

Each row of the routes names its guards in the reference's order. A row of POST says which limit it counts for, or why
it counts for none: a house test asks.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from minato.auth.request.context import RequestContext
from minato.auth.sessions.authentication import require_admin, require_claims
from minato.auth.wire.body import parse_json
from minato.auth.wire.errors import AuthError
from minato.http.outgoing import OutgoingError

Guard = Callable[[RequestContext], Awaitable[None]]

_GRANT_LIMITS: Final = {
    "password": "token",
    "refresh_token": "token",
    "id_token": "token",
    "pkce": "token",
    "web3": "web3",
}
_GRANTS_WITHOUT_CAPTCHA: Final = frozenset({"pkce", "refresh_token", "id_token"})
# In development; in production the secret is like any other.
TEST_SECRET, TEST_TOKEN = "minato", "pass"
_DISALLOWED = "captcha protection: request disallowed"


@dataclass(frozen=True)
class Limit:
    """A request counts for the limit of this name; None where `name_of` finds that it counts for none.

    Refuses with 429 `over_request_rate_limit`, whose `Retry-After` says when to come back.
    """

    name_of: Callable[[RequestContext], str | None]

    async def __call__(self, context: RequestContext) -> None:
        name = self.name_of(context)
        if name is not None:
            await context.require_rate(name)


@dataclass(frozen=True)
class Unlimited:
    """A request counts for no limit, and why that is right."""

    reason: str

    async def __call__(self, context: RequestContext) -> None:
        """Let everybody in."""


@dataclass(frozen=True)
class Captcha:
    """A request carries a captcha where these are on (400 `captcha_failed`), unless `spares` it."""

    spares: Callable[[RequestContext], bool]

    async def __call__(self, context: RequestContext) -> None:
        if not self.spares(context):
            await require_captcha(context)


def limit(name: str) -> Limit:
    """The limit of one name, whatever is asked."""
    return Limit(lambda _: name)


def _limit_of_sign_up(context: RequestContext) -> str | None:
    """An anonymous sign-up counts only where there are any: the endpoint refuses the others first."""
    if context.counted_as is None:
        return None
    document = parse_json(context.body)
    given = document if isinstance(document, dict) else {}
    if given.get("email") or given.get("phone"):
        return "signup"
    return "anonymous" if context.settings.external_anonymous_users_enabled else None


CAPTCHA: Final = Captcha(lambda _: False)
GRANT_CAPTCHA: Final = Captcha(lambda context: context.query.get("grant_type", "") in _GRANTS_WITHOUT_CAPTCHA)
GRANT_LIMIT: Final = Limit(lambda context: _GRANT_LIMITS.get(context.query.get("grant_type", "")))
SIGN_UP_LIMIT: Final = Limit(_limit_of_sign_up)


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
    is_ours = context.backend.development and _captcha_secret(context) == TEST_SECRET
    verdict = _verdict_of_tests(token) if is_ours else await _judge(context, token)
    if verdict.get("success") is not True:
        codes = verdict.get("error-codes")
        listed = ", ".join(str(code) for code in codes) if isinstance(codes, list) else ""
        raise AuthError(400, "captcha_failed", f"{_DISALLOWED} ({listed})")


def _verdict_of_tests(token: str) -> dict[str, object]:
    """With a secret of its own nobody is asked, and one token alone passes."""
    return {"success": token == TEST_TOKEN, "error-codes": ["invalid-input-response"]}


def _token(context: RequestContext) -> str:
    given = (context.params(captchaRequest).gotrue_meta_security or {}).get("captcha_token") or ""
    if not isinstance(given, str):
        where = "captchaSecurity.gotrue_meta_security.captcha_token of type string"
        message = f"Could not parse request body as JSON: json: cannot unmarshal into Go struct field {where}"
        raise AuthError(400, "bad_json", message)
    return given.strip()


def _captcha_secret(context: RequestContext) -> str:
    return context.settings.security_captcha_secret.get_secret_value().strip()


async def _judge(context: RequestContext, token: str) -> dict[str, object]:
    settings = context.settings
    form = {"secret": _captcha_secret(context), "response": token}
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
