"""Answers that must not tell who has an account: given before it is looked for, or looking like the first one's."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from minato.auth.accounts.registration import identity_data
from minato.auth.request.context import RequestContext, Transaction
from minato.auth.request.data import RequestData
from minato.auth.request.response import Endpoint, Response
from minato.auth.rows.users import User
from minato.auth.wire.errors import CommittedError
from minato.auth.wire.user_json import user_json
from minato.json_text import JsonObject


def is_discreet(data: RequestData) -> bool:
    """Whether this server hides who has an account; in production, unless told otherwise."""
    told = data.settings.security_hide_accounts
    return not data.backend.development if told is None else told


async def discreetly(context: RequestContext, work: Endpoint) -> Response:
    """`{}` at once and `work` afterwards, whatever comes of it; where accounts are not hidden, what `work` answers."""
    return Response({}, later=work) if is_discreet(context) else await work(context)


async def refuse_quietly(
    tx: Transaction, existing: User, provider: str, address: str, metadata: JsonObject
) -> Response:
    """Clients notice the empty identities. `provider` is email or phone."""
    await tx.record(existing, "user_repeated_signup", provider=provider)
    if tx.settings.mailer_autoconfirm or tx.settings.sms_autoconfirm:
        raise CommittedError(422, "user_already_exists", "User already registered")
    # Made of nothing but what was sent: no column of the account may show.
    user_id = tx.backend.entropy.uuid4()
    columns: dict[str, Any] = dict.fromkeys((field.name for field in fields(User)), None)
    columns |= {"id": user_id, "aud": tx.audience, "is_sso_user": False, "is_anonymous": False, provider: address}
    columns |= dict.fromkeys(("created_at", "updated_at", "confirmation_sent_at"), tx.now)
    columns["raw_app_meta_data"] = {"provider": provider, "providers": [provider]}
    columns["raw_user_meta_data"] = identity_data(user_id, provider, address, metadata)
    return Response(user_json(User(**columns), []))
