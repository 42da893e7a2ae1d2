"""One message: as JSON, its headers, its source, what is attached to it, and as a page."""

from __future__ import annotations

import re
from base64 import b64encode
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from minato.dev.app import mail_headers
from minato.mailpit import answers
from minato.mailpit.letter import Letter, header_fields
from minato.mailpit.mailbox import Mailbox
from minato.mailpit.query import matching
from minato.mailpit.replies import NOT_FOUND, Refused, reply

LATEST = "latest"
# A part is somebody else's file on the address of a mailbox: it is shown, and may do nothing.
PART_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"


class OneMessage:
    """`/api/v1/message/{id}` and `/view/`; the id may be `latest`."""

    def __init__(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/api/v1/message/{id}", self.show, methods=["GET"]),
            Route("/api/v1/message/{id}/headers", self.headers, methods=["GET"]),
            Route("/api/v1/message/{id}/raw", self.raw, methods=["GET"]),
            Route("/api/v1/message/{id}/part/{part}", self.part, methods=["GET"]),
            Route("/view/{id}.html", self.html, methods=["GET"]),
            Route("/view/{id}.txt", self.text, methods=["GET"]),
            Route("/view/{id}", self.page, methods=["GET"]),
        ]

    async def show(self, request: Request) -> Response:
        letter = self._letter(request)
        letter.is_read = True
        return reply(answers.full(letter))

    async def headers(self, request: Request) -> Response:
        return reply(header_fields(self._letter(request).message))

    async def raw(self, request: Request) -> Response:
        letter = self._letter(request)
        saved = {"content-disposition": f'attachment; filename="{letter.id}.eml"'}
        return _plain(letter.source, saved if request.query_params.get("dl") == "1" else {})

    async def part(self, request: Request) -> Response:
        found = self._letter(request).parts.find(request.path_params["part"])
        if found is None:
            raise Refused(404, NOT_FOUND)
        headers = {
            "content-disposition": f'inline; filename="{quote(found.shown_name)}"',
            "content-security-policy": PART_POLICY,
        }
        return Response(found.content, headers=headers, media_type=found.media_type)

    async def html(self, request: Request) -> Response:
        letter = self._letter(request, "Message not found")
        html = with_pictures(letter)
        if not html:
            raise Refused(404, "This message does not contain a HTML part")
        letter.is_read = True
        return Response(html, headers=mail_headers(html), media_type="text/html")

    async def text(self, request: Request) -> Response:
        letter = self._letter(request, "Message not found")
        letter.is_read = True
        return _plain(letter.parts.text.encode(), {})

    async def page(self, request: Request) -> Response:
        """The newest message by its id, and each as its HTML."""
        latest = request.path_params["id"] == LATEST
        try:
            letter = self._letter(request)
        except Refused:
            return RedirectResponse("/", 302)
        return RedirectResponse(f"/view/{letter.id}{'' if latest else '.html'}", 302)

    def _letter(self, request: Request, missing: str = NOT_FOUND) -> Letter:
        letter_id = request.path_params["id"]
        if letter_id != LATEST:
            found = self._mailbox.get(letter_id)
        else:
            missing = "Message not found"
            query = request.query_params.get("query", "").strip()
            letters = matching(self._mailbox.letters(), query, request.query_params.get("tz", ""))
            found = letters[0] if letters else None
        if found is None:
            raise Refused(404, missing)
        return found


def with_pictures(letter: Letter) -> str:
    """The HTML with the pictures that came along written into it, for nothing is loaded by it."""
    html = letter.parts.html
    for part in [*letter.parts.inlines, *letter.parts.attachments]:
        if part.content_id:
            data = f"data:{part.media_type};base64,{b64encode(part.content).decode()}"
            html = re.sub(rf"(=[\"']?)cid:{re.escape(part.content_id)}(?=[\"'\s/>])", rf"\g<1>{data}", html)
    return html


def _plain(body: bytes, headers: dict[str, str]) -> Response:
    return Response(body, headers=headers, media_type="text/plain")
