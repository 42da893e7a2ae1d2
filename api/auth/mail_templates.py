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
{action}
<p style="color:#71717a;font-size:13px">If you did not ask for this, you can ignore this mail.</p>
</div></body></html>
"""
_BUTTON = """\
<p><a href="{{{{ .ConfirmationURL }}}}" style="display:inline-block;padding:12px 20px;background:#18181b;color:#ffffff;\
border-radius:8px;text-decoration:none">{label}</a></p>
<p>Or enter the code: <strong>{{{{ .Token }}}}</strong></p>"""
_CODE = '<p style="font-size:28px;letter-spacing:6px"><strong>{{ .Token }}</strong></p>'


def _page(title: str, text: str, label: str | None) -> str:
    action = _CODE if label is None else _BUTTON.format(label=label)
    return _FRAME.replace("{title}", title).replace("{text}", text).replace("{action}", action)


DEFAULTS: Mapping[str, str] = {
    "confirmation": _page("Confirm your email address", "One step is left to open your account.", "Confirm email"),
    "invite": _page("You've been invited", "You were invited to open an account.", "Accept the invitation"),
    "recovery": _page("Reset your password", "Follow the link to choose a new password.", "Reset password"),
    "magic_link": _page("Your sign-in link", "Follow the link to sign in.", "Sign in"),
    "email_change": _page(
        "Confirm your new email address",
        "Your address is about to change from {{ .Email }} to {{ .NewEmail }}.",
        "Confirm the change",
    ),
    "reauthentication": _page("Confirm that it is you", "Enter this code to go on:", None),
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
