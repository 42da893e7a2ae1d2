"""Who may be mailed, how soon again, and how much mail leaves in all."""

from __future__ import annotations

import re
from datetime import datetime

from minato.auth.call import Call
from minato.auth.errors import AuthError
from minato.auth.frequency import require_interval

_LABEL = re.compile(r"\+[^@]+@")


def require_mail_interval(call: Call, sent_at: datetime | None) -> None:
    """Refuses (429) the same kind of mail too soon after `sent_at`."""
    require_interval(call, sent_at, call.settings.smtp_max_frequency, "over_email_send_rate_limit")


def require_mail(call: Call, *addresses: str) -> None:
    """Refuses addresses that mail may not go to (400), and one mail more than the whole server may send (429)."""
    allowed = call.settings.authorized_addresses
    for address in addresses:
        # anna+news@ is anna@
        if allowed and address and _LABEL.sub("@", address).lower() not in allowed:
            message = f'Email address "{address}" cannot be used as it is not authorized'
            raise AuthError(400, "email_address_not_authorized", message)
    limited = not call.settings.mailer_autoconfirm
    if call.limits.forbids_mail or (limited and not call.limits.allows_mail()):
        raise AuthError(429, "over_email_send_rate_limit", "email rate limit exceeded")
