"""How often one address may ask, and how many messages leave in all."""

from __future__ import annotations

from dataclasses import dataclass

from minato.backend import Backend
from minato.config.auth_limits import Rate, parse_rate
from minato.http.asgi import Scope
from minato.http.client_address import client_address, is_loopback, parse_address, subscriber
from minato.limits.buckets import Allowance

BURST = 30
MINUTE, FIVE_MINUTES, HOUR = 60.0, 300.0, 3600.0
MESSAGES_AN_HOUR = "30"


@dataclass(frozen=True)
class Limit:
    """`setting` names how many requests a period gives back; a bucket holds `burst`, or as many as that."""

    setting: str
    period: float
    burst: int | None = BURST


LIMITS = {
    "token": Limit("rate_limit_token_refresh", FIVE_MINUTES),
    "verify": Limit("rate_limit_verify", FIVE_MINUTES),
    **dict.fromkeys(("signup", "otp", "magiclink", "recover", "resend", "user"), Limit("rate_limit_otp", FIVE_MINUTES)),
    "anonymous": Limit("rate_limit_anonymous_users", HOUR, None),
    "web3": Limit("rate_limit_web3", FIVE_MINUTES),
    "sso": Limit("rate_limit_sso", FIVE_MINUTES),
    "saml": Limit("saml_rate_limit_assertion", FIVE_MINUTES),
    "passkey": Limit("rate_limit_passkey", FIVE_MINUTES),
    "oauth_register": Limit("rate_limit_oauth_dynamic_client_register", FIVE_MINUTES),
    "factor_challenge": Limit("mfa_rate_limit_challenge_and_verify", MINUTE),
    "factor_verify": Limit("mfa_rate_limit_challenge_and_verify", MINUTE),
}


class Quota:
    """A rate of the whole server: a count that starts anew every period, or a bucket that refills."""

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._allowance = Allowance(1 / rate.seconds, rate.events)
        self._since, self._tokens, self._count = now, float(rate.events), 0

    def take(self, now: float) -> bool:
        """Whether one more event fits."""
        return self._take_token(now) if self._rate.refills else self._count_up(now)

    def _take_token(self, now: float) -> bool:
        self._tokens = self._allowance.refilled(self._tokens, now - self._since)
        self._since = now
        allowed = self._tokens >= 1
        self._tokens -= allowed
        return allowed

    def _count_up(self, now: float) -> bool:
        periods = (now - self._since) // self._rate.seconds
        if periods > 0:
            self._since, self._count = self._since + periods * self._rate.seconds, 0
        self._count += 1
        return self._count <= self._rate.events


class MessageQuotas:
    """How many messages the whole server may still send."""

    def __init__(self, backend: Backend) -> None:
        self._settings = backend.settings.auth
        self._clock = backend.clock
        self._development = backend.development
        self._mails = self._quota(self._settings.rate_limit_email_sent)
        self._texts = self._quota(self._settings.rate_limit_sms_sent)

    def allows_mail(self) -> bool:
        """Whether one more mail may leave."""
        return self._mails is None or self._mails.take(self._clock.monotonic())

    def allows_text_message(self) -> bool:
        """Whether one more text message may leave."""
        return self._texts is None or self._texts.take(self._clock.monotonic())

    @property
    def forbids_mail(self) -> bool:
        """Whether not a single mail may ever leave."""
        text = self._settings.rate_limit_email_sent
        return text is not None and parse_rate(text).events == 0

    def _quota(self, text: str | None) -> Quota | None:
        if text is None and self._development:
            return None
        return Quota(parse_rate(text or MESSAGES_AN_HOUR), self._clock.monotonic())


class RateLimits:
    """The limits of one auth room."""

    def __init__(self, backend: Backend) -> None:
        self._settings = backend.settings.auth
        self._proxies = backend.proxies
        self._development = backend.development
        self.buckets = backend.buckets
        self.quotas = MessageQuotas(backend)

    def counted_as(self, scope: Scope) -> str | None:
        """What a request is counted by: the address a trusted proxy names in the header of the settings, else where it
        comes from; None for who is not limited."""
        by_header = self._named(scope)
        if by_header is not None:
            return subscriber(by_header)
        if self._settings.rate_limit_peers is False or self.is_spared(scope):
            return None
        return subscriber(client_address(scope))

    def is_spared(self, scope: Scope) -> bool:
        """Whether it is the developer at work: calls of this machine, where nothing else is asked for."""
        unasked = self._development and self._settings.rate_limit_peers is None
        return unasked and is_loopback(client_address(scope))

    async def wait(self, name: str, counted_as: str) -> float:
        """Seconds until one may do `name`, one of LIMITS, again; 0.0 counts it and means now."""
        limit = LIMITS[name]
        events: float = getattr(self._settings, limit.setting)
        return await self.buckets.take(f"{name} {counted_as}", Allowance.per(events, limit.period, limit.burst))

    def _named(self, scope: Scope) -> str | None:
        """The address in the header of the settings, which only a trusted proxy may write."""
        header, peer = self._settings.rate_limit_header, scope["client"][0] if scope.get("client") else None
        if not header or not self._proxies.trusts(peer):
            return None
        found = self._proxies.client(peer, scope["headers"], header.lower().encode("latin-1", "replace"))
        return None if parse_address(found) == parse_address(peer or "") else found
