"""What stands before an endpoint, still without a database connection: the limit of its caller, and the captcha.

Each row of the routes names its guards in the reference's order. A row of POST says which limit it counts for, or why
it counts for none: a house test asks.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from minato.auth.body import parse_json
from minato.auth.call import Call
from minato.auth.captcha import require_captcha
from minato.auth.errors import over_request_rate

Guard = Callable[[Call], Awaitable[None]]

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

    name_of: Callable[[Call], str | None]

    async def __call__(self, call: Call) -> None:
        name = self.name_of(call)
        if name is not None:
            await require_rate(call, name)


@dataclass(frozen=True)
class Unlimited:
    """A request counts for no limit, and why that is right."""

    reason: str

    async def __call__(self, call: Call) -> None:
        """Let everybody in."""


@dataclass(frozen=True)
class Captcha:
    """A request carries a captcha where these are on (400 `captcha_failed`), unless `spares` it."""

    spares: Callable[[Call], bool]

    async def __call__(self, call: Call) -> None:
        if not self.spares(call):
            await require_captcha(call)


async def require_rate(call: Call, name: str) -> None:
    """Refuse with 429 who did `name` too often."""
    if call.counted_as is None:
        return
    wait = await call.limits.wait(name, call.counted_as)
    if wait:
        raise over_request_rate(wait)


def limit(name: str) -> Limit:
    """The limit of one name, whatever is asked."""
    return Limit(lambda _: name)


def _limit_of_sign_up(call: Call) -> str | None:
    """An anonymous sign-up counts only where there are any: the endpoint refuses the others first."""
    if call.counted_as is None:
        return None
    document = parse_json(call.body)
    given = document if isinstance(document, dict) else {}
    if given.get("email") or given.get("phone"):
        return "signup"
    return "anonymous" if call.settings.external_anonymous_users_enabled else None


CAPTCHA: Final = Captcha(lambda _: False)
GRANT_CAPTCHA: Final = Captcha(lambda call: call.query.get("grant_type", "") in _GRANTS_WITHOUT_CAPTCHA)
GRANT_LIMIT: Final = Limit(lambda call: _GRANT_LIMITS.get(call.query.get("grant_type", "")))
SIGN_UP_LIMIT: Final = Limit(_limit_of_sign_up)
