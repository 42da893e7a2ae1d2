"""`/_dev`: mail and text messages as a page for people and as JSON for tests.

The gateway's front door lets in only who is at this machine.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files
from typing import Annotated
from uuid import UUID

from fastapi import FastAPI, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse

from minato.backend import Asked, Backend
from minato.dev.clock import add_clock
from minato.dev.console_pages import add_console
from minato.dev.faults import add_faults
from minato.dev.idp.app import add_idp
from minato.dev.journal import add_journal
from minato.dev.messages import add_messages
from minato.dev.plan import add_plan
from minato.dev.replay import add_replay
from minato.dev.session import add_session, path_of_main
from minato.dev.settle import add_settle
from minato.dev.sink import add_sinks
from minato.dev.sql import add_sql
from minato.dev.strict_json import StrictRoute
from minato.dev.test_mails import add_test_mails
from minato.dev.why import add_why

MAX_WAIT = 60.0
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# The page shows a mail in a frame where nothing runs: a link in it has to leave the frame.
TO_TOP = '<base target="_top">'
GONE = "<p>This message is no longer kept.</p>"
SANDBOX = "sandbox allow-popups allow-top-navigation-by-user-activation"


def create_dev_app(backend: Backend, asked: Asked | None = None) -> FastAPI:
    """The developer's app of one backend; without what is `asked` of the rooms, its messages alone."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    app.router.route_class = StrictRoute
    app.exception_handler(RequestValidationError)(_bad_request)
    if asked is not None:
        add_why(app, backend, asked.whys)
        add_clock(app, backend, asked.dated)
        add_faults(app, backend)
        add_settle(app, backend, asked.parts)
        add_journal(app, backend)
        add_idp(app, backend)
        add_sinks(app, backend)
        add_session(app, backend)
        add_console(app, at=f"{path_of_main(backend)}/_dev", branch=backend.branch)
        add_sql(app, backend)
        add_plan(app, backend, asked.plan)
        people = asked.people()
        add_replay(app, backend, asked.whole, people)
        app.mount("/v1/users", people)
        add_test_mails(app, backend, asked.samples())
    _add_outbox(app, backend)
    add_messages(app, backend)
    _add_mailbox(app, backend)
    return app


async def _bad_request(request: Request, error: Exception) -> Response:
    """What was sent is not what the call takes, with pydantic's list of why."""
    assert isinstance(error, RequestValidationError)
    details = [{"at": ".".join(map(str, each["loc"])), "message": each["msg"]} for each in error.errors()]
    told = "; ".join(f"{each['at']}: {each['message']}" for each in details)
    return JSONResponse({"code": "bad_request", "message": told, "details": details}, 400)


def _add_outbox(app: FastAPI, backend: Backend) -> None:
    @app.get("/outbox")
    async def outbox(
        to: str | None = None,
        kind: Annotated[str | None, Query(alias="type")] = None,
        wait: Annotated[float, Query(ge=0, le=MAX_WAIT)] = 0,
    ) -> Response:
        entries = await backend.outbox.wait(to, kind, wait)
        return JSONResponse([entry.as_json() for entry in entries])

    @app.get("/sms")
    async def text_messages(
        to: str | None = None,
        kind: Annotated[str | None, Query(alias="type")] = None,
        wait: Annotated[float, Query(ge=0, le=MAX_WAIT)] = 0,
    ) -> Response:
        number = to.strip().removeprefix("+") if to else None
        entries = await backend.sms_outbox.wait(number, kind, wait)
        return JSONResponse([entry.as_json() for entry in entries])

    @app.delete("/sms")
    async def clear_text_messages() -> Response:
        backend.sms_outbox.clear()
        return Response(status_code=204)

    @app.delete("/outbox")
    async def clear() -> Response:
        backend.outbox.clear()
        return Response(status_code=204)


def _add_mailbox(app: FastAPI, backend: Backend) -> None:
    pages = files("minato.dev")

    @app.get("/mailbox")
    async def mailbox() -> Response:
        page = pages.joinpath("mailbox.html").read_text()
        return HTMLResponse(page, headers={"content-security-policy": PAGE_POLICY})

    @app.get("/idp.css")
    async def idp_style() -> Response:
        return Response(pages.joinpath("idp.css").read_text(), media_type="text/css")

    @app.get("/mailbox.{kind}")
    async def asset(kind: str) -> Response:
        media = {"css": "text/css", "js": "text/javascript"}.get(kind)
        if media is None:
            return Response(status_code=404)
        return Response(pages.joinpath(f"mailbox.{kind}").read_text(), media_type=media)

    @app.get("/mailbox/{entry_id}")
    async def message(entry_id: UUID) -> Response:
        entry = backend.outbox.get(entry_id)
        if entry is None:
            return HTMLResponse(GONE, status_code=404, headers=mail_headers(GONE))
        return HTMLResponse(TO_TOP + entry.email.html, headers=mail_headers(entry.email.html))


# A mail as a page: somebody else's HTML, which may look as it was meant to, load nothing and run nothing.


def mail_headers(html: str) -> dict[str, str]:
    """The headers of the page: the styles written in this mail are allowed, one by one, and nothing else."""
    styles = " ".join(["'unsafe-hashes'", *style_hashes(html)])
    policy = f"default-src 'none'; style-src {styles}; img-src data:; frame-ancestors 'self'; {SANDBOX}"
    return {"content-security-policy": policy, "x-frame-options": "SAMEORIGIN"}


def style_hashes(html: str) -> list[str]:
    """A source for each style written into the HTML, in an element or in an attribute.

    >>> style_hashes('<p style="color: red">')
    ["'sha256-NerDAUWfwD31YdZHveMrq0GLjsNFMwxLpZl0dPUeCcw='"]
    """
    reader = _StyleReader()
    reader.feed(html)
    reader.close()
    return [f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'" for style in sorted(reader.styles)]


class _StyleReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.styles: set[str] = set()
        self._is_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._is_style = tag == "style"
        self.styles |= {value for name, value in attrs if name == "style" and value}

    def handle_data(self, data: str) -> None:
        if self._is_style:
            self.styles.add(data)

    def handle_endtag(self, tag: str) -> None:
        self._is_style = False
