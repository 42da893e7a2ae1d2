"""What a test suite does first: reads the variables, asks the API and the mailbox. Nothing but Python is needed."""

from __future__ import annotations

import json
import os
import urllib.request


def ask(address: str) -> object:
    request = urllib.request.Request(address, headers={"apikey": os.environ["ANON_KEY"]})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


assert "external" in dict(ask(os.environ["API_URL"] + "/auth/v1/settings"))
assert "paths" in dict(ask(os.environ["REST_URL"] + "/"))
assert dict(ask(os.environ["MAILPIT_URL"] + "/api/v1/messages"))["messages"] == []
