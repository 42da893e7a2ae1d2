"""The checks of a join that need no token, and the replay it may ask for."""

from __future__ import annotations

from typing import TypeGuard

from minato.realtime.authorization import Policies
from minato.realtime.errors import DATABASE_ERRORS, TOPIC_DENIED, CloseCode, JoinRefused
from minato.realtime.fanout.base import Topic
from minato.realtime.message import UserBroadcast
from minato.realtime.payloads import JoinConfig
from minato.realtime.services import Services
from minato.realtime.stored_messages import MAX_REPLAYED

NO_REPLAY = "UnableToReplayMessages"


def require_room(services: Services, topic: Topic, joined: int) -> None:
    """Refuse a join that has no place, `joined` counting the socket's other channels. Raises JoinRefused."""
    settings, limits = services.settings, services.limits
    if not topic.name:
        raise JoinRefused("TopicNameRequired", "You must provide a topic name")
    if services.stopping:
        raise JoinRefused("RealtimeRestarting", "Realtime is restarting, please standby")
    if settings.private_only and not topic.private:
        raise JoinRefused("PrivateOnly", "This project only allows private channels")
    if limits.joins.exceeded:
        raise JoinRefused("ClientJoinRateLimitReached", "Too many joins per second", CloseCode.GOING_AWAY)
    limits.joins.count()
    if joined >= settings.max_channels_per_client:
        raise JoinRefused("ChannelRateLimitReached", "Too many channels")


async def load_replay(services: Services, topic: Topic, config: JoinConfig, policies: Policies) -> list[UserBroadcast]:
    """The stored broadcasts a join asks for, oldest first. Raises JoinRefused."""
    if not config.wants_replay:
        return []
    if not topic.private:
        raise JoinRefused(NO_REPLAY, "Replay is not allowed for public channels")
    if not policies.read_broadcast:
        raise JoinRefused("Unauthorized", TOPIC_DENIED.format(topic=topic.name))
    if not isinstance(config.replay, dict):
        return []
    since, limit = config.replay.get("since"), config.replay.get("limit")
    if not _is_integer(since) or not (limit is None or _is_integer(limit)):
        raise JoinRefused(NO_REPLAY, "Replay params are not valid")
    try:
        return await services.stored.replay(topic.name, since / 1000, limit or MAX_REPLAYED)
    except (OverflowError, ValueError) as error:
        raise JoinRefused(NO_REPLAY, "Replay params are not valid") from error
    except DATABASE_ERRORS as error:
        raise JoinRefused(NO_REPLAY, "Realtime was unable to replay messages") from error


def _is_integer(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
