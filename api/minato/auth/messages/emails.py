"""What is mailed when: makes the one-time code, notes it on the account, and sends the mail that carries it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from urllib.parse import quote, quote_plus, urljoin, urlsplit

from sqlalchemy import select

from minato.auth.hooks.points import mail_told, send_by_hook
from minato.auth.messages import deliveries
from minato.auth.messages.limits import require_mail, require_mail_interval
from minato.auth.messages.mail_templates import render_mail, text_of
from minato.auth.request.context import RequestContext, Transaction
from minato.auth.request.data import RequestData
from minato.auth.rows import flow_states, one_time_tokens, users
from minato.auth.rows.one_time_tokens import PKCE_PREFIX, NewToken, token_hash
from minato.auth.rows.tables import users as user_table
from minato.auth.rows.users import User
from minato.auth.wire.errors import AuthError
from minato.auth.wire.redirects import with_query
from minato.mail.email import Email
from minato.mail.mailer import MailError

Send = Callable[[RequestContext], Awaitable[None]]


@dataclass(frozen=True)
class Challenge:
    """The PKCE challenge a request came with; empty in the implicit flow. `provider`, where it is not the method."""

    code_challenge: str = ""
    code_challenge_method: str = ""
    provider: str = ""

    def __bool__(self) -> bool:
        return bool(self.code_challenge)


@dataclass(frozen=True)
class Kind:
    """One kind of mail. `column` is where its token goes, `label` what an error calls it."""

    template: str
    link_type: str
    column: str
    sent_at: str
    label: str


CONFIRMATION = Kind("confirmation", "signup", "confirmation_token", "confirmation_sent_at", "confirmation")
INVITE = Kind("invite", "invite", "confirmation_token", "confirmation_sent_at", "invite")
RECOVERY = Kind("recovery", "recovery", "recovery_token", "recovery_sent_at", "recovery")
MAGIC_LINK = Kind("magic_link", "magiclink", "recovery_token", "recovery_sent_at", "magic link")
EMAIL_CHANGE = Kind("email_change", "email_change", "email_change_token_new", "email_change_sent_at", "email change")
REAUTHENTICATION = Kind(
    "reauthentication", "reauthentication", "reauthentication_token", "reauthentication_sent_at", "reauthentication"
)
# Which setting has the path of a mail's link.
URL_PATHS = {
    **{name: name for name in ("confirmation", "invite", "recovery", "email_change")},
    "magic_link": "recovery",
}


async def send(tx: Transaction, user: User, kind: Kind, challenge: Challenge | None = None, **values: object) -> User:
    """Mail a fresh token of `kind` to the account's address; `values` are further columns to write."""
    if kind is not INVITE:
        await require_mail_interval(tx, user, kind.sent_at)
    address = user.email or ""
    require_mail(tx, address)
    token = _new_token(tx, kind.column, address, await _begin_flow(tx, user, kind, challenge))
    await _keep(tx, user, token)
    changed = users.write(tx.db, user, tx.now, **{kind.column: token.hashed, kind.sent_at: tx.now}, **values)
    by_hook = await _by_hook(tx, kind, changed, {"token": token.otp, "token_hash": token.hashed})
    sender = by_hook or _by_mail(kind, _compose(tx, user, kind, token))
    deliveries.later(tx, sender, user, token)
    return changed


async def send_email_change(
    tx: Transaction, user: User, new_email: str, challenge: Challenge, before: User | None = None
) -> User:
    """Mail the new address and, when changes must be confirmed from both sides, the current one.

    `before` is the account as it was when the request came, if that changed something else already.
    """
    await require_mail_interval(tx, user, EMAIL_CHANGE.sent_at)
    columns = {"email_change_token_new": new_email}
    if tx.settings.mailer_secure_email_change_enabled and user.email:
        columns["email_change_token_current"] = user.email
    require_mail(tx, *columns.values())
    prefix = await _begin_flow(tx, user, EMAIL_CHANGE, challenge)
    written: dict[str, object] = {"email_change_token_current": ""}
    tokens = [_new_token(tx, column, address, prefix) for column, address in columns.items()]
    await _require_no_other(tx, user, tokens[0])
    for token in tokens:
        written[token.column] = token.hashed
        await _keep(tx, user, token)
    written |= {"email_change": new_email, "email_change_sent_at": tx.now, "email_change_confirm_status": 0}
    changed = await users.change(tx.db, user, tx.now, **written)
    by_hook = await _by_hook(
        tx, EMAIL_CHANGE, changed, _change_data(changed, {token.column: token.otp for token in tokens})
    )
    for token in tokens[: 1 if by_hook else None]:
        email = _compose(tx, user, EMAIL_CHANGE, token, new_email)
        deliveries.later(tx, by_hook or _by_mail(EMAIL_CHANGE, email), before or user, token)
    return changed


async def _require_no_other(tx: Transaction, user: User, token: NewToken) -> None:
    """A fixed code tells two accounts that want one address apart no more."""
    if not tx.backend.codes.is_fixed(token.address):
        return
    waits = (user_table.c.email_change_token_new == token.hashed) & (user_table.c.id != user.id)
    if (await tx.db.execute(select(user_table.c.id).where(waits))).first() is not None:
        raise AuthError(409, "conflict", "Another account waits for the fixed code of this address")


def _change_data(user: User, codes: Mapping[str, str]) -> dict[str, object]:
    """What a hook is told of both codes. With two, `token` is the current address's and `token_hash` the new one's:
    a slip of the reference that every hook out there has learned to live with."""
    new, current = codes["email_change_token_new"], codes.get("email_change_token_current")
    if current is None:
        return {"token": new, "token_hash": user.email_change_token_new}
    hashes = {"token_hash": user.email_change_token_new, "token_hash_new": user.email_change_token_current}
    return {"token": current, "token_new": new, **hashes}


async def issue(
    tx: Transaction, user: User, kind: Kind, column: str, address: str, **values: object
) -> tuple[User, NewToken]:
    """A fresh token of `kind` for `address` that nobody is mailed, and the account that has it now."""
    token = _new_token(tx, column, address)
    await _keep(tx, user, token)
    return await users.change(tx.db, user, tx.now, **{column: token.hashed, kind.sent_at: tx.now}, **values), token


def build_link(data: RequestData, kind: Kind, hashed: str) -> str:
    """The way back: the page itself where it reads token_hash, else the server's verify endpoint."""
    target = data.redirect_to
    if urlsplit(target).path in data.settings.token_hash_paths:
        link_type = "email_change" if kind is EMAIL_CHANGE else "email"
        return with_query(target, {"token_hash": hashed, "type": link_type})
    return verify_link(data, kind, hashed, target)


def verify_link(data: RequestData, kind: Kind, hashed: str, target: str) -> str:
    """The link to the server's verify endpoint, which leads on to `target`."""
    shown = quote(target, safe="") if re.search("[&=#]", target) else target
    query = f"token={quote_plus(hashed)}&type={quote_plus(kind.link_type)}&redirect_to={shown}"
    # A magic link's path is recovery's, as its token is.
    name = "recovery" if kind is MAGIC_LINK else kind.template
    path = getattr(data.settings, f"mailer_urlpaths_{name}") or data.settings.mailer_urlpaths_verify
    # A path begins below our address, which may have a prefix.
    below = path.removeprefix("/") if not path.startswith("//") else path
    return urljoin(data.backend.public_url + "/", f"{below}?{query}")


async def _begin_flow(tx: Transaction, user: User, kind: Kind, challenge: Challenge | None) -> str:
    if not challenge:
        return ""
    ids = (tx.backend.entropy.uuid4(), tx.backend.entropy.uuid4())
    pkce = (challenge.code_challenge, challenge.code_challenge_method)
    method = flow_states.METHODS[kind.link_type]
    await flow_states.begin(tx.db, ids, user.id, method, pkce, tx.now, challenge.provider)
    return PKCE_PREFIX


def _new_token(data: RequestData, column: str, address: str, prefix: str = "") -> NewToken:
    otp = data.backend.codes.new(address, data.settings.mailer_otp_length)
    return NewToken(column, address, prefix + token_hash(address, otp, data.backend.sealing_key), otp)


async def _keep(tx: Transaction, user: User, token: NewToken) -> None:
    one_time_tokens.replace(tx.writer, user.id, token)


def _compose(data: RequestData, user: User, kind: Kind, token: NewToken, new_email: str = "") -> Email:
    link = None if kind is REAUTHENTICATION else build_link(data, kind, token.hashed)
    variables = {
        "AppName": data.backend.settings.server.app_name,
        "SiteURL": data.site_url,
        "ConfirmationURL": link or "",
        "Email": user.email or "",
        "Token": token.otp,
        "TokenHash": token.hashed,
        "Data": user.user_metadata,
        "RedirectTo": data.redirect_to,
        "NewEmail": new_email,
        "SendingTo": token.address,
    }
    subject, html = render_mail(kind.template, data.settings, variables)
    text = text_of(kind.template, data.settings, html, variables)
    return Email(
        token.address, subject, html, text, kind.link_type, link=link, token=token.otp, token_hash=token.hashed
    )


async def _by_hook(tx: Transaction, kind: Kind, user: User, data: Mapping[str, object]) -> Send | None:
    """How the hook sends it; None without the hook."""
    if tx.settings.hook("send_email") is None:
        return None
    return partial(send_by_hook, name="send_email", told=await mail_told(tx, user, kind.link_type, data))


def _by_mail(kind: Kind, email: Email) -> Send:
    return partial(_send_now, kind=kind, email=email)


async def _send_now(context: RequestContext, kind: Kind, email: Email) -> None:
    try:
        await context.services.backend.mailer.send(email)
    except MailError as error:
        # The client is told nothing of the mail server; whoever looks after it needs its words.
        context.backend.log.warning("a mail was not sent", kind=kind.label, error=str(error))
        raise AuthError(500, "unexpected_failure", f"Error sending {kind.label} email") from error
    except asyncio.CancelledError:
        context.backend.log.warning(
            "a mail was not sent", kind=kind.label, error="the mail server had not taken it when the request ended"
        )
        raise
