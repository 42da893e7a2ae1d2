"""Sends the mails the schema has queued: claimed, sent, settled.

No transaction is open while a mail is on the way. The claim is a lease of some minutes, in which no other worker gets
the mail; one that was sent and not settled, because its sender died, is sent again after it. A mail may so arrive
twice, never not at all.
"""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urljoin

from sqlalchemy.ext.asyncio import AsyncEngine

from api.jobs.scripts import script
from api.mail.email import Email
from api.mail.mailer import Mailer, MailError

NEXT_MAIL: Final = script("next_mail")
MAIL_DONE: Final = script("mail_done")

_HTML = """\
<!doctype html>
<html lang="en"><body style="margin:0;padding:32px;background:#f4f4f5;font-family:system-ui,sans-serif;color:#18181b">
<div style="max-width:480px;margin:0 auto;padding:32px;background:#ffffff;border-radius:12px">
<h2 style="margin-top:0">{subject}</h2>
<p>{text}</p>
<p><a href="{link}" style="display:inline-block;padding:12px 20px;background:#18181b;color:#ffffff;\
border-radius:8px;text-decoration:none">{action}</a></p>
<p style="color:#71717a;font-size:13px">You can switch these mails off in your settings.</p>
</div></body></html>
"""


@dataclass(frozen=True)
class QueuedMail:
    """A mail as the schema words it; `path` is the page its button leads to, below the site's address."""

    id: int
    to: str
    kind: str
    subject: str
    text: str
    action: str
    path: str

    def letter(self, site_url: str) -> Email:
        """The mail as it goes out."""
        link = urljoin(site_url, self.path)
        shown = {"subject": self.subject, "text": self.text, "link": link, "action": self.action}
        return Email(
            to=self.to,
            subject=" ".join(self.subject.split()),
            html=_HTML.format(**{name: html.escape(value) for name, value in shown.items()}),
            text=f"{self.text}\n\n{self.action}: {link}\n",
            type=self.kind,
            link=link,
        )


class MailQueue:
    """The queue of one database."""

    def __init__(self, engine: AsyncEngine, mailer: Mailer, site_url: str) -> None:
        self._engine = engine
        self._mailer = mailer
        self._site_url = site_url

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
            await self._mailer.send(mail.letter(self._site_url))
        except MailError as error:
            return str(error) or type(error).__name__
        return None
