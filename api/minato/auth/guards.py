"""What stands before an endpoint, still without a database connection: the limit of its caller, and the captcha.

Each row of the routes names its guards in the reference's order. A row of POST says which limit it counts for, or why
it counts for none: a house test asks.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from minato.auth.captcha import require_captcha
from minato.auth.request.context import RequestContext
from minato.auth.wire.body import parse_json

Guard = Callable[[RequestContext], Awaitable[None]]

_GRANT_LIMITS: Final = {
    "password": "token",
    "refresh_token": "token",
    "id_token": "token",
    "pkce": "token",
    "web3": "web3",
}
_GRANTS_WITHOUT_CAPTCHA: Final = frozenset({"pkce", "refresh_token", "id_token"})


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
