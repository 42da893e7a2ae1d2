"""Where row changes come from: the settings' way, or the best one the database has."""

from __future__ import annotations

from minato.backend import Backend
from minato.database.engines import OWNER
from minato.database.listener import Listener
from minato.realtime.change_feed.replication import ReplicationConnection
from minato.realtime.change_feed.supervised import Stream, SupervisedFeed
from minato.realtime.change_feed.triggers import TriggerStream

SLOT_PREFIX = "supabase_realtime_replication_slot_"


def create_change_feed(backend: Backend) -> SupervisedFeed:
    """The change feed of one backend."""
    settings, dsn = backend.settings.realtime, backend.database.admin_dsn
    publications = (settings.publication, settings.messages_publication)

    def decode() -> Stream:
        slot = SLOT_PREFIX + backend.entropy.base32(10)
        return ReplicationConnection(dsn, slot, publications, settings.feed_backlog)

    async def connect() -> Listener:
        return await backend.database.listener(OWNER, "minato change feed")

    def listen() -> Stream:
        return TriggerStream(connect, publications, settings.feed_backlog, backend.clock, backend.log)

    ways = {"logical": [decode], "triggers": [listen], None: [decode, listen]}
    return SupervisedFeed(ways[settings.change_feed], settings, backend.supervisor, backend.log)
