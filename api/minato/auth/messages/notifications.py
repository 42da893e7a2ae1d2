"""Mails that tell the owner of an account what happened to it. They are best effort: what happened stays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from minato.auth.hooks.points import mail_told, send_by_hook
from minato.auth.messages.limits import require_mail
from minato.auth.messages.mail_templates import render_mail, text_of
from minato.auth.request.context import RequestContext, Transaction
from minato.auth.request.data import RequestData
from minato.auth.rows.users import User
from minato.auth.wire.errors import AuthError
from minato.mail.email import Email
from minato.mail.mailer import MailError


@dataclass(frozen=True)
class Notification:
    """What happened: the `kind` of setting, and what its mail tells besides the account's address."""

    kind: str
    old_email: str = ""
    old_phone: str = ""
    provider: str = ""
    factor_type: str = ""

    @property
    def action(self) -> str:
        return f"{self.kind}_notification"


async def notify(tx: Transaction, user: User, notification: Notification, to: str | None = None) -> None:
    """Mail the account's address, or `to`, once everything is committed, if such mails are on."""
    address = to or user.email or ""
    if not address or not getattr(tx.settings, f"mailer_notifications_{notification.kind}_enabled"):
        return
    details = {name: value for name, value in vars(notification).items() if name != "kind" and value}
    told = await mail_told(tx, user, notification.action, details) if tx.settings.hook("send_email") else None
    tx.after_commit.append(partial(_send, email=_compose(tx, user, notification, address), told=told))


def _compose(data: RequestData, user: User, notification: Notification, address: str) -> Email:
    variables = {
        "AppName": data.backend.settings.server.app_name,
        "SiteURL": data.site_url,
        "Email": user.email or "",
        "Phone": user.phone or "",
        "Data": user.user_metadata,
        "OldEmail": notification.old_email,
        "OldPhone": notification.old_phone,
        "Provider": notification.provider,
        "FactorType": notification.factor_type,
        "SendingTo": address,
    }
    subject, html = render_mail(notification.action, data.settings, variables)
    text = text_of(notification.action, data.settings, html, variables)
    return Email(address, subject, html, text, notification.action)


async def _send(context: RequestContext, email: Email, told: dict[str, object] | None) -> None:
    try:
        require_mail(context, email.to)
        if told is None:
            await context.services.backend.mailer.send(email)
        else:
            await send_by_hook(context, "send_email", told)
    except (AuthError, MailError) as error:
        context.backend.log.warning("a notification was not sent", kind=email.type, error=str(error))
