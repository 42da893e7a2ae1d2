"""The page on which a person says who they are."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from urllib.parse import urlencode

from fastapi import Response
from fastapi.responses import HTMLResponse

from minato.backend import Backend
from minato.dev.idp.who import DENIED, NEW, people

POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


def page_of_people(backend: Backend, provider: str, asked: Mapping[str, str]) -> Response:
    """Everybody of the users file, somebody new and a refusal, each a way on with what was `asked`."""
    known = [(str(one.uuid), one.name or "", one.email or one.phone or "") for one in people(backend).user]
    rows = [*known, (NEW, "Somebody new", ""), ("", "Refuse", DENIED)]
    told = "".join(
        f'<li><a href="?{escape(urlencode({**asked, "as": key}))}">'
        f"<strong>{escape(name or address)}</strong> <span>{escape(address if name else '')}</span></a></li>"
        for key, name, address in rows
    )
    style = f"{backend.public_url}/_dev/idp.css"
    page = PAGE.format(provider=escape(provider), people=told, style=escape(style))
    return HTMLResponse(page, headers={"content-security-policy": POLICY, "cache-control": "no-store"})


PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sign in with {provider}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="{style}"></head>
<body><main><h1>Sign in with {provider}</h1><p>A provider of this development server. Who are you?</p>
<ul>{people}</ul></main></body></html>"""
