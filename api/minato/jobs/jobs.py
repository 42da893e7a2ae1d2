"""Sends the mails that the project's SQL has queued, until the server stops; a beat that fails is tried at the next."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin, urlsplit

from sqlalchemy import TextClause
from sqlalchemy.ext.asyncio import AsyncEngine

from minato.at_work import Part, Pending, Rounds
from minato.backend import Backend
from minato.background import ended
from minato.json_text import JsonObject
from minato.mail.email import Email
from minato.mail.letter import Item, Letter, Way, letter_html, letter_text
from minato.mail.mailer import Mailer, MailError
from minato.project.jobs import job_statement
from minato.tokens.caller import SERVICE_ROLE

MAIL_SECONDS: Final = 5.0
FAREWELL_SECONDS: Final = 5.0
"""How long a server that stops waits for the mail that is on its way."""
_STOP: Final = "Get no more mails like this one"
_CHOOSE: Final = "Choose which mails you get"


class Jobs:
    """The jobs of one process: nothing where the project's `minato.toml` names no functions for `[mail]`."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._engine = backend.database.engine(SERVICE_ROLE)
        self._queue = self._planned()
        self._task: asyncio.Task[None] | None = None

    @property
    def parts(self) -> Sequence[Part]:
        """What is queued."""
        return (self._queue,) if self._queue is not None else ()

    async def start(self) -> None:
        """Begin; nothing waits for the first run."""
        if self._queue is not None:
            self._task = self._backend.supervisor.begin("queued mail", self._queue.keep_sending, MAIL_SECONDS)

    async def stop(self) -> None:
        """End; a mail that is on its way is due again when its lease is over."""
        await ended(self._task)

    def _planned(self) -> MailQueue | None:
        project = self._backend.settings.server.project
        next_mail, mail_done = (job_statement(project, name) for name in ("mail.next", "mail.done"))
        return self._mails(next_mail, mail_done) if next_mail is not None and mail_done is not None else None

    def _mails(self, next_mail: TextClause, mail_done: TextClause) -> MailQueue:
        backend = self._backend
        site_url = backend.settings.auth.site_url or backend.public_url
        product = backend.settings.server.app_name
        return MailQueue(
            self._engine, backend.mailer, site_url, next_mail=next_mail, mail_done=mail_done, product=product
        )


@dataclass(frozen=True)
class QueuedMail:
    """A mail as the schema words it; `path` is the page its button leads to, below the site's address.

    `quote` is somebody's own words, `facts` are pairs of name and value, `items` have a title, a text and a path. At
    `stop` such mails end without a sign-in; a mail without it can't be stopped alone. `reference` names the mail.
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
    stop: str = ""
    reference: str = ""

    @property
    def _tells_more(self) -> bool:
        return bool(self.quote or self.facts or self.items)

    def letter(self, site_url: str, product: str) -> Email:
        """The mail as it goes out."""
        subject = " ".join(self.subject.split())
        link = urljoin(site_url, self.path)
        stop = urljoin(site_url, self.stop) if self.stop else None
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
            stops=[Way(text, urljoin(site_url, path)) for text, path in self._stops if path],
        )
        html, text = letter_html(product, letter), letter_text(product, letter)
        reference = f"{self.reference}@{urlsplit(site_url).hostname}" if self.reference else None
        return Email(self.to, subject, html, text, self.kind, link=link, unsubscribe=stop, reference=reference)

    @property
    def _stops(self) -> Sequence[tuple[str, str]]:
        return ((_STOP, self.stop), (_CHOOSE, self.settings))


class MailQueue:
    """The queue of one database.

    `next_mail` claims what is due and gives it as JSON, or null; `mail_done` settles `:id`, with `:failure` or null. A
    mail that lacks something is a failure like any other, so that none behind it waits. It is a `Part`.
    """

    what = "jobs"
    leads_on = True

    def __init__(
        self,
        engine: AsyncEngine,
        mailer: Mailer,
        site_url: str,
        *,
        next_mail: TextClause,
        mail_done: TextClause,
        product: str = "Minato",
    ) -> None:
        self._engine = engine
        self._next_mail = next_mail
        self._mail_done = mail_done
        self._mailer = mailer
        self._site_url = site_url
        self._product = product
        self._rounds = Rounds()
        self._reads = False
        self.done = 0

    async def keep_sending(self) -> None:
        """Look into the queue now and then, and whenever somebody waits for it. Raises what the database raises."""
        while True:
            self._rounds.begin()
            self._reads = True
            await self.drain()
            self._reads = False
            self._rounds.end()
            await self._rounds.wanted(MAIL_SECONDS)

    async def settle(self) -> None:
        """Wait until what is due was sent."""
        await self._rounds.one()

    def pending(self) -> Pending | None:
        """What is queued is known to the database alone."""
        return Pending(1, "the queue of mails cannot be read: see the log") if self._reads else None

    async def drain(self) -> int:
        """Send what is due; how many mails were tried. Raises what the database raises."""
        tried = 0
        while await self._send_next():
            tried += 1
        return tried

    async def _send_next(self) -> bool:
        async with self._engine.begin() as connection:
            found: JsonObject | None = await connection.scalar(self._next_mail)
        if found is None:
            return False
        await _brought_to_its_end(asyncio.create_task(self._deliver(found)))
        self.done += 1
        return True

    async def _deliver(self, found: JsonObject) -> None:
        # Without a number nobody can be told of it: that is the schema's own mistake, and raised.
        number, failure = found["id"], await self._failure_of(found)
        async with self._engine.begin() as connection:
            await connection.execute(self._mail_done, {"id": number, "failure": failure})

    async def _failure_of(self, found: JsonObject) -> str | None:
        """Hand the mail over; why that failed, None when it did not."""
        try:
            letter = QueuedMail(**found).letter(self._site_url, self._product)
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            return f"not a mail as the server wants it: {error}"
        try:
            await self._mailer.send(letter)
        except MailError as error:
            return str(error) or type(error).__name__
        return None


async def _brought_to_its_end(delivery: asyncio.Task[None]) -> None:
    """Wait for a mail; whoever is cancelled meanwhile sees it out for some seconds, so that it need not go twice."""
    try:
        await asyncio.shield(delivery)
    except asyncio.CancelledError:
        await asyncio.wait({delivery}, timeout=FAREWELL_SECONDS)
        await ended(delivery)
        raise
