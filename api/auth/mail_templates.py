"""The mails of the auth room: subjects and HTML, with GoTrue's `{{ .Variable }}` placeholders."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any

from api.config.auth import AuthSettings

_PLACEHOLDER = re.compile(r"\{\{-?\s*\.([A-Za-z_][\w.]*)\s*-?\}\}")
_FRAME = """\
<!doctype html>
<html lang="en"><body style="margin:0;padding:32px;background:#f4f4f5;font-family:system-ui,sans-serif;color:#18181b">
<div style="max-width:480px;margin:0 auto;padding:32px;background:#ffffff;border-radius:12px">
<h2 style="margin-top:0">{title}</h2>
<p>{text}</p>
{action}<p style="color:#71717a;font-size:13px">{footer}</p>
</div></body></html>
"""
_BUTTON = """\
<p><a href="{{{{ .ConfirmationURL }}}}" style="display:inline-block;padding:12px 20px;background:#18181b;color:#ffffff;\
border-radius:8px;text-decoration:none">{label}</a></p>
<p>Or enter the code: <strong>{{{{ .Token }}}}</strong></p>
"""
_CODE = '<p style="font-size:28px;letter-spacing:6px"><strong>{{ .Token }}</strong></p>\n'


def _page(title: str, text: str, action: str = "", footer: str = "") -> str:
    parts = {"title": title, "text": text, "action": action, "footer": footer}
    return re.sub(r"\{(\w+)\}", lambda match: parts[match[1]], _FRAME)


def _question(title: str, text: str, label: str | None) -> str:
    """A mail that wants an answer: a button that says `label`, or a code to type."""
    action = _CODE if label is None else _BUTTON.format(label=label)
    return _page(title, text, action, "If you did not ask for this, you can ignore this mail.")


def _notice(title: str, text: str) -> str:
    """A mail that tells what happened."""
    return _page(title, text, footer="If this was not you, change your password and write to us at once.")


DEFAULTS: Mapping[str, str] = {
    "confirmation": _question("Confirm your email address", "One step is left to open your account.", "Confirm email"),
    "invite": _question("You've been invited", "You were invited to open an account.", "Accept the invitation"),
    "recovery": _question("Reset your password", "Follow the link to choose a new password.", "Reset password"),
    "magic_link": _question("Your sign-in link", "Follow the link to sign in.", "Sign in"),
    "email_change": _question(
        "Confirm your new email address",
        "Your address is about to change from {{ .Email }} to {{ .NewEmail }}.",
        "Confirm the change",
    ),
    "reauthentication": _question("Confirm that it is you", "Enter this code to go on:", None),
    "password_changed_notification": _notice("Your password was changed", "The account {{ .Email }} has a new one."),
    "email_changed_notification": _notice(
        "Your email address was changed", "It was {{ .OldEmail }} and is {{ .Email }} now."
    ),
    "phone_changed_notification": _notice(
        "Your phone number was changed", "It was {{ .OldPhone }} and is {{ .Phone }} now."
    ),
    "identity_linked_notification": _notice(
        "A new way to sign in", "The account {{ .Email }} can now be opened with {{ .Provider }}."
    ),
    "identity_unlinked_notification": _notice(
        "A way to sign in is gone", "The account {{ .Email }} can no longer be opened with {{ .Provider }}."
    ),
    "mfa_factor_enrolled_notification": _notice(
        "A new second factor", "Your account now also asks for: {{ .FactorType }}."
    ),
    "mfa_factor_unenrolled_notification": _notice(
        "A second factor is gone", "Your account no longer asks for: {{ .FactorType }}."
    ),
}


def render_mail(kind: str, settings: AuthSettings, variables: Mapping[str, Any]) -> tuple[str, str]:
    """Subject and HTML of a mail; values are escaped in the HTML and single-line in the subject."""
    subject = getattr(settings, f"mailer_subjects_{kind}")
    template = getattr(settings, f"mailer_templates_{kind}") or DEFAULTS[kind]
    return " ".join(fill(subject, variables).split()), fill(template, variables, escape=True)


def fill(template: str, variables: Mapping[str, Any], escape: bool = False) -> str:
    """`template` with its variables; unknown ones become nothing.

    >>> fill("Hi {{ .Data.name }}, {{.Token}}", {"Data": {"name": "Anna"}, "Token": "1"})
    'Hi Anna, 1'
    """

    def value(match: re.Match[str]) -> str:
        found: Any = variables
        for name in match[1].split("."):
            found = found.get(name, "") if isinstance(found, Mapping) else ""
        text = str(found)
        return html.escape(text) if escape else text

    return _PLACEHOLDER.sub(value, template)
