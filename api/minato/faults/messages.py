"""Mails and text messages that go wrong."""

from __future__ import annotations

from minato.at_work import UnderWay
from minato.faults.fault import Faults
from minato.mail.email import Email
from minato.mail.mailer import Mailer, MailError
from minato.sms.sender import SmsError, SmsSender, TextMessage

REFUSED_MAIL = "550 5.7.1 Message rejected"
REFUSED_TEXT = "The provider refused the message"


class FaultyMailer:
    """A mailer whose messages may be refused or lost, and are waited for."""

    def __init__(self, mailer: Mailer, faults: Faults, at_work: UnderWay) -> None:
        self._mailer = mailer
        self._faults = faults
        self._at_work = at_work

    async def send(self, email: Email) -> None:
        with self._at_work.begin(f"{email.type} to {email.to}"):
            await self._send(email)

    async def _send(self, email: Email) -> None:
        fault = self._faults.of("mail", {"to": email.to, "type": email.type}) if self._faults.rules else None
        if fault is not None:
            await fault.wait()
            if fault.refuses:
                raise MailError(refusal(fault.rule.do.refuse, REFUSED_MAIL))
            if fault.rule.do.lose:
                return
        await self._mailer.send(email)


class FaultySms:
    """A sender whose messages may be refused or lost, and are waited for."""

    def __init__(self, sender: SmsSender, faults: Faults, at_work: UnderWay) -> None:
        self._sender = sender
        self._faults = faults
        self._at_work = at_work

    async def send(self, message: TextMessage) -> None:
        with self._at_work.begin(f"{message.type} to {message.to}"):
            await self._send(message)

    async def _send(self, message: TextMessage) -> None:
        fault = self._faults.of("sms", {"to": message.to, "type": message.type}) if self._faults.rules else None
        if fault is not None:
            await fault.wait()
            if fault.refuses:
                raise SmsError(refusal(fault.rule.do.refuse, REFUSED_TEXT))
            if fault.rule.do.lose:
                return
        await self._sender.send(message)


def refusal(said: str | bool | None, otherwise: str) -> str:
    """The words of a refusal."""
    return said if isinstance(said, str) else otherwise
