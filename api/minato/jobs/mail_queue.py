"""Sends the mails the schema has queued: claimed, sent, settled.

No transaction is open while a mail is on the way. The claim is a lease of some minutes, in which no other worker gets
the mail; one that was sent and not settled, because its sender died, is sent again after it. A mail may so arrive
twice, never not at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urljoin

from sqlalchemy.ext.asyncio import AsyncEngine

from minato.jobs.scripts import script
from minato.mail.email import Email
from minato.mail.letter import Item, Letter, Way, letter_html, letter_text
from minato.mail.mailer import Mailer, MailError

NEXT_MAIL: Final = script("next_mail")
MAIL_DONE: Final = script("mail_done")

_STOP: Final = "Choose which mails you get"


@dataclass(frozen=True)
class QueuedMail:
    """A mail as the schema words it; `path` is the page its button leads to, below the site's address.

    `quote` is somebody's own words, `facts` are pairs of name and value, `items` have a title, a text and a path.
    """

    id: int
    to: str
    kind: str
    subject: str
    text: str
    action: str
    path: str
    quote: str = ""
    facts: Sequence[tuple[str, str]] = ()
    items: Sequence[Mapping[str, str]] = ()
    from_team: bool = False
    settings: str = ""

    @property
    def _tells_more(self) -> bool:
        return bool(self.quote or self.facts or self.items)

    def letter(self, site_url: str, product: str) -> Email:
        """The mail as it goes out."""
        subject = " ".join(self.subject.split())
        link = urljoin(site_url, self.path)
        stop = urljoin(site_url, self.settings) if self.settings else None
        letter = Letter(
            title=subject,
            text=self.text if self._tells_more else self.text.removesuffix(":").rstrip(".") + ".",
            quote=self.quote,
            facts=[(name, value) for name, value in self.facts],
            items=[
                Item(Way(item["title"], urljoin(site_url, item.get("path", self.path))), item.get("text", ""))
                for item in self.items
            ],
            button=Way(self.action, link),
            footer=[f"Sent by the {product} team." if self.from_team else f"Sent by {product}, {site_url}"],
            stop=Way(_STOP, stop) if stop else None,
        )
        html, text = letter_html(product, letter), letter_text(product, letter)
        return Email(self.to, subject, html, text, self.kind, link=link, unsubscribe=stop)


class MailQueue:
    """The queue of one database."""

    def __init__(self, engine: AsyncEngine, mailer: Mailer, site_url: str, product: str = "Minato") -> None:
        self._engine = engine
        self._mailer = mailer
        self._site_url = site_url
        self._product = product

    async def drain(self) -> int:
        """Send what is due; how many mails were tried. Raises what the database raises."""
        tried = 0
        while await self._send_next():
            tried += 1
        return tried

    async def _send_next(self) -> bool:
        async with self._engine.begin() as connection:
            found: dict[str, Any] | None = await connection.scalar(NEXT_MAIL)
        if found is None:
            return False
        mail = QueuedMail(**found)
        failure = await self._failure_of(mail)
        async with self._engine.begin() as connection:
            await connection.execute(MAIL_DONE, {"id": mail.id, "failure": failure})
        return True

    async def _failure_of(self, mail: QueuedMail) -> str | None:
        """Hand the mail over; why that failed, None when it did not."""
        try:
            await self._mailer.send(mail.letter(self._site_url, self._product))
        except MailError as error:
            return str(error) or type(error).__name__
        return None
