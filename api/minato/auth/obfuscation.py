"""The answer to a second signup: it looks like the first one's, so that nobody learns who has an account."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from minato.auth.call import Answer, Call
from minato.auth.errors import CommittedError
from minato.auth.registration import identity_data
from minato.auth.user_json import user_json
from minato.auth.users import User


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
