"""The answer to a second signup: it looks like the first one's, so that nobody learns who has an account."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from api.auth.call import Answer, Call
from api.auth.errors import CommittedError
from api.auth.user_json import user_json
from api.auth.users import User


async def refuse_quietly(call: Call, existing: User, provider: str, address: str, metadata: dict[str, Any]) -> Answer:
    """Clients notice the empty identities. `provider` is email or phone."""
    await call.record(existing, "user_repeated_signup", provider=provider)
    if call.settings.mailer_autoconfirm or call.settings.sms_autoconfirm:
        raise CommittedError(422, "user_already_exists", "User already registered")
    obfuscated = replace(
        existing,
        id=call.backend.entropy.uuid4(),
        role="",
        created_at=call.now,
        updated_at=call.now,
        confirmation_sent_at=call.now,
        last_sign_in_at=None,
        confirmed_at=None,
        email_confirmed_at=None,
        phone_confirmed_at=None,
        email_change="",
        email_change_sent_at=None,
        phone_change="",
        phone_change_sent_at=None,
        raw_user_meta_data=metadata,
        raw_app_meta_data={"provider": provider, "providers": [provider]},
        email=address if provider == "email" else "",
        phone=address if provider == "phone" else "",
    )
    return Answer(user_json(obfuscated, []))
