"""Answers that must not tell who has an account: given before it is looked for, or looking like the first one's."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import fields
from typing import Any

from minato.auth.accounts.registration import identity_data
from minato.auth.request.call import Answer, Call
from minato.auth.rows.users import User
from minato.auth.wire.errors import CommittedError
from minato.auth.wire.user_json import user_json


def is_discreet(call: Call) -> bool:
    """Whether this server hides who has an account; in production, unless told otherwise."""
    told = call.settings.security_hide_accounts
    return not call.backend.development if told is None else told


async def discreetly(call: Call, work: Callable[[Call], Awaitable[Answer]]) -> Answer:
    """`{}` at once and `work` afterwards, whatever comes of it; where accounts are not hidden, what `work` answers."""
    return Answer({}, later=work) if is_discreet(call) else await work(call)


async def refuse_quietly(call: Call, existing: User, provider: str, address: str, metadata: dict[str, Any]) -> Answer:
    """Clients notice the empty identities. `provider` is email or phone."""
    await call.record(existing, "user_repeated_signup", provider=provider)
    if call.settings.mailer_autoconfirm or call.settings.sms_autoconfirm:
        raise CommittedError(422, "user_already_exists", "User already registered")
    # Made of nothing but what was sent: no column of the account may show.
    user_id = call.backend.entropy.uuid4()
    columns: dict[str, Any] = dict.fromkeys((field.name for field in fields(User)), None)
    columns |= {"id": user_id, "aud": call.audience, "is_sso_user": False, "is_anonymous": False, provider: address}
    columns |= dict.fromkeys(("created_at", "updated_at", "confirmation_sent_at"), call.now)
    columns["raw_app_meta_data"] = {"provider": provider, "providers": [provider]}
    columns["raw_user_meta_data"] = identity_data(user_id, provider, address, metadata)
    return Answer(user_json(User(**columns), []))
