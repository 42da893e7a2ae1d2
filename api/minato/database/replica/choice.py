"""The read replica that the settings ask for, and who keeps the positions that it must have."""

from __future__ import annotations

import structlog

from minato.clock import Clock
from minato.config import Settings
from minato.database.address import DatabaseAddress, login_at
from minato.database.replica.replica import Replica
from minato.database.replica.written import Written, WrittenHere
from minato.database.replica.written_machine import SERVICE, WrittenByWorkers, WrittenService
from minato.machine.exchange import Exchange, Machine
from minato.machine.link import Member
from minato.redis_outage import RedisOutage


def create_replica(
    settings: Settings,
    address: DatabaseAddress,
    processors: int,
    clock: Clock,
    log: structlog.stdlib.BoundLogger,
    redis: RedisOutage,
    machine: Machine = None,
) -> Replica | None:
    """The one of `DATABASE_READ_URL`, None without."""
    url = settings.database.read_url
    if url is None:
        return None
    login = login_at(url.get_secret_value(), address.authenticator)
    return Replica(login, settings.database, processors, _written(settings, clock, log, redis, machine), log)


def _written(
    settings: Settings, clock: Clock, log: structlog.stdlib.BoundLogger, redis: RedisOutage, machine: Machine
) -> Written:
    # A replica that lacks a position for longer is not used.
    seconds = 2 * settings.database.replica_lag + 10
    here = WrittenHere(clock, seconds)
    url = settings.realtime.redis_url
    if url is None:
        if isinstance(machine, Exchange):
            machine.offer(SERVICE, WrittenService(here))
        return WrittenByWorkers(machine, here, seconds, clock, log) if isinstance(machine, Member) else here
    # The client takes 18 MB; who has no Redis does not pay for it.
    from minato.database.replica.written_shared import WrittenShared

    prefix = f"{settings.realtime.redis_channel}:written:"
    return WrittenShared(url.get_secret_value(), prefix, here, seconds, clock, log, redis)
