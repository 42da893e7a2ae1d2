"""Mails that tell the owner of an account what happened to it. They are best effort: what happened stays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from minato.auth.call import Call
from minato.auth.errors import AuthError
from minato.auth.hooks.points import mail_told, send_by_hook
from minato.auth.mail_limits import require_mail
from minato.auth.mail_templates import render_mail
from minato.auth.users import User
from minato.mail.email import Email
from minato.mail.mailer import MailError


@dataclass(frozen=True)
class News:
    """What happened: the `kind` of setting, and what its mail tells besides the account's address."""

    kind: str
    old_email: str = ""
    old_phone: str = ""
    provider: str = ""
    factor_type: str = ""

    @property
    def action(self) -> str:
        return f"{self.kind}_notification"


async def tell(call: Call, user: User, news: News, to: str | None = None) -> None:
    """Mail the account's address, or `to`, once everything is committed, if such mails are on."""
    address = to or user.email or ""
    if not address or not getattr(call.settings, f"mailer_notifications_{news.kind}_enabled"):
        return
    details = {name: value for name, value in vars(news).items() if name != "kind" and value}
    told = await mail_told(call, user, news.action, details) if call.settings.hook("send_email") else None
    call.afterwards.append(partial(_send, call, _compose(call, user, news, address), told))


def _compose(call: Call, user: User, news: News, address: str) -> Email:
    variables = {
        "AppName": call.backend.settings.server.app_name,
        "SiteURL": call.site_url,
        "Email": user.email or "",
        "Phone": user.phone or "",
        "Data": user.user_metadata,
        "OldEmail": news.old_email,
        "OldPhone": news.old_phone,
        "Provider": news.provider,
        "FactorType": news.factor_type,
        "SendingTo": address,
    }
    subject, html = render_mail(news.action, call.settings, variables)
    return Email(address, subject, html, f"{subject}\n\n{user.email or ''}\n", news.action)


async def _send(call: Call, email: Email, told: dict[str, Any] | None) -> None:
    try:
        require_mail(call, email.to)
        if told is None:
            await call.backend.mailer.send(email)
        else:
            await send_by_hook(call, "send_email", told)
    except (AuthError, MailError) as error:
        call.backend.log.warning("a notification was not sent", kind=email.type, error=str(error))
