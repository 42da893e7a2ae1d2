"""Inbucket's API, which the Supabase CLI had before Mailpit: a mailbox for each name in front of an `@`."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from minato.mailpit import answers
from minato.mailpit.letter import Address, Letter, header_fields
from minato.mailpit.mailbox import Mailbox
from minato.mailpit.message import LATEST
from minato.mailpit.parts import Part
from minato.mailpit.replies import NOT_FOUND, Refused, flag, read_json, reply

_NAME = re.compile(r"[a-z0-9!#$%&'*+\-=/?^_`.{|}~]+")


class Inbucket:
    """`/api/v1/mailbox/{name}`; a name may be a whole address, and what follows a plus in it counts for nothing."""

    def __init__(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox

    @property
    def routes(self) -> list[Route]:
        one = "/api/v1/mailbox/{name}/{id}"
        return [
            Route("/api/v1/mailbox/{name}", self.list_letters, methods=["GET"]),
            Route("/api/v1/mailbox/{name}", self.purge, methods=["DELETE"]),
            Route(one, self.show, methods=["GET"]),
            Route(one, self.mark, methods=["PATCH"]),
            Route(one, self.delete, methods=["DELETE"]),
            Route(f"{one}/source", self.source, methods=["GET"]),
        ]

    async def list_letters(self, request: Request) -> Response:
        return reply([_header(letter, _name(request)) for letter in self._letters(request)])

    async def purge(self, request: Request) -> Response:
        self._mailbox.remove([letter.id for letter in self._letters(request)])
        return reply("OK")

    async def show(self, request: Request) -> Response:
        letter, name = self._letter(request), _name(request)
        attached = [
            _attachment(part, f"{request.base_url}api/v1/message/{letter.id}/part/{part.id}")
            for part in letter.parts.attachments
        ]
        return reply(
            {
                **_header(letter, name),
                "body": {"text": letter.parts.text, "html": letter.parts.html},
                "header": header_fields(letter.message),
                "attachments": attached,
            }
        )

    async def mark(self, request: Request) -> Response:
        letter = self._letter(request)
        letter.is_read = flag(await read_json(request), "seen") or letter.is_read
        return reply("OK")

    async def delete(self, request: Request) -> Response:
        self._mailbox.remove([self._letter(request).id])
        return reply("OK")

    async def source(self, request: Request) -> Response:
        return Response(self._letter(request).source, media_type="text/plain")

    def _letters(self, request: Request) -> list[Letter]:
        """Those of a mailbox, oldest first."""
        name = _name(request)
        return [letter for letter in reversed(self._mailbox.letters()) if name in _mailboxes(letter)]

    def _letter(self, request: Request) -> Letter:
        letters, letter_id = self._letters(request), request.path_params["id"]
        wanted = letters[-1:] if letter_id == LATEST else [letter for letter in letters if letter.id == letter_id]
        if not wanted:
            raise Refused(404, NOT_FOUND)
        return wanted[0]


def mailbox_name(address: str) -> str:
    """The mailbox of an address; empty for what can have none.

    >>> mailbox_name("Anna+news@example.com"), mailbox_name("an na")
    ('anna', '')
    """
    local = address.partition("@")[0].lower()
    return local.partition("+")[0] if _NAME.fullmatch(local) else ""


def _name(request: Request) -> str:
    return mailbox_name(request.path_params["name"])


def _mailboxes(letter: Letter) -> set[str]:
    people = [person for header in ("To", "Cc", "Bcc") for person in letter.addresses(header)]
    return {name for person in people if (name := mailbox_name(person.address))}


def _header(letter: Letter, name: str) -> answers.JSON:
    return {
        "mailbox": name,
        "id": letter.id,
        "from": _written(letter.sender) if letter.sender else "",
        "to": [_written(person) for person in letter.addresses("To")],
        "subject": letter.subject,
        "date": answers.moment(letter.created.astimezone(UTC), milliseconds=True),
        "posix-millis": int(letter.created.timestamp() * 1000),
        "size": len(letter.source),
        "seen": letter.is_read,
    }


def _written(person: Address) -> str:
    return f"{person.name} <{person.address}>".strip()


def _attachment(part: Part, link: str) -> answers.JSON:
    return {
        "filename": part.file_name,
        "content-type": part.media_type,
        "download-link": link,
        "view-link": link,
        "md5": hashlib.md5(part.content, usedforsecurity=False).hexdigest(),
    }
