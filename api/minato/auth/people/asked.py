"""The bodies of the calls."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

import orjson
from pydantic import BaseModel, StringConstraints, ValidationError

from minato.auth.people.refusals import PersonError
from minato.config.base import Span

A = TypeVar("A", bound=BaseModel)


class SignIn(BaseModel, extra="forbid"):
    """Whose session is wanted, by id, address, number or name. `expires_in` are seconds of the access token;
    `redirect_to` is the page that the link opens.

    >>> SignIn(user="anna@example.com", expires_in="5m").expires_in
    300.0
    """

    user: str
    aal: Literal["aal1", "aal2"] = "aal1"
    expires_in: Span | None = None
    redirect_to: Annotated[str, StringConstraints(pattern=r"^[a-zA-Z][a-zA-Z0-9+.-]*://[!-~]+$")] | None = None


def read(kind: type[A], body: bytes) -> A:
    """The JSON body as `kind`. Refuses keys that it does not have: a typo in a test must not pass."""
    try:
        return kind.model_validate(orjson.loads(body))
    except ValidationError as error:
        details = [
            {"at": ".".join(map(str, each["loc"])) or "body", "message": each["msg"]}
            for each in error.errors(include_url=False, include_context=False, include_input=False)
        ]
        told = "; ".join(f"{each['at']}: {each['message']}" for each in details)
        raise PersonError(400, "bad_request", told, details=details) from None
    except ValueError:
        raise PersonError(400, "bad_request", "The body is not a JSON object") from None
