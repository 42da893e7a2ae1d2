"""From the bytes of a file to its rows: encoding, separator, quotes and the names of the columns."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

MOST_ROWS: Final = 5_000
MOST_BYTES: Final = 2 * 1024 * 1024
_SEPARATORS: Final = (",", ";", "\t")
_BYTE_ORDER_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_WORKBOOKS: Final = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"%PDF")
# Two Japanese characters side by side. One alone is what an accent and the letter behind it look like in Shift-JIS.
_JAPANESE: Final = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uff66-\uff9f]{2}")

# The column of agent_posts, then the names that lists give it.
_NAMES: Final = {
    "stock_no": "stock no, stock number, stock, stock id, ref no, ref, reference, reference no, 在庫番号, 管理番号",
    "car_name": "make, maker, brand, manufacturer, car name, marque, hersteller, メーカー, メーカー名",
    "model": "model, model name, car model, modell, modele, modelo, 車名, 車種, モデル",
    "variant": "variant, grade, trim, version, グレード",
    "year": "year, model year, year of manufacture, registration year, baujahr, annee, 年式, 年",
    "mileage_km": "mileage, mileage km, km, kms, kilometers, kilometres, odometer, odometer km, 走行距離, 走行",
    "cnf_price": "price, price us$, price usd, cnf, cnf price, cnf price us$, cnf price usd, c&f price, 価格, 販売価格",
    "engine_size": "engine, engine size, engine cc, cc, displacement, 排気量",
    "transmission": "transmission, gearbox, gear, mission, ミッション, 変速機, トランスミッション",
    "fuel_type": "fuel, fuel type, 燃料",
    "drivetrain": "drivetrain, drive, drive type, wheel drive, 駆動, 駆動方式",
    "color": "color, colour, exterior color, exterior colour, body color, body colour, 色, カラー, 車体色",
    "body": "body, body type, body style, shape, ボディタイプ, ボディ",
    "condition": "condition, state, 状態",
    "location": "location, city, port, yard, 所在地, 保管場所",
    "availability_status": "status, availability, availability status, ステータス",
    "auction_date": "auction date, auction, auction day, オークション日, 開催日",
    "features": "features, equipment, options, 装備",
    "description": "description, comment, comments, remarks, notes, 備考, 説明",
    "image_urls": "photos, photo, pictures, images, image, image url, image urls, photo urls, 画像, 写真",
}


class Refused(Exception):
    """A file that is not read: `code` for programs, `text` for people, `status` for HTTP."""

    def __init__(self, code: str, text: str, status: int = 422) -> None:
        super().__init__(text)
        self.code, self.text, self.status = code, text, status


@dataclass(frozen=True)
class Heading:
    """A column of the file; `column` is the one of agent_posts, None where it means nothing to us."""

    name: str
    column: str | None


@dataclass(frozen=True)
class StockList:
    """What a file says: rows with the number that a spreadsheet gives them, cells by the column of agent_posts."""

    encoding: str
    headings: Sequence[Heading]
    rows: Sequence[tuple[int, dict[str, str]]]


def read_list(content: bytes) -> StockList:
    """The rows of a CSV file. Raises `Refused`."""
    if len(content) > MOST_BYTES:
        raise Refused("too_large", "The file is larger than 2 MB. Split it and import the parts one by one.", 413)
    text, encoding = _decoded(content)
    records = _records(text)
    first = next(records, None)
    if first is None:
        raise Refused("empty", "The file is empty.")
    headings = _headings(first[1])
    rows = [(number, _cells(headings, record)) for number, record in records]
    if not rows:
        raise Refused("empty", "The file has a line with the names of the columns, and no cars below it.")
    if len(rows) > MOST_ROWS:
        raise Refused("too_many_rows", f"The file has {len(rows):,} cars; at most {MOST_ROWS:,} at a time.", 413)
    return StockList(encoding, headings, rows)


def _decoded(content: bytes) -> tuple[str, str]:
    if content.startswith(_WORKBOOKS):
        raise Refused(
            "not_csv", "This is a workbook or a PDF, not a CSV file. Save it as CSV and choose that file.", 415
        )
    marked = next((name for mark, name in _BYTE_ORDER_MARKS if content.startswith(mark)), None)
    text, encoding = next(
        (text, name)
        for name in ([marked] if marked else []) + ["utf-8", "cp932", "cp1252", "latin-1"]
        if (text := _as(content, name)) is not None
    )
    if "\x00" in text:
        raise Refused("not_csv", "This is not a CSV file. Save the list as CSV and choose that file.", 415)
    return text, encoding.removesuffix("-sig")


def _as(content: bytes, encoding: str) -> str | None:
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        return None
    return None if encoding == "cp932" and not _JAPANESE.search(text) else text


def _records(text: str) -> Iterator[tuple[int, list[str]]]:
    """The records that are not blank, with their numbers from 1 on, separated by what gives the most known columns."""
    try:
        ways = [_split(text, separator) for separator in _SEPARATORS]
    except csv.Error as error:
        raise Refused(
            "not_csv", "This CSV file cannot be read: a cell is too long, or a quote is not closed."
        ) from error
    fullest = max(ways, key=_known_columns)
    return iter(fullest)


def _split(text: str, separator: str) -> list[tuple[int, list[str]]]:
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True)
    filled = [(n, record) for n, record in enumerate(lines, 1) if any(cell.strip() for cell in record)]
    # Excel's way to name the separator, on a line of its own.
    return filled[1:] if filled and re.fullmatch("sep=.?", "".join(filled[0][1]).strip()) else filled


def _known_columns(records: list[tuple[int, list[str]]]) -> int:
    return sum(_plain(name) in _COLUMNS for name in records[0][1]) if records else 0


def _plain(name: str) -> str:
    """'CNF Price (US$)' and 'cnf_price us' are one name."""
    return "".join(sign for sign in unicodedata.normalize("NFKC", name).casefold() if sign.isalnum())


_COLUMNS: Final = {_plain(name): column for column, names in _NAMES.items() for name in (column, *names.split(","))}


def _headings(names: Sequence[str]) -> list[Heading]:
    """Raises `Refused` where a column that every car needs is missing, or two mean the same."""
    headings = [Heading(name.strip(), _COLUMNS.get(_plain(name))) for name in names]
    for column, called in (("car_name", "Brand"), ("model", "Model")):
        if not any(heading.column == column for heading in headings):
            raise Refused("missing_column", f"The first line must name the columns, and none is called {called}.")
    for place, heading in enumerate(headings):
        twin = next((each for each in headings[:place] if heading.column and each.column == heading.column), None)
        if twin:
            raise Refused("same_column", f"The columns {twin.name} and {heading.name} mean the same. Keep one of them.")
    return headings


def _cells(headings: Sequence[Heading], record: Sequence[str]) -> dict[str, str]:
    return {heading.column: cell.strip() for heading, cell in zip(headings, record, strict=False) if heading.column}
