"""Who is asking: a database role and the claims it comes with."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from minato.json_text import JsonMapping, encode

Claims = JsonMapping

ANON = "anon"
SERVICE_ROLE = "service_role"


@dataclass(frozen=True)
class Caller:
    """A role for one request. `claims` are those of the verified token, empty without one."""

    role: str
    claims: Claims = field(default_factory=dict)
    token: str | None = field(default=None, repr=False)

    @cached_property
    def claims_json(self) -> str:
        """What `request.jwt.claims` is set to: the claims with `role` being the resolved one."""
        return encode({**self.claims, "role": self.role}).decode()

    @property
    def subject(self) -> str | None:
        """The user id, where the token speaks for a user."""
        subject = self.claims.get("sub")
        return subject if isinstance(subject, str) else None

    def share(self, address: str) -> str | None:
        """Whose share of what is scarce this request counts to: the user's, or that of everybody at `address`.

        None for the operator's own servers, which answer for many users.
        """
        if self.role == SERVICE_ROLE:
            return None
        return self.subject or f"{self.role} at {address}"


ANONYMOUS = Caller(role=ANON)
