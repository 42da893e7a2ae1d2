"""The outbox as a mail catcher's mailbox: with who has been read, and tags."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage, Message
from email.policy import SMTP, SMTPUTF8
from email.utils import format_datetime, getaddresses, parseaddr

from minato.mail.email import Email
from minato.mail.mailer import render_message
from minato.mail.outbox import Outbox, OutboxEntry
from minato.mailpit.letter import Letter, decoded, values
from minato.mailpit.parts import Parts


class Mailbox:
    """Every message of the outbox, read once. Messages that others take out of the outbox are gone here, too."""

    def __init__(self, outbox: Outbox[Email]) -> None:
        self.outbox = outbox
        self.deleted = 0
        self._letters: dict[str, Letter] = {}

    def letters(self) -> list[Letter]:
        """All of them, newest first."""
        known = {letter.entry_id: letter for letter in self._letters.values()}
        found = [known.get(entry.id) or _read(entry) for entry in self.outbox.find()]
        self._letters = {letter.id: letter for letter in found}
        return found

    def get(self, letter_id: str) -> Letter | None:
        """One of them by Mailpit's id."""
        self.letters()
        return self._letters.get(letter_id)

    def remove(self, ids: Collection[str]) -> None:
        """Forget these; an id that nothing has changes nothing."""
        gone = {letter.entry_id for letter in self.letters() if letter.id in ids}
        self.deleted += len(gone)
        self.outbox.remove(gone)

    def clear(self) -> None:
        """Forget all."""
        self.remove([letter.id for letter in self.letters()])

    def add(self, email: Email) -> Letter:
        """Keep a message that came from outside."""
        entry = self.outbox.add(email)
        return next(letter for letter in self.letters() if letter.entry_id == entry.id)


def _read(entry: OutboxEntry[Email]) -> Letter:
    return Letter(entry.id, entry.created_at, entry.email.source or _source(entry))


def _source(entry: OutboxEntry[Email]) -> bytes:
    """The message as it would have been sent, with what a mail server adds."""
    email = entry.email
    # What would be two lines of a header is no header; an SMTP server is not asked here.
    to, subject = " ".join(email.to.split()), " ".join(email.subject.split())
    message = render_message(replace(email, to=to, subject=subject))
    if "Message-ID" not in message:
        domain = parseaddr(email.sender)[1].rpartition("@")[2] or "localhost"
        message["Message-ID"] = f"<{entry.id}@{domain}>"
    message["Date"] = format_datetime(entry.created_at)
    return _as_bytes(message)


def _as_bytes(message: EmailMessage) -> bytes:
    # An address beyond ASCII can be written in no other way than as it is.
    return message.as_bytes(policy=SMTP if message["To"].isascii() else SMTPUTF8)


def received(source: bytes) -> Email:
    """What the outbox keeps of a message that another program wrote."""
    message = message_from_bytes(source)
    parts = Parts(message)
    # Its addresses and words are read anew from the source wherever it is shown.
    to = getaddresses(values(message, "To"))
    return Email(
        to=to[0][1] if to else "",
        subject=_first(message, "Subject"),
        html=parts.html,
        text=parts.text,
        type="received",
        sender=_first(message, "From"),
        source=source,
    )


def _first(message: Message, name: str) -> str:
    return next((decoded(value) for value in values(message, name)), "")
