"""A mail reads the same with and without HTML, carries the product's name, and takes nobody's words for markup."""

from __future__ import annotations

import re

from minato.auth.messages.mail_templates import DEFAULTS, render_mail
from minato.config.auth import AuthSettings
from minato.mail.letter import Item, Letter, Way, letter_html, letter_text

LETTER = Letter(
    title="New message from <Anna>",
    text="Anna has written to you:",
    quote="Is it sold?\n<script>alert(1)</script>",
    facts=[("Car", "Toyota & Aqua")],
    items=[Item(Way("An <offer>", "https://minato.example/a?b=1&c=2"), "$5,000")],
    button=Way("Read", "https://minato.example/read"),
    footer=["Sent by Minato"],
    stops=[Way("Choose which mails you get", "https://minato.example/settings")],
)


def test_what_people_wrote_is_text() -> None:
    html = letter_html("Minato & Co", LETTER)
    assert "<script>" not in html
    assert "New message from &lt;Anna&gt;" in html
    assert "Minato &amp; Co" in html
    assert 'href="https://minato.example/a?b=1&amp;c=2"' in html


def test_both_halves_say_the_same() -> None:
    html, text = letter_html("Minato", LETTER), letter_text("Minato", LETTER)
    for part in ("Toyota", "$5,000", "https://minato.example/read", "Choose which mails you get", "Sent by Minato"):
        assert part in html
        assert part in text
    assert "> Is it sold?" in text
    assert "Car: Toyota & Aqua" in text


def test_a_mail_loads_nothing_and_can_be_read_in_the_dark() -> None:
    html = letter_html("Minato", LETTER)
    assert re.search(r"(src|@import|url\()", html) is None
    assert "prefers-color-scheme: dark" in html
    assert 'name="color-scheme" content="light dark"' in html


def test_every_mail_about_an_account_says_whose_it_is_and_who_got_it() -> None:
    variables = {"AppName": "Minato", "SiteURL": "https://minato.example", "SendingTo": "anna@example.com"}
    for kind in DEFAULTS:
        _subject, html = render_mail(kind, AuthSettings(), variables)
        assert "Sent to anna@example.com by Minato, https://minato.example" in html
        assert "{{" not in html
        assert "#18181b" not in html


def test_a_mail_that_wants_an_answer_offers_its_link_and_its_code() -> None:
    variables = {"AppName": "Minato", "ConfirmationURL": "https://minato.example/go", "Token": "123456"}
    _subject, html = render_mail("confirmation", AuthSettings(), variables)
    assert 'href="https://minato.example/go"' in html
    assert "123456" in html
    assert "finish signing up" in html
    assert "Minato" in html
