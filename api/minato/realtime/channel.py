"""One joined topic on one socket: the join with its checks in the reference's order, what each event does, the end.

The extensions (broadcast, presence, row changes) do their own work; this decides who may use them.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine

from minato.background import begun
from minato.realtime.access_token import ChannelToken, TokenRefused
from minato.realtime.accounts import ACCOUNT_ENDED
from minato.realtime.authorization import EVERYTHING, AuthorizationUnavailable, Policies, PolicyError, Question
from minato.realtime.broadcast import PAYLOAD_TOO_LARGE, UnspeakablePayload, broadcast_of, payload_size
from minato.realtime.changes_follower import ChangesFollower
from minato.realtime.errors import TOPIC_DENIED, TOPIC_REVOKED, ChannelShutdown, JoinRefused
from minato.realtime.explaining import why_denied
from minato.realtime.fanout.base import Envelope, Kind, Topic
from minato.realtime.joining import load_replay, require_room
from minato.realtime.message import TOPIC_PREFIX, Message, Push, UserBroadcast, reply
from minato.realtime.payloads import OPAQUE_KEY, join_token, parse_join
from minato.realtime.presence_calls import PresenceCalls, PresenceRefused
from minato.realtime.serializer import EncodedOnce
from minato.realtime.services import Services, Wire
from minato.tokens.caller import SERVICE_ROLE

EXTENSION = "postgres_changes"
REPLICATION_SECONDS = 60.0
REPLICATION_READY = "Replication connection established"
REPLICATION_LATE = "Replication connection was not established in time"
TO_DATABASE = "Realtime was unable to connect to the project database"

Ended = Callable[["Channel"], None]


class Channel:
    """A `Listener` of its topic. `join_ref` names this instance to the client, `instance` to everybody else."""

    def __init__(self, services: Services, wire: Wire, message: Message) -> None:
        self.services = services
        self.wire_topic = message.topic
        self.join_ref = message.ref if message.join_ref is None else message.join_ref
        self.instance = str(services.entropy.uuid4())
        self.config = parse_join(message.payload)
        self.topic = Topic(message.topic.removeprefix(TOPIC_PREFIX), self.config.private)
        self.policies = Policies() if self.config.private else EVERYTHING
        self._wire = wire
        self._given_token = join_token(message.payload) or wire.api_token
        self._token: ChannelToken | None = None
        self._entries = self.config.entries(self.topic.name)
        self._replayed: list[UserBroadcast] = []
        key = self.config.presence_key or str(services.entropy.uuid4())
        self._presence = PresenceCalls(services, self.topic, self.instance, key, self._may_track)
        self._follower: ChangesFollower | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._ended: Ended | None = None
        self._left = False
        self._share: str | None = None

    # The join

    async def join(self, joined: int) -> dict[str, object]:
        """Check everything and listen; `joined` counts the socket's other channels. Raises JoinRefused."""
        require_room(self.services, self.topic, joined)
        try:
            self._token = self.services.tokens.verify(self._given_token)
        except TokenRefused as refusal:
            raise JoinRefused(refusal.code, refusal.message) from refusal
        if self.services.accounts.has_ended(self._token):
            raise JoinRefused("Unauthorized", ACCOUNT_ENDED)
        self._take_share()
        try:
            if self.topic.private:
                await self._authorize_join()
            self._replayed = await load_replay(self.services, self.topic, self.config, self.policies)
            if self._entries:
                self._follower = ChangesFollower(
                    self.services.changes,
                    self.topic.name,
                    self._entries,
                    self._tell_of_changes,
                    self._send,
                    share=self._share or SERVICE_ROLE,
                    by_action=self.config.by_topic,
                )
                await self._follower.prepare(self.token.caller)
        except BaseException:
            self._give_share_back()
            raise
        self.services.hub.join(self.topic, self)
        return {"postgres_changes": self._entries}

    def _take_share(self) -> None:
        """Count to the channels of this user."""
        share = self.token.caller.share(self._wire.address)
        if not self.services.limits.channels.try_enter(share):
            raise JoinRefused("ChannelRateLimitReached", "Too many channels")
        self._share = share

    def _give_share_back(self) -> None:
        self.services.limits.channels.leave(self._share)
        self._share = None

    def begin(self, ended: Ended) -> None:
        """What follows the join's reply, in the reference's order; `ended` is told of a shutdown."""
        self._ended = ended
        self.services.accounts.watch(self.token, self.instance, self.shut_down)
        for message in self._replayed:
            self._wire.push(message)
        if self.config.replication_ready:
            self._spawn(self._await_replication())
        if self.config.presence_enabled and self.policies.read_presence:
            self.push("presence_state", self.services.presence.state(self.topic))
        if self._follower is not None:
            self._follower.start(self.token.caller)
        self._watch_token()

    async def _authorize_join(self) -> None:
        try:
            await self._ask_read()
        except PolicyError as error:
            raise await self._denied() from error
        except AuthorizationUnavailable as failure:
            raise JoinRefused(failure.code, failure.message) from failure
        if not (self.policies.read_broadcast or self.policies.read_presence):
            raise await self._denied()

    async def _denied(self) -> JoinRefused:
        refusal = JoinRefused("Unauthorized", TOPIC_DENIED.format(topic=self.topic.name))
        refusal.hint = await why_denied(self.services.hints, self._question())
        return refusal

    async def _ask_read(self) -> None:
        with_presence = self.config.presence_enabled or self.policies.read_presence is not None
        self.policies = await self.services.authorization.read(self._question(), self.policies, with_presence)

    async def _await_replication(self) -> None:
        try:
            async with asyncio.timeout(REPLICATION_SECONDS):
                state = self.services.changes.feed.status.current
                while not state.live:
                    state = await self.services.changes.feed.status.after(state)
        except TimeoutError:
            await self.shut_down(REPLICATION_LATE)
        else:
            self.tell("system", "ok", REPLICATION_READY)

    # Talking to the client

    @property
    def token(self) -> ChannelToken:
        """The token in force."""
        assert self._token is not None, "a channel has a token once it is joined"
        return self._token

    def _question(self) -> Question:
        """Who asks the policies about this topic."""
        return Question(self.topic.name, self.token.caller, self._wire.headers)

    def push(self, event: str, payload: object) -> None:
        """A message of the channel itself."""
        self._wire.push(Push(self.wire_topic, event, payload, None, self.join_ref))

    def tell(self, extension: str, status: str, text: str) -> None:
        """A system message."""
        payload = {"extension": extension, "status": status, "message": text, "channel": self.topic.name}
        self.push("system", payload)

    def hear(self, envelope: Envelope, encoded: EncodedOnce) -> None:
        """What was published on the topic, if this channel may read it."""
        may = self.policies.read_broadcast if envelope.kind is Kind.BROADCAST else self.policies.read_presence
        if may is True and not self._was_replayed(envelope.message_id):
            self._send(encoded)

    def _tell_of_changes(self, status: str, text: str) -> None:
        self.tell(EXTENSION, status, text)

    def _send(self, encoded: EncodedOnce) -> None:
        frame = encoded.frame(self._wire.serializer)
        if frame is not None:
            self._wire.send(frame)

    def _was_replayed(self, message_id: str | None) -> bool:
        return message_id is not None and any((m.meta or {}).get("id") == message_id for m in self._replayed)

    # What the client says

    async def handle(self, message: Message) -> None:
        """One event of the client; unknown ones are ignored. A shutdown is told and ends the channel."""
        try:
            match message.event:
                case "broadcast":
                    await self._broadcast(message)
                case "presence":
                    await self._handle_presence(message)
                case "access_token":
                    await self._refresh_token(message.payload)
        except ChannelShutdown as shutdown:
            await self.shut_down(shutdown.message)

    async def _broadcast(self, message: Message) -> None:
        if not await self._may_broadcast():
            return  # the reference does not answer here, not even with ack
        self._count_event()
        try:
            too_large = payload_size(message.payload) > self.services.settings.max_payload_bytes
            outgoing = broadcast_of(self.wire_topic, message.payload)
        except UnspeakablePayload:
            return
        if not too_large:
            sender = None if self.config.broadcast_self else self.instance
            await self.services.hub.publish(Envelope(self.topic, Kind.BROADCAST, outgoing, sender))
        if self.config.broadcast_ack:
            status, response = ("error", PAYLOAD_TOO_LARGE) if too_large else ("ok", {})
            self._wire.push(reply(message, status, response, self.join_ref))

    async def _may_broadcast(self) -> bool:
        if self.policies.write_broadcast is None:
            with contextlib.suppress(PolicyError, AuthorizationUnavailable):
                self.policies = await self.services.authorization.write(self._question(), self.policies)
        return self.policies.write_broadcast is True

    def _count_event(self) -> None:
        if self.services.limits.events.exceeded:
            raise ChannelShutdown("Too many messages per second")
        self.services.limits.events.count()

    async def _may_track(self) -> bool:
        """Ask the policies at the first track; whether presence may be read, too, where the join did not ask."""
        if self.policies.write_presence is None:
            authorization, question = self.services.authorization, self._question()
            with contextlib.suppress(PolicyError, AuthorizationUnavailable):
                if self.policies.read_presence is None:
                    self.policies = await authorization.read(question, self.policies, with_presence=True)
                self.policies = await authorization.write(question, self.policies)
        return self.policies.write_presence is True

    async def _handle_presence(self, message: Message) -> None:
        try:
            await self._presence.handle(message.payload)
        except PresenceRefused as refusal:
            self._wire.push(reply(message, "error", refusal.response, self.join_ref))
        else:
            self._wire.push(reply(message, "ok", {}, self.join_ref))

    # The token

    async def _refresh_token(self, payload: object) -> None:
        text = payload.get("access_token") if isinstance(payload, dict) else None
        if not isinstance(text, str) or text.startswith(OPAQUE_KEY) or text in (self._given_token, self.token.text):
            return
        try:
            token = self.services.tokens.verify(text)
        except TokenRefused as refusal:
            raise ChannelShutdown(refusal.shutdown) from refusal
        self.services.accounts.forget(self.token, self.instance)
        self._token = token
        self.services.accounts.watch(token, self.instance, self.shut_down)
        if self.services.accounts.has_ended(token):
            raise ChannelShutdown(ACCOUNT_ENDED)
        self._given_token = text
        if self.topic.private:
            await self._authorize_again()
        if self._follower is not None:
            self._follower.start(self.token.caller)
        self._watch_token()

    async def _authorize_again(self) -> None:
        before = self.policies
        self.policies = Policies(read_presence=before.read_presence)
        try:
            await self._ask_read()
        except PolicyError as error:
            raise ChannelShutdown(TOPIC_DENIED.format(topic=self.topic.name)) from error
        except AuthorizationUnavailable as failure:
            cancelled = failure.code == "QueryCanceled"
            raise ChannelShutdown("Query was cancelled, please try again" if cancelled else TO_DATABASE) from failure
        if not (self.policies.read_broadcast or self.policies.read_presence):
            raise ChannelShutdown(TOPIC_DENIED.format(topic=self.topic.name))
        if self.policies.revoked_since(before):
            raise ChannelShutdown(TOPIC_REVOKED.format(topic=self.topic.name))

    def _watch_token(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        pause = min(self.services.tokens.remaining(self.token), self.services.settings.token_check_interval)
        self._timer = asyncio.get_running_loop().call_later(max(pause, 0), self._check_token)

    def _check_token(self) -> None:
        try:
            self.services.tokens.require_unexpired(self.token)
        except TokenRefused as refusal:
            self._spawn(self.shut_down(refusal.shutdown))
        else:
            self._watch_token()

    # The end

    async def shut_down(self, text: str) -> None:
        """End the channel from this side: a system message says why, then it is closed."""
        if self._left:
            return
        self.tell("system", "error", text)
        await self.leave()
        if self._ended is not None:
            self._ended(self)

    async def leave(self) -> None:
        """Hear, follow and be present no more; leaving twice is fine."""
        self._left = True
        self._give_share_back()
        if self._token is not None:
            self.services.accounts.forget(self._token, self.instance)
        self.services.hub.leave(self.topic, self)
        if self._follower is not None:
            self._follower.stop()
        if self._timer is not None:
            self._timer.cancel()
        for task in self._tasks - {asyncio.current_task()}:
            task.cancel()
        self.services.presence.untrack(self.topic, self.instance)

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        task = begun("work of a channel", work, self.services.log)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
