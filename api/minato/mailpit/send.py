"""`POST /api/v1/send`: a program leaves a message without speaking SMTP."""

from __future__ import annotations

from base64 import b64decode
from binascii import Error as NoBase64
from collections.abc import Sequence
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from minato.backend import Backend
from minato.mailpit.mailbox import Mailbox, received
from minato.mailpit.replies import MAX_MESSAGE, Refused, read_json, reply, text, texts

Given = dict[str, object]
OWN_HEADERS = frozenset(
    {"to", "from", "cc", "bcc", "reply-to", "date", "subject", "content-type", "mime-version", "x-tags"}
)


class Sending:
    """Keeps what it is given as it would keep a mail."""

    def __init__(self, backend: Backend, mailbox: Mailbox) -> None:
        self._backend = backend
        self._mailbox = mailbox

    @property
    def routes(self) -> list[Route]:
        return [Route("/api/v1/send", self.send, methods=["POST"])]

    async def send(self, request: Request) -> Response:
        try:
            message = composed(await read_json(request, MAX_MESSAGE))
            message["Date"] = format_datetime(self._backend.clock.now())
            message["Message-ID"] = f"<{self._backend.entropy.uuid4()}@minato>"
            source = message.as_bytes(policy=SMTP)
        except Refused as error:
            return JSONResponse({"Error": str(error)}, status_code=error.response.status_code)
        except (ValueError, UnicodeError) as error:
            return JSONResponse({"Error": f"error building message: {error}"}, status_code=400)
        return reply({"ID": self._mailbox.add(received(source)).id})


def composed(given: Given) -> EmailMessage:
    """The message that the body describes. Raises `Refused` and ValueError for what can be in none."""
    message = EmailMessage()
    message["From"] = _person(_objects(given, "From")[0] if given.get("from") else {}, "From")
    for name, header in (("To", "To"), ("Cc", "Cc"), ("ReplyTo", "Reply-To")):
        people = [_person(person, header) for person in _objects(given, name)]
        if people:
            message[header] = people
    if hidden := texts(given, "Bcc"):
        message["Bcc"] = [_person({"email": address}, "Bcc") for address in hidden]
    message["Subject"] = text(given, "Subject")
    if tags := texts(given, "Tags"):
        message["X-Tags"] = ", ".join(tags)
    _add_headers(message, given.get("headers"))
    message.set_content(text(given, "Text"))
    if html := text(given, "HTML"):
        message.add_alternative(html, subtype="html")
    for attachment in _objects(given, "Attachments"):
        _attach(message, attachment)
    return message


def _person(given: Given, header: str) -> Address:
    address = text(given, "Email")
    try:
        return Address(display_name=text(given, "Name"), addr_spec=address)
    except (ValueError, IndexError):
        raise Refused(400, f"invalid {header} address: {address}") from None


def _add_headers(message: EmailMessage, given: object) -> None:
    if not isinstance(given, dict):
        return
    for name, value in ((str(name), str(value)) for name, value in given.items()):
        if name.lower() in OWN_HEADERS:
            raise Refused(400, f'cannot overwrite header: "{name}"')
        message[name] = value


def _attach(message: EmailMessage, given: Given) -> None:
    name, kind, content_id = text(given, "Filename"), text(given, "ContentType"), text(given, "ContentID")
    try:
        # What a browser's FileReader gives begins with `data:…;base64,`.
        content = b64decode(text(given, "Content").rpartition(",")[2], validate=True)
    except NoBase64 as error:
        raise Refused(400, f'error decoding base64 attachment "{name}": {error}') from None
    main, _, sub = (kind or "application/octet-stream").partition("/")
    disposition = "inline" if content_id else "attachment"
    cid = f"<{content_id}>" if content_id else None
    message.add_attachment(content, main, sub or "octet-stream", filename=name, disposition=disposition, cid=cid)


def _objects(given: Given, name: str) -> Sequence[Given]:
    found = given.get(name.lower())
    several = found if isinstance(found, list) else [] if found is None else [found]
    if not all(isinstance(one, dict) for one in several):
        raise Refused(400, f"json: cannot unmarshal into field .{name}")
    return [{str(key).lower(): value for key, value in one.items()} for one in several if isinstance(one, dict)]
