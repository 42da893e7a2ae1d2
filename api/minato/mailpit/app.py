"""The mail catcher as an application of its own, on a port of its own: Mailpit's API, Inbucket's, and the mailbox page.

Everybody's mail is read here, so the front door is that of the developer's pages: programs and pages on this machine.
"""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route

from minato import __version__
from minato.backend import Backend
from minato.dev.app import create_dev_app
from minato.dev.guard import MAILBOX, Guard
from minato.front_door import names_its_host
from minato.http.asgi import ASGIApp, Receive, Scope, Send, adding
from minato.mailpit.events import PATH, Events
from minato.mailpit.inbucket import Inbucket
from minato.mailpit.mailbox import Mailbox
from minato.mailpit.message import OneMessage
from minato.mailpit.messages import Messages
from minato.mailpit.replies import NOT_FOUND, Refused, reply
from minato.mailpit.send import Sending
from minato.page_headers import NOSNIFF

FIRST_PAGE = "/"
# Another page may lead here, which it learns nothing by.
FIRST_PAGES = (FIRST_PAGE, MAILBOX)
POLICY_VIOLATION = 1008
HEADERS = (NOSNIFF, (b"referrer-policy", b"no-referrer"))


class MailCatcher:
    """One backend's mail for whoever is at this machine; `called` is its name besides localhost, if it has one."""

    def __init__(self, backend: Backend, called: str | None = None) -> None:
        self._app = _create_app(backend)
        self._guard = Guard(called=called)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._converse(scope, receive, send)
            return
        refusal = self._refusal(scope) if scope["type"] == "http" else None
        answer = refusal or (Response("", media_type="text/plain") if _is_preflight(scope) else self._app)
        await answer(scope, receive, adding(HEADERS, send))

    async def _converse(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A page of another origin may open a websocket to here, too: no browser asks anybody first."""
        if scope["path"] == PATH and names_its_host(scope) and self._guard.refusal(scope, ()) is None:
            await self._app(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})

    def _refusal(self, scope: Scope) -> Response | None:
        if not names_its_host(scope):
            return Response("400 Bad Request", status_code=400, media_type="text/plain")
        if self._guard.refusal(scope, FIRST_PAGES) is None:
            return None
        return Response("Blocked due to CORS violation\n", status_code=403, media_type="text/plain")


def _is_preflight(scope: Scope) -> bool:
    path: str = scope["path"]
    return scope["type"] == "http" and scope["method"] == "OPTIONS" and path.startswith("/api/v1/")


def _create_app(backend: Backend) -> ASGIApp:
    mailbox = Mailbox(backend.outbox)
    mailpit = [*Messages(mailbox).routes, *OneMessage(mailbox).routes, *Sending(backend, mailbox).routes]
    events = Events(mailbox).routes
    routes = [*mailpit, *events, *Inbucket(mailbox).routes, *About(backend, mailbox).routes]
    pages = [Route(FIRST_PAGE, _to_mailbox, methods=["GET"]), Mount("/_dev", create_dev_app(backend))]
    return Starlette(routes=[*routes, *pages], exception_handlers={Refused: _refused, 404: _not_found})


class About:
    """What the server says of itself, and whether it is there."""

    def __init__(self, backend: Backend, mailbox: Mailbox) -> None:
        self._backend = backend
        self._mailbox = mailbox
        self._began = backend.clock.monotonic()

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/api/v1/info", self.info, methods=["GET"]),
            Route("/api/v1/webui", self.web_ui, methods=["GET"]),
            Route("/livez", self.healthy, methods=["GET"]),
            Route("/readyz", self.healthy, methods=["GET"]),
        ]

    async def info(self, request: Request) -> Response:
        letters = self._mailbox.letters()
        size = sum(len(letter.source) for letter in letters)
        tags = [tag for letter in letters for tag in letter.tags]
        return reply(
            {
                "Version": f"minato {__version__}",
                "LatestVersion": "disabled",
                "Database": "",
                "DatabaseSize": size,
                "Messages": len(letters),
                "Unread": sum(not letter.is_read for letter in letters),
                "Tags": {tag: tags.count(tag) for tag in sorted(set(tags))},
                "RuntimeStats": {
                    "Uptime": int(self._backend.clock.monotonic() - self._began),
                    "Memory": 0,
                    "MessagesDeleted": self._mailbox.deleted,
                    "SMTPAccepted": 0,
                    "SMTPAcceptedSize": 0,
                    "SMTPRejected": 0,
                    "SMTPIgnored": 0,
                },
            }
        )

    async def web_ui(self, request: Request) -> Response:
        texts = ("SMTPServer", "ReturnPath", "AllowedRecipients", "BlockedRecipients", "OverrideFrom")
        relay = {"Enabled": False, **dict.fromkeys(texts, ""), "PreserveMessageIDs": False, "RecipientAllowlist": ""}
        off = dict.fromkeys(("SpamAssassin", "ChaosEnabled", "DuplicatesIgnored", "HideDeleteAllButton"), False)
        return reply({"Label": "", "MessageRelay": relay, **off})

    async def healthy(self, request: Request) -> Response:
        return Response("")


async def _to_mailbox(request: Request) -> Response:
    return RedirectResponse(MAILBOX, 302)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return error.response


async def _not_found(request: Request, error: Exception) -> Response:
    return Response(NOT_FOUND, status_code=404, media_type="text/plain")
