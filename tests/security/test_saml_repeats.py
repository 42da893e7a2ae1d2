"""An assertion that nobody asked for is good once for as long as it says, whatever is cleaned up meanwhile."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from minato.auth.request.context import ROLE
from minato.auth.rows.cleanup import Cleanup

from tests.integration.auth.oauth.test_single_sign_on import enter
from tests.security.test_saml_attacks import PERSON, form_of, guild, outcome, unrequested
from tests.support.server import Minato

__all__ = ["guild"]

ENDS = re.compile(r'NotOnOrAfter="[^"]*"')
CONFIRMATION = re.compile(r"<a:SubjectConfirmation .*?</a:SubjectConfirmation>", re.S)


def lasting(xml: str, ends: str, soon: str) -> str:
    """The assertion until `ends`; with `soon` another confirmation, which ends then, stands before the one it has."""
    long = ENDS.sub(f'NotOnOrAfter="{ends}"', xml)
    short = ENDS.sub(f'NotOnOrAfter="{soon}"', CONFIRMATION.findall(xml)[0]) if soon else ""
    return long.replace("<a:SubjectConfirmation ", f"{short}<a:SubjectConfirmation ", 1)


@pytest.mark.parametrize("has_short_confirmation", [False, True])
async def test_an_assertion_that_is_good_for_days_serves_once_in_all_of_them(
    guild: Minato, has_short_confirmation: bool
) -> None:
    idp, _ = await enter(guild)
    backend = guild.backend
    ends, soon = (f"{backend.clock.now() + timedelta(hours=hours):%Y-%m-%dT%H:%M:%SZ}" for hours in (80, 1))
    idp.edit = lambda xml: lasting(xml, ends, soon if has_short_confirmation else "")
    form = form_of(unrequested(guild, idp))
    assert await outcome(guild, form) == PERSON
    for _ in range(3):
        backend.clock.advance(timedelta(hours=25))
        await Cleanup(backend.settings.auth, backend.database.engine(ROLE), backend.clock).run()
        assert await outcome(guild, form) == "refused"
