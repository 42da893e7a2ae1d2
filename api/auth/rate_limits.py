"""How often one address may ask, and how many messages leave in all: token buckets in memory, their number bounded."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from api.clock import Clock
from api.config.auth_limits import LimitSettings, Rate, parse_rate

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
    "passkey": Limit("rate_limit_passkey", FIVE_MINUTES),
    "oauth_register": Limit("rate_limit_oauth_dynamic_client_register", FIVE_MINUTES),
    "factor_challenge": Limit("mfa_rate_limit_challenge_and_verify", MINUTE),
    "factor_verify": Limit("mfa_rate_limit_challenge_and_verify", MINUTE),
}


class Buckets:
    """A token bucket for each key; of more than `size` keys the longest silent is forgotten."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, key: tuple[str, str], now: float, rate: float, burst: int) -> bool:
        """Take a token that comes back at `rate` a second; False when none is left."""
        tokens, seen = self._buckets.pop(key, (float(burst), now))
        tokens = min(float(burst), tokens + (now - seen) * rate)
        allowed = tokens >= 1
        self._buckets[key] = (tokens - 1 if allowed else tokens, now)
        if len(self._buckets) > self._size:
            self._buckets.popitem(last=False)
        return allowed


class Quota:
    """A rate of the whole server: a count that starts anew every period, or a bucket that refills."""

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._bucket = Buckets(1)
        self._began, self._count = now, 0

    def take(self, now: float) -> bool:
        """Whether one more event fits."""
        rate = self._rate
        if rate.refills:
            return self._bucket.take(("", ""), now, 1 / rate.seconds, rate.events)
        periods = (now - self._began) // rate.seconds
        if periods > 0:
            self._began, self._count = self._began + periods * rate.seconds, 0
        self._count += 1
        return self._count <= rate.events


class RateLimits:
    """The limits of one auth room. Without `rate_limit_header` no address is limited."""

    def __init__(self, settings: LimitSettings, clock: Clock, development: bool) -> None:
        self._settings = settings
        self._clock = clock
        self._buckets = Buckets(settings.rate_limit_addresses)
        self._mails = self._quota(settings.rate_limit_email_sent, development)
        self._texts = self._quota(settings.rate_limit_sms_sent, development)

    def allows(self, name: str, address: str) -> bool:
        """Whether `address` may do `name`, one of LIMITS, once more."""
        limit = LIMITS[name]
        events: float = getattr(self._settings, limit.setting)
        burst = int(events) if limit.burst is None else limit.burst
        return self._buckets.take((name, address), self._clock.monotonic(), events / limit.period, burst)

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

    def _quota(self, text: str | None, development: bool) -> Quota | None:
        if text is None and development:
            return None
        return Quota(parse_rate(text or MESSAGES_AN_HOUR), self._clock.monotonic())
