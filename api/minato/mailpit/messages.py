"""Mailpit's messages as a whole: listing, searching, marking as read, deleting, tags."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from minato.mailpit import answers
from minato.mailpit.letter import Letter
from minato.mailpit.mailbox import Mailbox
from minato.mailpit.query import matching, parse_moment
from minato.mailpit.replies import Refused, done, flag, read_json, reply, text, texts

PAGE = 50


class Messages:
    """`/api/v1/messages`, `/api/v1/search` and `/api/v1/tags`."""

    def __init__(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/api/v1/messages", self.list_letters, methods=["GET"]),
            Route("/api/v1/messages", self.mark, methods=["PUT"]),
            Route("/api/v1/messages", self.delete, methods=["DELETE"]),
            Route("/api/v1/search", self.search, methods=["GET"]),
            Route("/api/v1/search", self.delete_found, methods=["DELETE"]),
            Route("/api/v1/tags", self.tags, methods=["GET"]),
            Route("/api/v1/tags", self.set_tags, methods=["PUT"]),
        ]

    async def list_letters(self, request: Request) -> Response:
        letters = self._mailbox.letters()
        start, limit = _number(request, "start", 0), _number(request, "limit", PAGE)
        # A limit of 0 is none at all.
        page = _before(request, letters)[start : start + limit if limit else None] if limit else letters
        return reply(answers.listed(letters, letters, page, start))

    async def search(self, request: Request) -> Response:
        letters, found = self._mailbox.letters(), _before(request, self._found(request))
        start, limit = _number(request, "start", 0), _number(request, "limit", PAGE)
        return reply(answers.listed(letters, found, found[start : start + limit], start))

    async def delete_found(self, request: Request) -> Response:
        self._mailbox.remove([letter.id for letter in self._found(request)])
        return done()

    async def delete(self, request: Request) -> Response:
        """Those whose IDs are told; all of them when none is, or when the body says nothing that can be read."""
        try:
            ids = texts(await read_json(request), "IDs")
        except Refused:
            ids = []
        if ids:
            self._mailbox.remove(ids)
        else:
            self._mailbox.clear()
        return done()

    async def mark(self, request: Request) -> Response:
        """As read or unread: those whose IDs are told, those that a search finds, else all."""
        given = await read_json(request)
        ids, query, is_read = texts(given, "IDs"), text(given, "Search"), flag(given, "Read")
        if ids and query:
            raise Refused(400, "You may specify either IDs or a search query, not both")
        letters = self._mailbox.letters()
        if query:
            letters = matching(letters, query, request.query_params.get("tz", ""))
        for letter in letters:
            if not ids or letter.id in ids:
                letter.is_read = is_read
        return done()

    async def tags(self, request: Request) -> Response:
        return reply(answers.tags(self._mailbox.letters()))

    async def set_tags(self, request: Request) -> Response:
        given = await read_json(request)
        ids, tags = texts(given, "IDs"), texts(given, "Tags")
        for letter in self._mailbox.letters():
            if letter.id in ids:
                letter.set_tags(tags)
        return done()

    def _found(self, request: Request) -> list[Letter]:
        query = request.query_params.get("query", "").strip()
        if not query:
            raise Refused(400, "Error: no search query")
        return matching(self._mailbox.letters(), query, request.query_params.get("tz", ""))


def _before(request: Request, letters: list[Letter]) -> list[Letter]:
    """Those that came before a moment, where the request names one."""
    moment = parse_moment(request.query_params.get("before", ""))
    return letters if moment is None else [letter for letter in letters if letter.created < moment]


def _number(request: Request, name: str, default: int) -> int:
    """What is no number, or below 0, counts as not given."""
    given = request.query_params.get(name, "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 10 else default
