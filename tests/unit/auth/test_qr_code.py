"""The QR code that shares a secret, as a page shows it: supabase-js puts its source behind `data:image/svg+xml`."""

from __future__ import annotations

from urllib.parse import urlsplit
from xml.etree import ElementTree

import segno
from minato.auth.factors.totp import otpauth_uri, qr_svg

PREFIX = "data:image/svg+xml;utf-8,"
TEXT = otpauth_uri("app.example", "anna@example.com", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")


def image() -> ElementTree.Element:
    return ElementTree.fromstring(qr_svg(TEXT))


def test_the_source_is_whole_in_a_data_url() -> None:
    address = urlsplit(PREFIX + qr_svg(TEXT))
    assert (address.fragment, address.query) == ("", "")
    assert address.geturl().endswith("</svg>")
    assert "%" not in address.path


def test_it_is_black_on_white_whatever_the_page_is() -> None:
    fills = [part.get("fill") or part.get("stroke") for part in image().iter() if part.tag.endswith("path")]
    assert fills == ["white", "black"]


def test_it_is_as_large_as_the_one_of_gotrue() -> None:
    modules = segno.make(TEXT, error="h").symbol_size(border=0)[0]
    assert image().get("width") == image().get("height") == str((modules + 8) * 3)
