"""`/_dev/idp/saml/<domain>/…`, an identity provider for any organisation, and the calls that answer in its place."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Mapping
from html import escape
from typing import Annotated, Final

from fastapi import FastAPI, Path, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse
from pydantic import Field

from minato.backend import Backend
from minato.dev.idp.organisation import Organisation, asked_at
from minato.dev.idp.page import page_of_people
from minato.dev.idp.person import Person
from minato.dev.idp.provider import Refused
from minato.dev.idp.who import Answerer, IdpError, chosen
from minato.saml.stand_in import DOMAIN

SAML: Final = "saml"
Domain = Annotated[str, Path(pattern=f"^{DOMAIN.pattern}$")]
SEND = "document.forms[0].submit()"
# Where the form leads, and where auth sends on from there, is told by this page itself.
POLICY = (
    f"default-src 'none'; script-src 'sha256-{b64encode(hashlib.sha256(SEND.encode()).digest()).decode()}'; "
    "style-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)


class WantedResponse(Answerer):
    """What an organisation answers: at the address that auth sends somebody to, or of `domain` by itself, with
    `relay_state` as the page where they are to end."""

    url: str | None = None
    domain: Annotated[str, Field(pattern=f"^{DOMAIN.pattern}$")] | None = None
    relay_state: str = ""


def require_saml_here(backend: Backend) -> None:
    """400 while it is off, 501 without its libraries."""
    if not backend.settings.auth.saml_enabled:
        hint = 'GOTRUE_SAML_ENABLED="true" and, without a key of your own, GOTRUE_SAML_PRIVATE_KEY="minato".'
        raise IdpError(400, "saml_provider_disabled", "SAML 2.0 is disabled.", hint)
    try:
        import xmlsec  # noqa: F401
    except ImportError:
        raise IdpError(501, "idp_unavailable", "SAML needs its libraries.", "pip install 'minato[saml]'") from None


def add_organisations(app: FastAPI, backend: Backend, coming: dict[str, Person | str]) -> None:
    """The provider's addresses and the call; `coming` has who comes next."""

    @app.get("/idp/saml/{domain}/metadata")
    async def metadata(domain: Domain) -> Response:
        require_saml_here(backend)
        text = Organisation(backend, domain).stand_in.metadata
        return Response(text, media_type="application/samlmetadata+xml", headers={"cache-control": "no-store"})

    @app.get("/idp/saml/{domain}/sso")
    async def sign_on(domain: Domain, request: Request) -> Response:
        require_saml_here(backend)
        return _answered(backend, domain, dict(request.query_params), coming)

    @app.post("/v1/idp/saml-response")
    async def post_response(wanted: WantedResponse) -> Response:
        require_saml_here(backend)
        domain, asked = _place(backend, wanted)
        organisation = Organisation(backend, domain)
        try:
            form = organisation.form(wanted.at(backend, SAML), asked)
        except Refused as error:
            raise IdpError(400, "bad_request", f"No organisation answers this: {error}.") from None
        return JSONResponse({"url": organisation.acs, "form": form}, headers={"cache-control": "no-store"})


def _place(backend: Backend, wanted: WantedResponse) -> tuple[str, Mapping[str, str]]:
    """Which organisation is asked, and what. Raises IdpError."""
    if (wanted.url is None) == (wanted.domain is None):
        raise IdpError(400, "bad_request", "Either url or domain is wanted.")
    if wanted.url is None:
        return wanted.domain or "", {"RelayState": wanted.relay_state}
    inner = wanted.url.partition("?")[0].removeprefix(f"{backend.public_url}/_dev/idp/{SAML}/")
    domain = inner.removesuffix("/sso")
    if inner == wanted.url or DOMAIN.fullmatch(domain) is None:
        hint = "signInWithSSO gives it, once POST /_dev/v1/users/organisations has entered the organisation."
        raise IdpError(400, "bad_request", "This is no address of an organisation of this server.", hint)
    return domain, asked_at(wanted.url)


def _answered(backend: Backend, domain: str, asked: dict[str, str], coming: dict[str, Person | str]) -> Response:
    """Who is it? Answered by whoever was said to come next, else by the person at the page."""
    organisation = Organisation(backend, domain)
    try:
        organisation.question(asked)
        key = asked.pop("as", None)
        one = coming.pop(SAML, None) if key is None else chosen(backend, SAML, key, domain)
        if one is None:
            return page_of_people(backend, domain, asked)
        return _posting(organisation.acs, organisation.form(one, asked))
    except Refused as error:
        return JSONResponse({"error": str(error)}, 400)


def _posting(url: str, form: Mapping[str, str]) -> Response:
    """A page that a browser sends on from by itself, and a person where no script runs."""
    fields = "".join(f'<input type="hidden" name="{name}" value="{escape(value)}">' for name, value in form.items())
    page = PAGE.format(url=escape(url), fields=fields, script=SEND)
    return HTMLResponse(page, headers={"content-security-policy": POLICY, "cache-control": "no-store"})


PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Signing in</title></head>
<body><form method="post" action="{url}">{fields}<noscript><button>Go on</button></noscript></form>
<script>{script}</script></body></html>"""
