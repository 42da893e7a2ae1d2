"""What these calls refuse: `{"code", "message", "hint"?, "details"?}`, as all of `/_dev/v1`."""

from __future__ import annotations

from collections.abc import Sequence

from minato.auth.wire.errors import AuthError
from minato.http.errors import ApiError


class PersonError(AuthError):
    """One refusal."""

    def __init__(
        self, status: int, code: str, message: str, hint: str | None = None, details: Sequence[object] = ()
    ) -> None:
        ApiError.__init__(self, status, code, message)
        self.hint = hint
        self.details = details


def shown(error: AuthError) -> dict[str, object]:
    """The body of the answer; what auth itself refuses, as a hook may, has the same shape."""
    more: dict[str, object] = {}
    if isinstance(error, PersonError):
        more = {"hint": error.hint, "details": error.details or None}
    return {"code": error.code, "message": error.message, **{name: said for name, said in more.items() if said}}
