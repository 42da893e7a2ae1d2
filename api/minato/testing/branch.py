"""One branch: a backend that belongs to one test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import quote

from minato.testing.clock import Clock
from minato.testing.control import Told, ask, call, with_query
from minato.testing.mailbox import Mailbox
from minato.testing.tools import Faults, Sink

# Whoever has no supabase-py has everything else.
if TYPE_CHECKING:
    from supabase import Client

LONGEST_LABEL = 200
MOST_ROWS = 100_000
METHODS = {"select": "GET", "insert": "POST", "update": "PATCH", "delete": "DELETE"}


@dataclass
class Branch:
    """`told` is what the server says of it; `root` is the server's own address."""

    root: str
    told: Told = field(repr=False)

    def __post_init__(self) -> None:
        self.id = str(self.told["id"])
        self.url = str(self.told["url"])
        self.anon_key = str(self.told["anon_key"])
        self.service_role_key = str(self.told["service_role_key"])
        self.publishable_key = str(self.told["publishable_key"])
        self.secret_key = str(self.told["secret_key"])
        self.jwt_secret = str(self.told["jwt_secret"])
        self.db_url = str(self.told["db_url"])
        self.mailbox_url = str(self.told["mailbox_url"])
        app_url = self.told.get("app_url")
        self.app_url = str(app_url) if app_url else None
        self.clock = Clock(self.url)
        self.faults = Faults(self.url)
        self.mailbox = Mailbox(f"{self.url}/_dev/v1/mails")
        self.sms = Mailbox(f"{self.url}/_dev/v1/sms")
        self._snapshots: list[str] = []
        # Whether a test that has it failed.
        self.is_failed = False

    @classmethod
    def open(cls, root: str, *, source: str = "base", label: str = "", ttl: float | str | None = None) -> Branch:
        """A new branch of the server at `root`: of `base`, `main`, another branch, or what `snapshot` gave. Raises
        `MinatoError`."""
        wish = {"from": source, "label": label[:LONGEST_LABEL], "ttl": ttl}
        return cls(root, call("POST", f"{root}/_dev/v1/branches", wish))

    @cached_property
    def supabase(self) -> Client:
        """A client with the anon key."""
        return self.client()

    @cached_property
    def admin(self) -> Client:
        """A client with the service key, for which no policy counts."""
        return self.client(self.service_role_key)

    def client(self, key: str | None = None) -> Client:
        """Another client, with the anon key or another one."""
        from supabase import ClientOptions, create_client

        return create_client(self.url, key or self.anon_key, ClientOptions(auto_refresh_token=False))

    def as_(self, user: str, aal: str | None = None, expires_in: float | str | None = None) -> Client:
        """A client of somebody's, by id, address, number or name, without a password. Raises `MinatoError`."""
        session = self.session(user, aal, expires_in)
        client = self.client()
        client.auth.set_session(str(session["access_token"]), str(session["refresh_token"]))
        return client

    def session(self, user: str, aal: str | None = None, expires_in: float | str | None = None) -> Told:
        """A session of somebody's, as signing in answers it. Raises `MinatoError`."""
        return ask("POST", f"{self.url}/_dev/v1/users/sign-in", {"user": user, "aal": aal, "expires_in": expires_in})

    def fix_codes(self, codes: Mapping[str, str]) -> None:
        """Let every one-time code to an address or a number be that one, 6 to 10 digits; `{}` ends it."""
        call("PUT", f"{self.url}/_dev/v1/messages/codes", codes)

    def sink(self, name: str) -> Sink:
        """Where webhooks of a test may go."""
        return Sink(self.url, name)

    def settle(self, timeout: float | str | None = None, without: list[str] | None = None) -> Told:
        """Wait until nothing is under way: mails, jobs, changes, frames. Raises `MinatoError` with what still is."""
        return ask("POST", f"{self.url}/_dev/v1/settle", {"timeout": timeout, "except": without})

    def sql(self, query: str, *values: object) -> list[Told]:
        """The rows of the last statement, as `postgres`; `values` stand for `$1`, … Raises `MinatoError` with
        PostgreSQL's code."""
        asked = {"query": query, "values": list(values), "limit": MOST_ROWS}
        return list(ask("POST", f"{self.url}/_dev/v1/sql", asked)["results"][-1]["rows"])

    def events(self, kind: str | None = None, **asked: object) -> list[Told]:
        """What happened last, newest first: requests, messages, changes. `asked` are `level`, `cause`, `q`, `after` and
        `limit`."""
        return list(call("GET", with_query(f"{self.url}/_dev/v1/events", kind=kind, **asked)))

    def request(self, id: str = "last") -> Told:
        """A request to this branch, with its body and what it led to: by its `x-request-id`, `last`, `last:error`."""
        return ask("GET", f"{self.url}/_dev/v1/requests/{quote(id, safe=':')}")

    def snapshot(self, name: str) -> str:
        """Keep what there is; what it gives `reset` and `open` take. It goes with the branch."""
        whole = f"{name}-{self.id}"
        call("POST", f"{self.root}/_dev/v1/snapshots", {"name": whole, "of": self.id, "replace": True})
        if whole not in self._snapshots:
            self._snapshots.append(whole)
        return f"snapshot:{whole}"

    def reset(self, to: str | None = None) -> None:
        """Go back to where it came from, or to a snapshot: same URL, same keys."""
        call("POST", f"{self.root}/_dev/v1/branches/{self.id}/reset", {"to": to})

    def why(
        self, command: str, table: str, *, as_: str = "anon", row: Mapping[str, object] | None = None, where: str = ""
    ) -> Told:
        """Why somebody may or may not `select`, `insert`, `update` or `delete` rows. Nothing is done. `where` is as the
        data API is asked: `id=eq.1`."""
        schema, _, name = table.rpartition(".")
        path = f"/{quote(name)}{f'?{where}' if where else ''}"
        body = dict(row or {}) if command in ("insert", "update") else None
        asked = {"method": METHODS[command], "path": path, "body": body, "profile": schema or None}
        return ask("POST", f"{self.url}/_dev/v1/why", {**asked, "token": self._token(as_)})

    def why_of(self, request: str = "last:error") -> Told:
        """Why a request to this branch was refused, or found no rows: by its `x-request-id`, `last` or `last:error`."""
        return ask("GET", f"{self.url}/_dev/v1/requests/{quote(request, safe=':')}/why")

    def _token(self, caller: str) -> str | None:
        if caller in ("anon", "service_role"):
            return None if caller == "anon" else self.service_role_key
        return str(self.session(caller)["access_token"])

    def env(self, prefix: str | None = None) -> Told:
        """URL and keys as variables; with a prefix, as `VITE_`, only what may be in a page."""
        return ask("GET", with_query(f"{self.root}/_dev/v1/branches/{self.id}/env", format="json", prefix=prefix))

    def keep(self, ttl: float | str) -> None:
        """Let it live so much longer than its last request."""
        call("PATCH", f"{self.root}/_dev/v1/branches/{self.id}", {"ttl": ttl})

    def drop(self) -> None:
        """End it, with its snapshots."""
        call("DELETE", f"{self.root}/_dev/v1/branches/{self.id}")
        for name in self._snapshots:
            call("DELETE", f"{self.root}/_dev/v1/snapshots/{name}")
