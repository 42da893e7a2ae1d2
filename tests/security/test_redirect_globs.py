"""The globs of the redirect allow list mean what they mean to the reference.

`tests/fixtures/redirect_globs.json` is what gobwas/glob 0.2.3 (separators `.` and `/`, as GoTrue compiles them) says of
415 patterns, written down and drawn by lot, and 59 URLs: a digit for each URL, or `error` where it takes no such one.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

from minato.auth.wire.redirects import is_allowed, matches

KNOWN = json.loads((Path(__file__).parents[1] / "fixtures" / "redirect_globs.json").read_text())
SITE = "https://site.test"
APP = "https://app.example.com/"
# The library contradicts itself in these: what is left of `***` matches too little, alternatives with wildcards are cut
# short, characters beyond ASCII count as bytes, and `/**/` takes one slash for two. Here they are read as written.
CONTRADICTED = {
    *(APP + rest for rest in ("***?", "***{a,b}", "*{{a,b},c}***", "^***", "a***", "b*{a,}")),
    *(APP + rest for rest in ("?{*.x,y}", "b{*.x,y}", "{***{**/a,b}}", "{**/a,b}", "{*.x,y}", "{*.x,y}**", "{a*,b?}")),
    *(APP + rest for rest in ("?ä", "[!x]x", "[ä-ü]")),
    *(APP + rest for rest in ("**/", "**/x")),
}


def test_a_glob_allows_what_the_reference_allows_and_no_more() -> None:
    for pattern, said in KNOWN["patterns"].items():
        expected = [
            said != "error" and digit == "1" for digit in (said if said != "error" else "0" * len(KNOWN["urls"]))
        ]
        found = [is_allowed(url, SITE, [pattern]) for url in KNOWN["urls"]]
        assert (found == expected) == (pattern not in CONTRADICTED), pattern


def test_a_malformed_glob_allows_nothing() -> None:
    malformed = [pattern for pattern, said in KNOWN["patterns"].items() if said == "error"]
    assert len(malformed) > 50
    for pattern in malformed:
        assert not any(is_allowed(url, SITE, [pattern]) for url in [*KNOWN["urls"], pattern])


def test_no_glob_whatever_crosses_a_separator_without_two_stars() -> None:
    """Drawn by lot: without `**` a match has the separators of its pattern, in number and order."""
    lot = random.Random(14)
    pieces = ["*", "?", "a", "b", ".", "/", "[ab]", "[a-c]", "[^b]", "\\*", "ä"]
    for _ in range(3000):
        chosen = [lot.choice(pieces) for _ in range(lot.randint(1, 8))]
        pattern = "".join(one for at, one in enumerate(chosen) if one != "*" or chosen[at - 1 : at] != ["*"])
        text = "".join(lot.choice("ab./ä*^") for _ in range(lot.randint(0, 8)))
        if matches(pattern, text):
            assert [one for one in text if one in "./"] == [one for one in pattern if one in "./"], (pattern, text)
