"""Row changes go to the checks in portions: so many changes times subscribers that nobody else waits for them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from minato.database.address import DatabaseAddress
from minato.host.host import Host
from minato.realtime.change_feed.base import Action, Change, Relation
from minato.realtime.postgres_changes.catalog import Catalog
from minato.realtime.postgres_changes.dispatcher import CHECKED_AT_ONCE, Delivery, Dispatcher
from minato.realtime.postgres_changes.parameters import parse_parameters
from minato.realtime.postgres_changes.subscription import Subscription, SubscriptionBook
from minato.realtime.postgres_changes.visibility import Visibility
from minato.realtime.serializer import EncodedOnce
from minato.tokens.caller import ANONYMOUS

from tests.support.server import JWT_SECRET, settings_for

NOWHERE = DatabaseAddress("postgresql:///nowhere", "postgresql:///nowhere")
CARS = Relation(1, "public", "cars", ())


class Silent:
    """A channel that hears nothing."""

    topic_name = "room"
    by_action = False
    share = "somebody"

    def deliver(self, encoded: EncodedOnce) -> None:
        raise AssertionError("nothing is sent here")

    def tell_gap(self, reason: str) -> None:
        raise AssertionError("nothing is lost here")


class Portions(Dispatcher):
    """A dispatcher that notes how many changes it would deliver at once."""

    noted: list[int]

    async def _deliver(self, portion: Sequence[Delivery]) -> None:
        self.noted.append(len(portion))


def change() -> Change:
    return Change(CARS, Action.INSERT, {}, None, 1, 1, datetime(2026, 1, 1, tzinfo=UTC), 1)


@pytest.mark.parametrize(("subscribers", "portions"), [(1, [7]), (CHECKED_AT_ONCE // 2, [2, 2, 2, 1])])
async def test_what_is_checked_at_once_is_bounded_by_changes_times_subscribers(
    tmp_path: Path, subscribers: int, portions: list[int]
) -> None:
    backend = Host(1).create(settings_for(tmp_path), NOWHERE, "http://localhost", JWT_SECRET).backend
    catalog, book = Catalog(backend.database), SubscriptionBook()
    everything = parse_parameters({"event": "*", "schema": "public", "table": "cars"})
    book.add(
        Subscription(number, Silent(), everything, ANONYMOUS, frozenset({CARS.name}), 0)
        for number in range(subscribers)
    )
    visibility = Visibility(backend.database, catalog, 1.0, backend.log)
    dispatcher = Portions(book, catalog, backend.clock, visibility, 1000, backend.log)
    dispatcher.noted = []
    await dispatcher.dispatch([change() for _ in range(7)])
    assert dispatcher.noted == portions
