"""How a message leaves: by SMTP when a server is configured, into the outbox otherwise, and in development always."""

from __future__ import annotations

from dataclasses import replace
from email.message import EmailMessage
from email.utils import formataddr
from typing import Protocol

from minato.config.mail import MailSettings
from minato.mail.email import Email
from minato.mail.outbox import Outbox


class MailError(Exception):
    """The message could not be handed over."""


class Mailer(Protocol):
    """Anything that takes a message."""

    async def send(self, email: Email) -> None:
        """Hand `email` over. Raises MailError."""
        ...


class OutboxMailer:
    """Keeps every message where the developer can read it."""

    def __init__(self, outbox: Outbox[Email], settings: MailSettings) -> None:
        self._outbox = outbox
        self._sender = sender_address(settings)

    async def send(self, email: Email) -> None:
        self._outbox.add(with_sender(email, self._sender))


class SmtpMailer:
    """Delivers to the configured server."""

    def __init__(self, settings: MailSettings) -> None:
        self._settings = settings

    async def send(self, email: Email) -> None:
        import aiosmtplib  # who has no mail server does not pay for its library

        settings = self._settings
        message = render_message(with_sender(email, sender_address(settings)))
        try:
            await aiosmtplib.send(
                message,
                hostname=settings.host,
                port=settings.port,
                username=settings.user,
                password=settings.password.get_secret_value() if settings.password else None,
                use_tls=settings.security == "tls",
                start_tls=settings.security == "starttls",
                timeout=settings.timeout,
            )
        except (aiosmtplib.SMTPException, OSError) as error:
            raise MailError(str(error)) from error


class EveryMailer:
    """Hands a message to several mailers in turn; the first that fails stops it."""

    def __init__(self, *mailers: Mailer) -> None:
        self._mailers = mailers

    async def send(self, email: Email) -> None:
        for mailer in self._mailers:
            await mailer.send(email)


def create_mailer(settings: MailSettings, outbox: Outbox[Email], development: bool) -> Mailer:
    """The mailer these settings ask for."""
    if settings.host is None:
        return OutboxMailer(outbox, settings)
    delivery = SmtpMailer(settings)
    return EveryMailer(delivery, OutboxMailer(outbox, settings)) if development else delivery


def sender_address(settings: MailSettings) -> str:
    """`Name <address>` of the sender."""
    return formataddr((settings.sender_name, settings.sender_email))


def with_sender(email: Email, sender: str) -> Email:
    """`email` with its sender filled in where the room left it open."""
    return email if email.sender else replace(email, sender=sender)


def render_message(email: Email) -> EmailMessage:
    """The MIME message: plain text with an HTML alternative."""
    message = EmailMessage()
    message["To"], message["From"], message["Subject"] = email.to, email.sender, email.subject
    if email.unsubscribe:
        message["List-Unsubscribe"] = f"<{email.unsubscribe}>"
    message.set_content(email.text)
    message.add_alternative(email.html, subtype="html")
    return message
