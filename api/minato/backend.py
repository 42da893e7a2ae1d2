"""Everything one isolated backend owns, in one object that is passed on and never global.

Several backends can live in one process (`minato.host`); nothing below `main` may keep state anywhere else.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, Protocol, runtime_checkable

import structlog
from prometheus_client.registry import Collector

from minato.at_work import Part, UnderWay
from minato.background import Supervisor, Work
from minato.clock import Clock
from minato.config import Settings
from minato.database.address import DatabaseAddress
from minato.database.database import Database
from minato.database.outage import Outage
from minato.database.replica.choice import create_replica
from minato.entropy import Entropy, SeededEntropy
from minato.faults.database import FaultyDoor
from minato.faults.fault import Faults
from minato.faults.messages import FaultyMailer, FaultySms
from minato.faults.outgoing import FaultyOutgoing
from minato.http.asgi import ASGIApp, Header
from minato.http.client_address import TrustedProxies
from minato.http.outgoing import Outgoing, PublicOutgoing
from minato.http.public_addresses import PublicAddresses
from minato.issuer_keys import IssuerKeys
from minato.journal.journal import Journal
from minato.journal.noting import note_fault, note_log, note_messages
from minato.limits.buckets import Buckets
from minato.limits.choice import create_buckets
from minato.log import create_log, wants_json
from minato.log_lines import LogLines
from minato.machine.exchange import Exchange, Machine
from minato.machine.link import Member
from minato.mail.email import Email
from minato.mail.mailer import Mailer, create_mailer
from minato.mail.outbox import Outbox
from minato.mail.shared_outbox import OutboxService, SharedOutbox
from minato.one_time_codes import OneTimeCodes
from minato.redis_outage import RedisOutage
from minato.sms.sender import SmsSender, TextMessage, create_sms_sender
from minato.tokens.api_keys import ApiKeys, derive_api_keys
from minato.tokens.caller import Caller
from minato.tokens.keys import KeySet, TokenKeys
from minato.tokens.third_party import AcceptedKeys, ThirdParty
from minato.tokens.user_keys import user_keys
from minato.workers import Workers

# Events and bytes that a branch keeps of what happened: there may be a hundred of them.
SMALL_JOURNAL: Final = (500, 8 * 1024 * 1024)


class AtWork(NamedTuple):
    """What is under way in one backend, in development."""

    requests: UnderWay
    mails: UnderWay
    texts: UnderWay


class Kin(NamedTuple):
    """A branch called `name`: its keys are those of the backend beside which it lives, if clients are to need no other
    ones, and other issuers are known to both. With a `seed` what it draws is repeatable."""

    name: str
    keys: KeySet
    api_keys: ApiKeys
    third_party: ThirdParty
    seed: int | None = None


class UnsentRequest(NamedTuple):
    """A request to the data API. `target` is its path below the room's prefix, with the query; `token` says who asks,
    nobody without one, unless the `caller` is known; `profile` is a schema that is not the default."""

    method: str
    target: str
    body: bytes
    token: str | None = None
    profile: str | None = None
    caller: Caller | None = None
    headers: Sequence[Header] = ()


class Due(NamedTuple):
    """Something that happens by the clock, and when."""

    at: datetime
    what: str


class Dated(Protocol):
    """What happens by the clock, so that one who moves the clock can walk from one moment to the next."""

    def next_due(self, until: datetime) -> Due | None:
        """What is due next, at `until` at the latest."""
        ...

    def dues(self, until: datetime, most: int) -> list[Due]:
        """What is due up to `until`, in order; of each thing the last so many times."""
        ...

    async def run_due(self) -> int:
        """Do what is due now, to its end; how much it was."""
        ...


# What it may do, and why not, as status and JSON.
Why = Callable[[UnsentRequest], Awaitable[tuple[int, bytes]]]
# By the room's name: rest, storage, realtime.
Whys = Mapping[str, Why]
# How PostgreSQL would run it, as status and JSON; whether it is run for that, and that also where it writes.
Plan = Callable[[UnsentRequest, bool, bool], Awaitable[tuple[int, bytes]]]


class Asked(NamedTuple):
    """What of the rooms the developer's app asks: why a request is refused, what happens by the clock, made at its
    first need the calls about accounts, the `parts` that go on behind answers, a sample of each mail, by its template's
    name and for an address, how a request to the data API is planned, and the `whole` of it, to be asked again."""

    whys: Whys
    dated: Dated
    people: Callable[[], ASGIApp]
    parts: Sequence[Part]
    samples: Callable[[], dict[str, Callable[[str], Email]]]
    plan: Plan
    whole: ASGIApp


@dataclass
class Backend:
    """What the rooms share. `public_url` is what clients call this server, without a slash at the end.

    `outgoing` calls what the operator configured, `public_outgoing` what administrators enter while it runs.
    """

    settings: Settings
    public_url: str
    clock: Clock
    entropy: Entropy
    codes: OneTimeCodes
    database: Database
    # Of tokens of ours alone, and of those that the rooms of data take.
    keys: KeySet
    accepted_keys: TokenKeys
    third_party: ThirdParty
    api_keys: ApiKeys
    sealing_key: str = field(repr=False)
    outbox: Outbox[Email]
    mailer: Mailer
    sms_outbox: Outbox[TextMessage]
    sms: SmsSender
    outgoing: Outgoing
    public_outgoing: Outgoing
    proxies: TrustedProxies
    buckets: Buckets
    redis: RedisOutage
    log: structlog.stdlib.BoundLogger
    log_lines: LogLines
    workers: Workers
    supervisor: Supervisor
    journal: Journal
    at_work: AtWork
    machine: Machine = None
    faults: Faults = field(default_factory=Faults)
    # Its name beside main, and None for main itself.
    branch: str | None = None
    # Work beside the requests that begins with the backend, by its name.
    beside: dict[str, Work] = field(default_factory=dict)

    @property
    def development(self) -> bool:
        """Whether this backend serves a developer, not the public."""
        return self.settings.server.environment == "development"

    @property
    def explains(self) -> bool:
        """Whether who is refused something is told why."""
        return self.development and self.settings.server.explain == "hint"

    @property
    def sql_clock_mark(self) -> Path | None:
        """The file that is there while the time of SQL is not the real one; None where the database is not ours."""
        theirs = self.settings.database.database_url is not None
        return None if theirs else self.settings.server.data_dir / "sql-clock"

    @property
    def is_worker(self) -> bool:
        """Whether a parent does what is done once for all: jobs, cleanups, reading the log."""
        return isinstance(self.machine, Member)

    @property
    def keeps_house(self) -> bool:
        """Whether what is due now and then is done here: a parent does it for its workers, a branch goes too soon."""
        return not self.is_worker and self.branch is None


class Room(Protocol):
    """One of the services."""

    @property
    def app(self) -> ASGIApp:
        """Sees paths without the public prefix, for http and websocket scopes."""
        ...

    async def start(self) -> None:
        """Begin whatever runs beside requests; the database is open."""
        ...

    async def stop(self) -> None:
        """End it again; the database is still open."""
        ...


@runtime_checkable
class Dozing(Protocol):
    """A room that holds sessions beside the requests; that of a branch does so only while somebody asks."""

    async def wake(self) -> None:
        """Begin that, at the first request and at the first after a doze."""
        ...

    async def doze(self) -> None:
        """End it again; harmless when it has not begun."""
        ...


@runtime_checkable
class Measured(Protocol):
    """A room with numbers of its own for /metrics."""

    collector: Collector


@runtime_checkable
class Hampered(Protocol):
    """A room that serves, but not all there is while something beside it fails."""

    def hampered(self) -> str | None:
        """What fails at present, in a sentence."""
        ...


@runtime_checkable
class Renewable(Protocol):
    """A room of the parent that heeds settings which were read anew, for workers that take the place of others."""

    def renew(self, settings: Settings) -> None:
        """Go on with these settings."""
        ...


@runtime_checkable
class Prepared(Protocol):
    """A room that can't serve before it has learned something, nor after it lost that."""

    @property
    def is_ready(self) -> bool: ...


def create_backend(
    settings: Settings,
    address: DatabaseAddress,
    public_url: str,
    jwt_secret: str,
    lines: LogLines,
    workers: Workers,
    machine: Machine = None,
    kin: Kin | None = None,
) -> Backend:
    """A backend on `address`, which logs by `lines` and works in the threads of `workers`; nothing is opened yet."""
    clock, seed = Clock(), kin.seed if kin is not None else None
    entropy = Entropy() if seed is None else SeededEntropy(seed)
    development = settings.server.environment == "development"
    # Of several workers each would know a part.
    keeps_journal = development and machine is None and settings.server.journal
    journal = Journal(clock, keeps_journal, *(SMALL_JOURNAL if kin else ()))
    log = create_log(lines, wants_json(not development), partial(note_log, journal) if journal.on else None)
    if isinstance(machine, Member):
        log = log.bind(worker=machine.number)
    if kin is not None:
        log = log.bind(branch=kin.name)
    outbox = Outbox[Email](clock, entropy, settings.mail.outbox_size)
    sms_outbox = Outbox[TextMessage](clock, entropy, settings.mail.outbox_size)
    public = PublicAddresses(settings.auth.private_networks)
    at_work = AtWork(UnderWay("requests"), UnderWay("mails"), UnderWay("sms"))
    faults, mailer = Faults(), create_mailer(settings.mail, outbox, development)
    outgoing = FaultyOutgoing(public_url.rstrip("/"), faults) if development else Outgoing()
    sms = create_sms_sender(settings.auth, sms_outbox, outgoing, development)
    if journal.on:
        note_messages(journal, outbox, "email")
        note_messages(journal, sms_outbox, "sms")
        faults.struck = partial(note_fault, journal)
    redis_url = settings.realtime.redis_url
    redis = RedisOutage(redis_url.get_secret_value() if redis_url else "", log)
    replica = create_replica(settings, address, workers.processors, clock, log, redis, machine)
    door = FaultyDoor(faults) if development else None
    database = Database(address, settings.database, workers.processors, Outage(log), replica, door, kin is not None)
    database.causes.on = journal.on
    keys = KeySet(kin.keys.keys) if kin else user_keys(settings.server, jwt_secret)
    third_party = kin.third_party if kin else _third_party(settings, public_url, log)
    if third_party.issuers:
        keys.judges.append(third_party.require_ours)
    # A developer's providers may run on the developer's own machine.
    public_outgoing = FaultyOutgoing(public_url.rstrip("/"), faults) if development else PublicOutgoing(public)
    # A branch has main's, which fetches their keys.
    others = third_party.issuers.values() if kin is None else ()
    fetched = {
        f"keys of {issuer.url}": IssuerKeys(issuer, public_outgoing, clock, log, not development).run
        for issuer in others
    }
    return Backend(
        settings=settings,
        public_url=public_url.rstrip("/"),
        clock=clock,
        entropy=entropy,
        codes=OneTimeCodes(entropy),
        database=database,
        keys=keys,
        accepted_keys=AcceptedKeys(keys, third_party) if third_party.issuers else keys,
        third_party=third_party,
        api_keys=kin.api_keys if kin else derive_api_keys(jwt_secret, settings.server),
        # For secrets that must be kept and read again; 0011.
        sealing_key=hmac.new(jwt_secret.encode(), b"minato sealed secrets", hashlib.sha256).hexdigest(),
        outbox=outbox,
        mailer=FaultyMailer(mailer, faults, at_work.mails) if development else mailer,
        sms_outbox=sms_outbox,
        sms=FaultySms(sms, faults, at_work.texts) if development else sms,
        at_work=at_work,
        faults=faults,
        outgoing=outgoing,
        public_outgoing=public_outgoing,
        proxies=TrustedProxies(settings.server.trusted_proxies),
        buckets=create_buckets(settings, clock, log, redis, machine),
        redis=redis,
        log=log,
        log_lines=lines,
        workers=workers,
        supervisor=Supervisor(log, database.outage),
        journal=journal,
        machine=machine,
        branch=kin.name if kin else None,
        beside={**_share_outboxes(machine, outbox, sms_outbox), **fetched},
    )


def _third_party(settings: Settings, public_url: str, log: structlog.stdlib.BoundLogger) -> ThirdParty:
    """The other issuers of the settings. This server is none of them: its tokens are verified by its own keys alone."""
    own = settings.auth.jwt_issuer or f"{public_url.rstrip('/')}/auth/v1"
    issuers = settings.server.other_issuers
    if own in issuers:
        log.warning("MINATO_THIRD_PARTY_ISSUERS names this server itself, which is left out")
    return ThirdParty((url for url in issuers if url != own), settings.server.other_issuers_roles)


def _share_outboxes(machine: Machine, mails: Outbox[Email], texts: Outbox[TextMessage]) -> dict[str, Work]:
    """Let what one process keeps be seen by whoever asks another; the work that takes."""
    if isinstance(machine, Exchange):
        machine.offer("mails", OutboxService(mails, Email))
        machine.offer("text messages", OutboxService(texts, TextMessage))
    if not isinstance(machine, Member):
        return {}
    shared_mails = SharedOutbox(machine, "mails", mails, Email)
    shared_texts = SharedOutbox(machine, "text messages", texts, TextMessage)
    return {"mails of all workers": shared_mails.run, "text messages of all workers": shared_texts.run}
