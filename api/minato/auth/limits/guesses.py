"""Guesses at what a person types in are counted in the database, so that neither a restart nor a second process starts
them anew. A try counts before it is judged: of many at once no more are judged than of as many in a row.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import BigInteger, Integer, Text, text

from minato.auth.request.context import Transaction
from minato.auth.rows import factors
from minato.auth.rows.factors import Challenge, Factor
from minato.auth.wire.errors import CommittedError
from minato.database.wire.messages import Row
from minato.database.wire.session import Command
from minato.database.wire.values import as_text

KEPT = timedelta(days=1)
HOUR = timedelta(hours=1)
CHALLENGE, FACTOR = "challenge", "factor"

# Each count also drops a few that nothing can be asked about any more: the table stays as small as it is busy.
COUNT = text("""
with stale as (
    delete from minato.guesses where (subject, kind) in (
        select subject, kind from minato.guesses where tried_at < :before and subject <> all(cast(:subjects as text[]))
        order by tried_at limit 10 for update skip locked)
)
insert into minato.guesses as known (subject, kind, asked_at, tries, tried_at)
select subject, kind, asked_at, 1, :now
from unnest(cast(:subjects as text[]), cast(:kinds as text[]), cast(:moments as timestamptz[]))
    as tried (subject, kind, asked_at)
on conflict (subject, kind) do update set asked_at = excluded.asked_at, tried_at = excluded.tried_at,
    tries = case when known.asked_at is not distinct from excluded.asked_at then known.tries + 1 else 1 end
returning kind, tries
""").columns(kind=Text, tries=Integer)
# The same for all codes of one account, which SQL finds.
COUNT_CODES = """
with stale as (
    delete from minato.guesses where (subject, kind) in (
        select subject, kind from minato.guesses where tried_at < {before}::timestamptz and subject <> {subject}::text
        order by tried_at limit 10 for update skip locked)
)
insert into minato.guesses as known (subject, kind, asked_at, tries, tried_at)
select {subject}::text, kind,
    (select (pg_catalog.to_jsonb(u) ->> moment)::timestamptz from auth.users u where id = {user}), 1, {now}::timestamptz
from unnest({kinds}::text[], {moments}::text[]) as tried (kind, moment) order by kind
on conflict (subject, kind) do update set asked_at = excluded.asked_at, tried_at = excluded.tried_at,
    tries = case when known.asked_at is not distinct from excluded.asked_at then known.tries + 1 else 1 end
returning kind, tries
"""
FORGIVE = text("delete from minato.guesses where subject = any(cast(:subjects as text[]))")
BELIEVE = text("""
insert into minato.totp_steps as last (factor_id, step) values (:factor, :step)
on conflict (factor_id) do update set step = excluded.step where last.step < excluded.step
returning step
""").columns(step=BigInteger)


def count_codes(tx: Transaction, key: Sequence[str], user: str, sent: Iterable[tuple[str, str]]) -> list[Command]:
    """What counts a try at the codes sent to the address `key[0]`, if tries are counted, as `require_code_try` does.

    `sent` are the columns with those of when, of the account that SQL finds by `key`. The answer is read by
    `open_columns`. Whether or not there is an account: neither the answer nor the time it takes must tell.
    """
    if not tx.settings.security_code_tries:
        return []
    columns, moments = zip(*sent, strict=True)
    subject = hashlib.sha256(key[0].lower().encode()).hexdigest()
    given = [subject, as_text(columns), as_text(moments), tx.now.isoformat(), (tx.now - _kept(tx)).isoformat()]
    first = len(key) + 1
    numbered = {
        name: f"${first + place}" for place, name in enumerate(("subject", "kinds", "moments", "now", "before"))
    }
    return [Command(COUNT_CODES.format(user=user, **numbered), [*key, *given])]


def open_columns(tx: Transaction, counted: Iterable[Row]) -> Collection[str]:
    """The columns whose code is not void."""
    most = tx.settings.security_code_tries
    return {kind.decode() for kind, tries in counted if kind and tries and int(tries) <= most}


async def require_code_try(
    tx: Transaction, address: str, column: str, sent_at: datetime | None, refusal: Exception
) -> None:
    """Count a try at the one code of `column`; raises `refusal` where it is void. So is one of no account."""
    most = tx.settings.security_code_tries
    if not most:
        return
    subject = hashlib.sha256(address.lower().encode()).hexdigest()
    if (await _count(tx, [(subject, column, sent_at)]))[column] > most:
        raise refusal


async def require_factor_try(tx: Transaction, factor: Factor, asked: Challenge) -> None:
    """Count a try at a challenge. Refuses with 422 what ended the challenge, with 429 too many of one factor."""
    most, hourly = tx.settings.security_factor_tries, tx.settings.security_factor_tries_hourly
    if not most and not hourly:
        return
    hour = tx.now.replace(minute=0, second=0, microsecond=0)
    questions = [(str(asked.id), CHALLENGE, asked.created_at), (str(factor.id), FACTOR, hour)]
    tries = await _count(tx, questions)
    if hourly and tries[FACTOR] > hourly:
        wait = (hour + HOUR - tx.now).total_seconds()
        raise CommittedError(429, "over_request_rate_limit", "Request rate limit reached", wait)
    if most and tries[CHALLENGE] > most:
        await factors.forget_challenge(tx.db, asked.id)
        raise challenge_expired(asked.id)


async def forgive_factor(tx: Transaction, factor: Factor, asked: Challenge) -> None:
    """The factor's owner has answered: what was tried before counts no more."""
    await tx.db.execute(FORGIVE, {"subjects": [str(asked.id), str(factor.id)]})


async def is_first_use(tx: Transaction, factor_id: UUID, step: int) -> bool:
    """Whether an authenticator app's code of the period `step` is newer than any that was believed; now it was."""
    if tx.settings.security_totp_reuse:
        return True
    return (await tx.db.execute(BELIEVE, {"factor": factor_id, "step": step})).scalar() is not None


def challenge_expired(challenge_id: UUID) -> CommittedError:
    advice = "verify against another challenge or create a new challenge."
    return CommittedError(422, "mfa_challenge_expired", f"MFA challenge {challenge_id} has expired, {advice}")


async def _count(tx: Transaction, questions: Iterable[tuple[str, str, datetime | None]]) -> dict[str, int]:
    """Tries by kind, this one among them."""
    subjects, kinds, moments = (list(column) for column in zip(*questions, strict=True))
    given = {"subjects": subjects, "kinds": kinds, "moments": moments}
    rows = await tx.db.execute(COUNT, {**given, "now": tx.now, "before": tx.now - _kept(tx)})
    return dict(rows.all())


def _kept(tx: Transaction) -> timedelta:
    """How long a count is kept: until nothing can be asked about it."""
    return KEPT + timedelta(seconds=max(tx.settings.mailer_otp_exp, tx.settings.sms_otp_exp))
