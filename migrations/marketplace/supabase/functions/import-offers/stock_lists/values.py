"""From what a cell says to the value of its column; what cannot be is refused in words for the person who wrote it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from functools import partial
from typing import Final

Value = str | int | float | list[str] | None

_BODIES: Final = {
    "kei": "kei", "keicar": "kei", "軽": "kei", "軽自動車": "kei",
    "hatch": "hatch", "hatchback": "hatch",
    "sedan": "sedan", "saloon": "sedan", "セダン": "sedan",
    "wagon": "wagon", "estate": "wagon", "stationwagon": "wagon", "ワゴン": "wagon",
    "coupe": "coupe", "coupé": "coupe", "convertible": "coupe", "クーペ": "coupe",
    "suv": "suv", "crossover": "suv", "4x4": "suv",
    "van": "van", "minivan": "van", "mpv": "van", "ミニバン": "van", "バン": "van",
    "truck": "truck", "pickup": "truck", "トラック": "truck",
    "bus": "bus", "minibus": "bus", "バス": "bus",
    "other": "other", "その他": "other",
}  # fmt: skip
_STATUSES: Final = {
    "available": "available", "instock": "available", "stock": "available", "forsale": "available",
    "販売中": "available",
    "pending": "pending", "reserved": "pending", "hold": "pending", "onhold": "pending", "商談中": "pending",
    "sold": "sold", "soldout": "sold", "売約済": "sold", "売約済み": "sold",
}  # fmt: skip
_NO_PRICE: Final = {"", "-", "ask", "askforprice", "asktheprice", "poa", "onrequest", "tba", "応談"}
_DAY_FIRST: Final = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_YEAR_FIRST: Final = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T ].*)?")
_AMOUNT: Final = re.compile(r"\d+(?:\.\d{1,2})?")
# 4,900 and 4.900 are thousands: no list gives a price to a tenth of a cent.
_GROUPED: Final = re.compile(r"\d{1,3}(?:([,.' \u00a0])\d{3})(?:\1\d{3})*(?:[.,]\d{1,2})?")
_PICTURE: Final = re.compile(r"https://[^\s\\<>\"/?#@:]+(?::\d{1,5})?(?:[/?#][^\s\\]*)?", re.IGNORECASE)
_MOST_PICTURES: Final = 20


class Wrong(ValueError):
    """A cell that is not taken, and why: text for people."""


def value_of(column: str, cell: str) -> Value:
    """The value of a cell; None of an empty one. Raises `Wrong`."""
    return _READERS[column](cell)


def _text(most: int, cell: str) -> str | None:
    if len(cell) > most:
        raise Wrong(f"is longer than {most:,} characters.")
    return cell or None


def _year(cell: str) -> int | None:
    said = re.fullmatch(r"(\d{4})(?:年|\.0)?(?:[-/.]?\d{1,2}(?:[-/.]\d{1,2})?月?)?", _narrow(cell))
    if not cell:
        return None
    if not said or not 1950 <= int(said[1]) <= 2100:
        raise Wrong(f"“{_short(cell)}” is not a year. Write it as 2017.")
    return int(said[1])


def _mileage(cell: str) -> int | None:
    said = _narrow(cell).casefold()
    if said in ("", "-", "unknown"):
        return None
    if re.search(r"\d\s*(?:mi|mls?|miles?)\.?$", said):
        raise Wrong(f"“{_short(cell)}” is in miles. Write kilometres.")
    amount = _number(re.sub(r"\s*(?:kms?|㎞|キロ)\.?$", "", said))
    if amount is None or amount != amount.to_integral_value() or amount > 2_000_000:
        raise Wrong(f"“{_short(cell)}” is not a mileage. Write kilometres, such as 85000.")
    return int(amount)


def _price(cell: str) -> float | None:
    said = _narrow(cell).casefold()
    if said.replace(" ", "") in _NO_PRICE:
        return None
    if re.search(r"[¥€£円]|\b(?:jpy|yen|eur|gbp)\b", said):
        raise Wrong(f"“{_short(cell)}” is not in US dollars.")
    amount = _number(re.sub(r"^(?:usd|us\s?\$|\$)\s*|\s*(?:usd|us\s?\$|\$)$", "", said))
    if amount is None:
        raise Wrong(f"“{_short(cell)}” is not a price. Write US dollars, such as 4900.")
    if amount > 100_000_000:
        raise Wrong("is more than 100,000,000 US dollars.")
    return float(amount)


def _number(said: str) -> Decimal | None:
    """A number that is not negative, with thousands as any country writes them."""
    if _GROUPED.fullmatch(said):
        mark = next(sign for sign in said if not sign.isdigit())
        said = said.replace(mark, "")
    said = said.replace(",", ".")
    return Decimal(said) if _AMOUNT.fullmatch(said) and len(said) < 20 else None


def _day(cell: str) -> str | None:
    said = _narrow(cell)
    if said in ("", "-"):
        return None
    parts = year_first.groups() if (year_first := _YEAR_FIRST.fullmatch(said)) else ()
    if day_first := _DAY_FIRST.fullmatch(said):
        parts = day_first.groups()[::-1]
    try:
        year, month, day = map(int, parts)
        return date(year, month, day).isoformat()
    except ValueError:
        raise Wrong(f"“{_short(cell)}” is not a day. Write it as 2026-12-31.") from None


def _code(codes: dict[str, str], what: str, cell: str) -> str | None:
    if not cell:
        return None
    code = codes.get(re.sub(r"[\s_-]", "", _narrow(cell).casefold()))
    if code is None:
        raise Wrong(f"“{_short(cell)}” is not a {what}. Write one of: {', '.join(dict.fromkeys(codes.values()))}.")
    return code


def _features(cell: str) -> list[str] | None:
    parts = [part.strip() for part in re.split(r"[,;|/\n、]", cell) if part.strip()]
    if len(parts) > 500 or sum(map(len, parts)) > 5_000:
        raise Wrong("is longer than 5,000 characters.")
    return parts or None


def _pictures(cell: str) -> list[str] | None:
    addresses = re.split(r"[\s|;]+|,\s*(?=https?:)", cell) if cell else []
    addresses = [address for address in addresses if address]
    if len(addresses) > _MOST_PICTURES:
        raise Wrong(f"names {len(addresses)} pictures; at most {_MOST_PICTURES}.")
    for address in addresses:
        if len(address) > 2_048 or not _PICTURE.fullmatch(address):
            raise Wrong(f"“{_short(address)}” is not the address of a picture, such as https://example.com/a.jpg.")
    return addresses or None


def _narrow(cell: str) -> str:
    """Full-width digits and letters, as Japanese lists have them, in the usual ones. Short, for patterns read it."""
    if len(cell) > 120:
        raise Wrong("is longer than 120 characters.")
    return unicodedata.normalize("NFKC", cell).strip()


def _short(cell: str) -> str:
    return cell if len(cell) <= 40 else f"{cell[:39]}…"


_READERS: Final[dict[str, Callable[[str], Value]]] = {
    **{
        column: partial(_text, 120)
        for column in (
            "car_name", "model", "variant", "engine_size", "transmission", "fuel_type", "drivetrain", "color",
            "condition", "location",
        )
    },
    "stock_no": partial(_text, 30),
    "description": partial(_text, 5_000),
    "year": _year,
    "mileage_km": _mileage,
    "cnf_price": _price,
    "auction_date": _day,
    "body": partial(_code, _BODIES, "body type"),
    "availability_status": partial(_code, _STATUSES, "status"),
    "features": _features,
    "image_urls": _pictures,
}  # fmt: skip
COLUMNS: Final = tuple(_READERS)
