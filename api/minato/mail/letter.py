"""How a mail of this installation looks and reads: the product's name on its green, what happened, the way on.

One `Letter` makes both halves of a mail. Its values are escaped here, so they are given as they are; the
`{{ .Variables }}` of a template pass unchanged and are filled in later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

_STYLE = """\
@media (prefers-color-scheme: dark) {
.page { background: #0c1311 !important; color: #e8efeb !important }
.sheet, .rule { border-color: #2b3834 !important }
.sheet { background: #141d1a !important; color: #e8efeb !important }
.quiet { color: #a2b1aa !important }
.quote { background: #1c2724 !important; color: #e8efeb !important; border-color: #6fd0b0 !important }
.button { background: #6fd0b0 !important; color: #06231b !important }
.link { color: #6fd0b0 !important }
}"""
_FONT = "font-family:'Source Sans 3','Source Sans Pro',Helvetica,Arial,sans-serif"
_PAGE = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>{title}</title><style>{style}</style></head>
<body class="page" style="margin:0;padding:24px 12px;background:#f4f6f3;color:#13201b;{font};\
font-size:16px;line-height:1.55">
<div class="sheet" style="max-width:520px;margin:0 auto;background:#ffffff;color:#13201b;border:1px solid #d3dbd5;\
border-radius:6px;overflow:hidden">
<p style="margin:0;padding:14px 28px;background:#0f4a3c;color:#ffffff;font-size:20px;font-weight:700">{product}</p>
<div style="padding:28px">
<h1 style="margin:0 0 12px;font-size:22px;line-height:1.3">{title}</h1>
{body}</div>
<div class="rule quiet" style="padding:16px 28px 20px;border-top:1px solid #d3dbd5;color:#52605a;font-size:14px">
{footer}</div>
</div></body></html>
"""
_PARAGRAPH = '<p style="margin:0 0 16px">{}</p>\n'
_QUOTE = (
    '<div class="quote" dir="auto" style="margin:0 0 16px;padding:12px 16px;background:#f4f6f3;'
    "border-left:4px solid #0f4a3c;"
    'white-space:pre-line;overflow-wrap:anywhere">{}</div>\n'
)
_FACTS = '<table style="width:100%;margin:0 0 16px;border-collapse:collapse">\n{}</table>\n'
_FACT = (
    '<tr><td class="rule quiet" style="padding:7px 12px 7px 0;border-top:1px solid #d3dbd5;color:#52605a;'
    'vertical-align:top;white-space:nowrap">{}</td>'
    '<td class="rule" style="padding:7px 0;border-top:1px solid #d3dbd5;width:100%;overflow-wrap:anywhere">{}</td>'
    "</tr>\n"
)
_ITEM = (
    '<p class="rule" style="margin:0 0 12px;padding:0 0 12px;border-bottom:1px solid #d3dbd5">'
    '<a class="link" href="{}" style="color:#0f4a3c;font-weight:600">{}</a><br>'
    '<span class="quiet" style="color:#52605a">{}</span></p>\n'
)
_BUTTON = (
    '<p style="margin:24px 0 16px"><a class="button" href="{}" style="display:inline-block;padding:12px 22px;'
    'background:#0f4a3c;color:#ffffff;border-radius:4px;font-weight:600;text-decoration:none">{}</a></p>\n'
)
_CODE_LEAD = '<p style="margin:0 0 4px">{}</p>\n'
_CODE = '<p style="margin:0 0 16px;font-size:28px;letter-spacing:6px"><strong>{}</strong></p>\n'
_LINK = '<a class="link" href="{}" style="color:#0f4a3c">{}</a>'
_LINE = '<p style="margin:0 0 6px">{}</p>\n'


@dataclass(frozen=True)
class Way:
    """A link: what it says, where it leads."""

    text: str
    href: str


@dataclass(frozen=True)
class Item:
    """One of several things a mail tells of, with its own page."""

    way: Way
    text: str


@dataclass(frozen=True)
class Letter:
    """What a mail says, in the order it is read. `quote` is somebody's own words, `facts` are named values, `stops` the
    ways to get no more such mails."""

    title: str
    text: str = ""
    quote: str = ""
    facts: Sequence[tuple[str, str]] = ()
    items: Sequence[Item] = ()
    button: Way | None = None
    code_lead: str = ""
    code: str = ""
    after: str = ""
    footer: Sequence[str] = ()
    stops: Sequence[Way] = ()


def letter_html(product: str, letter: Letter) -> str:
    """The mail as a page that can be read in light and in dark; it loads nothing."""
    footer = [_shown(line) for line in letter.footer]
    footer += [_LINK.format(escape(way.href), _shown(way.text)) for way in letter.stops]
    return _PAGE.format(
        title=_shown(letter.title),
        product=_shown(product),
        style=_STYLE,
        font=_FONT,
        body="".join(_parts(letter)),
        footer="".join(map(_LINE.format, footer)),
    )


def _shown(text: str) -> str:
    """Text of an element, where a quotation mark or an apostrophe stays as it is."""
    return escape(text, quote=False)


def _parts(letter: Letter) -> list[str]:
    rows = "".join(_FACT.format(_shown(name), _shown(value)) for name, value in letter.facts)
    button = letter.button
    return [
        _PARAGRAPH.format(_shown(letter.text)) if letter.text else "",
        _QUOTE.format(_shown(letter.quote)) if letter.quote else "",
        _FACTS.format(rows) if rows else "",
        *(_ITEM.format(escape(item.way.href), _shown(item.way.text), _shown(item.text)) for item in letter.items),
        _BUTTON.format(escape(button.href), _shown(button.text)) if button else "",
        _CODE_LEAD.format(_shown(letter.code_lead)) if letter.code_lead else "",
        _CODE.format(_shown(letter.code)) if letter.code else "",
        _PARAGRAPH.format(_shown(letter.after)) if letter.after else "",
    ]


def letter_text(product: str, letter: Letter) -> str:
    """The same for who reads no HTML."""
    parts = [
        letter.title,
        letter.text,
        "\n".join(f"> {line}" for line in letter.quote.splitlines()),
        "\n".join(f"{name}: {value}" for name, value in letter.facts),
        *(f"{item.way.text}\n{item.text}\n{item.way.href}" for item in letter.items),
        f"{letter.button.text}: {letter.button.href}" if letter.button else "",
        f"{letter.code_lead} {letter.code}".strip() if letter.code else "",
        letter.after,
        "\n".join(["-- ", product, *letter.footer, *(f"{way.text}: {way.href}" for way in letter.stops)]),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"
