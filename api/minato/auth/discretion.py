"""Endpoints that must not tell who has an account: they answer `{}` before they look for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from minato.auth.call import Answer, Call


def is_discreet(call: Call) -> bool:
    """Whether this server hides who has an account; in production, unless told otherwise."""
    told = call.settings.security_hide_accounts
    return not call.backend.development if told is None else told


async def discreetly(call: Call, work: Callable[[Call], Awaitable[Answer]]) -> Answer:
    """`{}` at once and `work` afterwards, whatever comes of it; where accounts are not hidden, what `work` answers."""
    return Answer({}, later=work) if is_discreet(call) else await work(call)
