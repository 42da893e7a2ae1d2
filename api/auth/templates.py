"""The mails themselves: GoTrue's variables (`{{ .ConfirmationURL }}`, …) filled into a subject and HTML.

Subjects and bodies can be replaced by settings. The defaults are plain documents that any mail client shows well.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any

VARIABLE = re.compile(r"\{\{-?\s*\.([A-Za-z]+(?:\.[A-Za-z0-9_]+)*)\s*-?\}\}")

SUBJECTS = {
    "signup": "Confirm your email address",
    "invite": "You've been invited",
    "magiclink": "Your sign-in link",
    "recovery": "Reset your password",
    "email_change": "Confirm your new email address",
    "reauthentication": "{{ .Token }} is your verification code",
}

# kind → heading, what happened, what the button says
_CONTENT = {
    "signup": (
        "Confirm your email address",
        "Follow this link to confirm your address and finish signing up.",
        "Confirm",
    ),
    "invite": ("You have been invited", "Follow this link to accept the invitation and create your account.", "Accept"),
    "magiclink": ("Your sign-in link", "Follow this link to sign in. It works once.", "Sign in"),
    "recovery": ("Reset your password", "Follow this link to choose a new password.", "Reset password"),
    "email_change": (
        "Confirm your new email address",
        "Follow this link to confirm the change of your address from {{ .Email }} to {{ .NewEmail }}.",
        "Confirm the change",
    ),
}

_PAGE = (
    '<!doctype html><html><body style="margin:0;padding:32px 16px;background:#f4f6f3;color:#13201b;'
    'font:16px/1.6 -apple-system,Segoe UI,Roboto,sans-serif"><div style="max-width:480px;margin:0 auto;'
    'padding:32px;background:#fff;border:1px solid #d3dbd5;border-radius:6px">{content}</div></body></html>'
)
_LINKED = (
    '<h1 style="margin:0 0 16px;font-size:22px;line-height:1.25">{heading}</h1><p style="margin:0 0 24px">{text}</p>'
    '<p style="margin:0 0 24px"><a href="{{{{ .ConfirmationURL }}}}" style="display:inline-block;padding:12px 20px;'
    'background:#0f4a3c;color:#fff;border-radius:4px;text-decoration:none;font-weight:600">{button}</a></p>'
    '<p style="margin:0;color:#52605a;font-size:14px">Or type this code: <strong>{{{{ .Token }}}}</strong><br>'
    "If you did not ask for this mail, you can ignore it.</p>"
)
_CODE = (
    '<h1 style="margin:0 0 16px;font-size:22px;line-height:1.25">Confirm that it is you</h1>'
    '<p style="margin:0">Your code is <strong>{{ .Token }}</strong>.</p>'
)


def default_template(kind: str) -> str:
    """The HTML of a kind of mail, variables still in it."""
    if kind == "reauthentication":
        return _PAGE.replace("{content}", _CODE)
    heading, text, button = _CONTENT[kind]
    return _PAGE.replace("{content}", _LINKED.format(heading=heading, text=text, button=button))


def fill(template: str, variables: Mapping[str, Any], *, escape: bool) -> str:
    """`template` with its variables; a name that is not known, or not set, becomes empty text.

    >>> fill("Hello {{ .Data.name }}, {{ .Nothing }}", {"Data": {"name": "<Aiko>"}}, escape=True)
    'Hello &lt;Aiko&gt;, '
    """

    def value(match: re.Match[str]) -> str:
        found: Any = variables
        for name in match[1].split("."):
            found = found.get(name) if isinstance(found, Mapping) else None
        text = "" if found is None else str(found)
        return html.escape(text) if escape else text

    return VARIABLE.sub(value, template)


def plain_text(kind: str, variables: Mapping[str, Any]) -> str:
    """The same as text, for clients that show no HTML."""
    lines = [] if kind == "reauthentication" else [_CONTENT[kind][1], "", "{{ .ConfirmationURL }}", ""]
    return fill("\n".join([*lines, "Your code: {{ .Token }}", ""]), variables, escape=False)
