"""`/_dev/v1/mail-templates`: the mails of auth with made-up values, into the outbox alone: none of them leaves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import FastAPI, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, StringConstraints

from minato.backend import Backend
from minato.dev.messages import NOT_KEPT, shown
from minato.mail.email import Email
from minato.mail.mailer import sender_address, with_sender

Sample = Callable[[str], Email]


class Reader(BaseModel, extra="forbid"):
    """Whom the mail says it is for."""

    to: Annotated[str, StringConstraints(pattern=r"^[^\s<>@,]+@[^\s<>@,]+$", max_length=254)] = "test@example.com"


def add_test_mails(app: FastAPI, backend: Backend, samples: dict[str, Sample]) -> None:
    """The two calls. `samples` makes the mail of each template, by its name, for an address."""

    @app.get("/v1/mail-templates")
    async def templates() -> Response:
        return JSONResponse({"templates": list(samples)})

    @app.post("/v1/mail-templates/{name}")
    async def send(name: str, reader: Reader | None = None) -> Response:
        sample = samples.get(name)
        if sample is None:
            hint = f"Known: {', '.join(samples)}."
            said = {"code": "template_not_found", "message": f'There is no template "{name[:100]}".', "hint": hint}
            return JSONResponse(said, 404)
        mail = with_sender(sample((reader or Reader()).to), sender_address(backend.settings.mail))
        return JSONResponse(shown(backend.outbox.add(mail)), 201, NOT_KEPT)
