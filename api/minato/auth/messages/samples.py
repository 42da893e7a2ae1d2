"""What a mail will look like: each template with values that were made up, for the eyes of whoever writes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from minato.auth.messages.emails import CONFIRMATION, EMAIL_CHANGE, INVITE, MAGIC_LINK, REAUTHENTICATION, RECOVERY
from minato.auth.messages.mail_templates import LETTERS, render_mail, text_of
from minato.backend import Backend
from minato.mail.email import Email

_KINDS = {
    kind.template: kind.link_type
    for kind in (CONFIRMATION, INVITE, RECOVERY, MAGIC_LINK, EMAIL_CHANGE, REAUTHENTICATION)
}
# As a code looks; nobody was given it.
_CODE = "123456"


def samples(backend: Backend) -> dict[str, Callable[[str], Email]]:
    """What makes the mail of each template for an address, by the template's name."""
    return {template: partial(_sample, backend, template) for template in LETTERS}


def _sample(backend: Backend, template: str, to: str) -> Email:
    """The mail that the settings make of it. Its link leads nowhere, its code opens nothing."""
    settings = backend.settings.auth
    variables = _variables(backend, to)
    subject, html = render_mail(template, settings, variables)
    text = text_of(template, settings, html, variables)
    link = str(variables["ConfirmationURL"]) if template in _KINDS and template != "reauthentication" else None
    return Email(
        to,
        subject,
        html,
        text,
        _KINDS.get(template, template),
        link=link,
        token=_CODE if template in _KINDS else None,
    )


def _variables(backend: Backend, to: str) -> Mapping[str, object]:
    site = (backend.settings.auth.site_url or backend.public_url).rstrip("/")
    return {
        "AppName": backend.settings.server.app_name,
        "SiteURL": site,
        "ConfirmationURL": f"{backend.public_url}/auth/v1/verify?token=a-test-mail&type=signup&redirect_to={site}",
        "Email": to,
        "Token": _CODE,
        "TokenHash": "a-test-mail",
        "Data": {"name": "Anna Schmidt", "full_name": "Anna Schmidt", "first_name": "Anna", "last_name": "Schmidt"},
        "RedirectTo": site,
        "NewEmail": "new@example.com",
        "OldEmail": "old@example.com",
        "SendingTo": to,
        "Phone": "+15550100",
        "OldPhone": "+15550101",
        "Provider": "google",
        "FactorType": "totp",
    }
