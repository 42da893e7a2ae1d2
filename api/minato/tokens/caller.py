"""Who is asking: a database role and the claims it comes with."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from minato.json_text import JsonMapping, encode

Claims = JsonMapping

ANON = "anon"
SERVICE_ROLE = "service_role"


class ThirdPartyClaims(dict[str, object]):
    """Claims that another issuer signed. Users and sessions they name are its own, never ours; `roles` are those that
    they may name, None for any."""

    def __init__(self, claims: Claims, roles: frozenset[str] | None) -> None:
        super().__init__(claims)
        self.roles = roles

    def may_be(self, role: object) -> bool:
        """Whether such a token may name `role`."""
        return self.roles is None or (isinstance(role, str) and role in self.roles)


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

    @property
    def has_session(self) -> bool:
        """Whether it speaks for a session of ours, whose user must be there."""
        return "session_id" in self.claims and not isinstance(self.claims, ThirdPartyClaims)

    def share(self, address: str) -> str | None:
        """Whose share of what is scarce this request counts to: the user's, or that of everybody at `address`.

        None for the operator's own servers, which answer for many users.
        """
        if self.role == SERVICE_ROLE:
            return None
        if self.subject is not None and isinstance(self.claims, ThirdPartyClaims):
            # Whoever chooses subjects elsewhere uses up no share of a user of ours.
            return f"{self.subject} of {self.claims.get('iss')}"
        return self.subject or f"{self.role} at {address}"


ANONYMOUS = Caller(role=ANON)
