"""The realtime room: `/websocket`, and broadcast over HTTP below `/api`."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator, Sequence
from urllib.parse import unquote

import orjson
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from minato.at_work import Part
from minato.backend import Backend, UnsentRequest
from minato.background import ended
from minato.http.asgi import Receive, Scope, Send
from minato.json_text import encode
from minato.realtime.access_token import TokenRefused, TokenVerifier
from minato.realtime.accounts import Accounts
from minato.realtime.authorization import BROADCAST, PRESENCE, Authorization, Question
from minato.realtime.change_feed.base import LOST, Change, ChangeFeed, FeedState
from minato.realtime.change_feed.supervised import create_change_feed
from minato.realtime.errors import CloseCode, HandshakeRefused
from minato.realtime.explaining import channel_attempt
from minato.realtime.fanout.choice import create_fanout
from minato.realtime.handshake import refuse, shake_hands
from minato.realtime.http_api import HttpApi
from minato.realtime.hub import Hub
from minato.realtime.limits import Limits
from minato.realtime.postgres_changes.changes import PostgresChanges
from minato.realtime.presence import PresenceTracker
from minato.realtime.services import Services
from minato.realtime.settling import Followed, Sockets
from minato.realtime.socket import Socket
from minato.realtime.stored_messages import StoredMessages, is_message, stored_envelope
from minato.why.hints import Hints

SOCKET_PATH = "/websocket"
PREFIX = "minato_realtime_"
# How long a backend that wakes waits for its change feed.
FEED_SECONDS = 5.0


class RealtimeRoom:
    """A `Room`. It owns the change feed and every open socket."""

    def __init__(self, backend: Backend, feed: ChangeFeed) -> None:
        self._backend = backend
        self._feed = feed
        self.services = create_services(backend, feed)
        self.app = self._serve
        self.collector = RealtimeCollector(self.services)
        self._http = HttpApi(self.services)
        self._sockets = Sockets()
        self._followed = Followed(feed, self.services, self._sockets, backend.journal.on)
        self._janitor: asyncio.Task[None] | None = None
        self._follows = False

    @property
    def parts(self) -> Sequence[Part]:
        """What goes on behind answers; frames last, as changes become frames."""
        return self._followed, self._sockets

    async def start(self) -> None:
        """Begin to follow changes; nothing waits for the feed."""
        await self.services.hub.start()
        await self.services.presence.start()
        if self._backend.branch is None:
            await self._follow()
        self.services.accounts.start()
        if self._backend.keeps_house:
            self._janitor = self.services.stored.begin_tidying()

    async def wake(self) -> None:
        """Follow changes where somebody hears of them, in a branch only a socket; what is committed from here on comes.

        Where that takes too long, who listens is told of a loss."""
        if self._follows or not (self._sockets or self._backend.branch is None):
            return
        status, before = self._feed.status, self._feed.status.current
        await self._follow()
        try:
            async with asyncio.timeout(FEED_SECONDS):
                await status.after(before)
        except TimeoutError:
            status.set(FeedState(live=False, failure=LOST, losses=before.losses + 1))

    async def doze(self) -> None:
        """Follow changes no longer; sockets that are open are not told, as nothing is committed meanwhile."""
        if self._follows:
            self._follows = False
            await self._feed.stop()

    async def _follow(self) -> None:
        if not self._follows:
            self._follows = True
            await self._feed.start(self._deliver)

    async def stop(self) -> None:
        """Close every socket, end the feed."""
        self.services.stopping = True
        self.close_sockets()
        async with contextlib.AsyncExitStack() as ending:  # the last one first, and each whatever the others raise
            ending.push_async_callback(self.services.hub.stop)
            ending.push_async_callback(self.services.presence.stop)
            ending.push_async_callback(self._feed.stop)
            ending.push_async_callback(self.services.accounts.stop)
            await ended(self._janitor)

    def close_sockets(self) -> None:
        """Let every client come again."""
        for socket in self._sockets:
            socket.close(CloseCode.RESTART)

    async def why(self, asked: UnsentRequest) -> tuple[int, bytes]:
        """What the caller of a token may do in the private channel `/<topic>`, and why not: POST broadcasts, others
        read; `?extension=presence` is of presence."""
        topic, _, query = asked.target.removeprefix("/").partition("?")
        extension = PRESENCE if query == "extension=presence" else BROADCAST
        hints = self.services.hints
        if hints is None or not topic:
            return 404, orjson.dumps({"code": "not_explained", "message": "A path is /<topic>"})
        try:
            caller = asked.caller or self.services.tokens.verify(asked.token or "").caller
        except TokenRefused as refusal:
            return 401, orjson.dumps({"code": refusal.code, "message": refusal.message})
        question = Question(unquote(topic), caller, {})
        told = await hints.told(channel_attempt(question, extension, writes=asked.method == "POST"))
        if told is None:
            return 500, orjson.dumps({"code": "not_explained", "message": "PostgreSQL did not answer in time"})
        return 200, encode(told)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._open(scope, receive, send)
        else:
            await self._http(scope, receive, send)

    async def _open(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        try:
            if scope["path"] != SOCKET_PATH:
                raise HandshakeRefused(404, "Not Found")
            shaken = shake_hands(self.services, self._backend.api_keys, scope)
        except HandshakeRefused as refusal:
            await refuse(scope, send, refusal)
            return
        except Exception:
            self.services.log.exception("handshake failed")
            await refuse(scope, send, HandshakeRefused(500, "Error connecting to Realtime"))
            return
        await self._follow()
        await send({"type": "websocket.accept"})
        socket = Socket(self.services, shaken)
        with self._sockets.one(socket), self.services.limits.one_socket(shaken.address):
            await socket.run(receive, send)

    async def _deliver(self, changes: Sequence[Change]) -> None:
        """Rows of realtime.messages are broadcasts, all others row changes."""
        for change in changes:
            envelope = stored_envelope(change) if is_message(change.relation) else None
            if envelope is not None:
                # Every process follows changes itself.
                self.services.hub.deliver(envelope)
        await self.services.changes.dispatch([c for c in changes if not is_message(c.relation)])
        self._followed.done += len(changes)


def create_services(backend: Backend, feed: ChangeFeed) -> Services:
    """The parts of the room for one backend."""
    settings = backend.settings.realtime
    hub = Hub(create_fanout(backend))
    return Services(
        settings=settings,
        clock=backend.clock,
        entropy=backend.entropy,
        log=backend.log,
        tokens=TokenVerifier(backend.accepted_keys, backend.clock),
        limits=Limits(settings, backend.clock),
        hub=hub,
        presence=PresenceTracker(hub, backend.entropy, backend.clock, backend.supervisor, settings.presence_beat),
        changes=PostgresChanges(backend, feed),
        stored=StoredMessages(backend.database, backend.clock, backend.supervisor),
        authorization=Authorization(backend.database, backend.entropy, settings.check_timeout),
        accounts=Accounts(backend.database, backend.clock, backend.supervisor, settings.account_check_interval),
        hints=Hints(lambda: backend.database.sessions) if backend.explains else None,
    )


def create_realtime(backend: Backend) -> RealtimeRoom:
    """The room on its database's change feed."""
    return RealtimeRoom(backend, create_change_feed(backend))


# Numbers, not counted by topic, user or table: what clients name must not grow the metrics.


class RealtimeCollector(Collector):
    """A Prometheus collector over one backend's services."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def collect(self) -> Iterator[Metric]:
        """Every series with its value now."""
        for name, text, level in self._levels():
            yield GaugeMetricFamily(PREFIX + name, text, value=level)
        for name, text, total in self._totals():
            yield CounterMetricFamily(PREFIX + name, text, value=total)

    def describe(self) -> Iterator[Metric]:
        """The same, so that registering asks for nothing else."""
        return self.collect()

    def _levels(self) -> Iterator[tuple[str, str, float]]:
        changes = self._services.changes
        yield "connections", "Open sockets", self._services.limits.sockets
        yield "channels", "Joined channels", self._services.hub.listeners
        yield "subscriptions", "Entries that follow row changes", changes.subscriptions
        yield "changes_live", "1 while row changes flow", changes.feed.status.current.live
        yield "changes_lag_seconds", "From the commit of the newest row change to its delivery", changes.lag

    def _totals(self) -> Iterator[tuple[str, str, float]]:
        limits = self._services.limits
        yield "joins", "Channels joined", limits.joins.seen
        yield "events", "Broadcasts taken from clients", limits.events.seen
        yield "presence_events", "Presence calls taken from clients", limits.presence.seen
        yield "changes", "Row changes of the feed", self._services.changes.seen
        yield "slow_consumers", "Sockets closed because they read too slowly", limits.slow_consumers
        yield "dropped", "Messages that never left for the other processes", self._services.hub.dropped
