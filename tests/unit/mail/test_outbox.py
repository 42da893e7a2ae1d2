"""The outbox keeps the newest mail and lets a test wait for it."""

from __future__ import annotations

import asyncio

from minato.clock import Clock
from minato.entropy import Entropy
from minato.mail.email import Email
from minato.mail.outbox import Outbox


def mail(to: str, kind: str = "signup") -> Email:
    return Email(to=to, subject="Confirm", html="<p>Hello</p>", text="Hello", type=kind)


def outbox(size: int = 10) -> Outbox[Email]:
    return Outbox(Clock(), Entropy(), size)


def test_messages_are_found_by_address_and_kind_newest_first() -> None:
    box = outbox()
    for to, kind in [("a@x", "signup"), ("b@x", "signup"), ("a@x", "recovery")]:
        box.add(mail(to, kind))
    assert [entry.email.type for entry in box.find("A@X")] == ["recovery", "signup"]
    assert [entry.email.to for entry in box.find(kind="signup")] == ["b@x", "a@x"]


def test_the_oldest_message_goes_when_the_outbox_is_full() -> None:
    box = outbox(size=2)
    for number in range(3):
        box.add(mail(f"{number}@x"))
    assert [entry.email.to for entry in box.find()] == ["2@x", "1@x"]


async def test_waiting_ends_when_a_fitting_message_arrives() -> None:
    box = outbox()
    waiting = asyncio.create_task(box.wait("late@x", seconds=5))
    await asyncio.sleep(0)
    box.add(mail("other@x"))
    box.add(mail("late@x"))
    assert [entry.email.to for entry in await waiting] == ["late@x"]


async def test_waiting_in_vain_gives_nothing() -> None:
    assert await outbox().wait("nobody@x", seconds=0.01) == []
