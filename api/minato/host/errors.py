"""What the calls about branches refuse: a status, a code and a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from minato.http.errors import ApiError


class BranchError(ApiError):
    """One refusal as `{"code", "message", "hint"?, "details"?}`."""

    def __init__(
        self, status: int, code: str, message: str, hint: str | None = None, details: Sequence[object] = ()
    ) -> None:
        super().__init__(status, code, message)
        self.hint = hint
        self.details = details

    def as_json(self) -> dict[str, object]:
        """The body of the answer."""
        more = {"hint": self.hint, "details": self.details or None}
        return {"code": self.code, "message": self.message, **{name: said for name, said in more.items() if said}}


class BranchExists(BranchError):
    """The name is taken, by a branch or by a database that is somebody else's."""

    def __init__(self, message: str) -> None:
        super().__init__(409, "branch_exists", message)
