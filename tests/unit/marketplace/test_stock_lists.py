"""Stock lists of agents: which files are read, what cells mean, which rows are the same car."""

from __future__ import annotations

import pytest
from stock_lists.checking import CheckedRow, check_rows, counts
from stock_lists.reading import Refused, read_list
from stock_lists.values import Value, Wrong, value_of

HEAD = "Stock No,Make,Model,Year,Mileage,Price\n"


def cells_of(content: bytes) -> list[dict[str, str]]:
    return [cells for _, cells in read_list(content).rows]


def refusal(content: bytes) -> tuple[str, int]:
    with pytest.raises(Refused) as raised:
        read_list(content)
    return raised.value.code, raised.value.status


def checked(text: str, known: set[str] | None = None) -> list[CheckedRow]:
    return check_rows(read_list(text.encode()).rows, known or set())


def problems(row: CheckedRow) -> list[tuple[str, str]]:
    return [(problem.column, problem.text) for problem in row.problems]


@pytest.mark.parametrize(
    ("encoding", "told", "city"),
    [
        ("utf-8", "utf-8", "横浜"),
        ("utf-8-sig", "utf-8", "横浜"),
        ("utf-16", "utf-16", "横浜"),
        ("cp932", "cp932", "横浜"),
        ("latin-1", "cp1252", "Málaga"),
        ("cp1252", "cp1252", "Dealer’s yard"),
        ("utf-8", "utf-8", "Citroën"),
        ("latin-1", "cp1252", "Citroën"),
    ],
)
def test_every_usual_encoding_is_read(encoding: str, told: str, city: str) -> None:
    found = read_list(f"Make,Model,Location\nToyota,Aqua,{city}\n".encode(encoding))
    assert found.encoding == told
    assert found.rows[0][1]["location"] == city


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_usual_separator_and_line_end_is_read(separator: str, end: str) -> None:
    lines = [separator.join(cells) for cells in (("Make", "Model", "Price"), ("Toyota", '"Aqua, S; ""G"""', "4900"))]
    assert cells_of(end.join(lines).encode()) == [{"car_name": "Toyota", "model": 'Aqua, S; "G"', "cnf_price": "4900"}]


def test_the_separator_may_be_named_as_excel_does_and_rows_keep_the_numbers_of_the_sheet() -> None:
    found = read_list(b'sep=;\r\nMake;Model;Notes\r\n\r\nToyota;Aqua;"two\r\nlines"\r\n;;\r\nMazda;Demio;\r\n')
    assert [(number, cells["car_name"]) for number, cells in found.rows] == [(4, "Toyota"), (6, "Mazda")]


def test_columns_are_known_by_many_names_and_others_are_told_of() -> None:
    found = read_list("REF. NO,メーカー,車名,年式,走行距離,CNF Price (US$),Colour,FOB\n1,a,b,2017,5,7,Red,9\n".encode())
    assert [heading.column for heading in found.headings] == [
        "stock_no", "car_name", "model", "year", "mileage_km", "cnf_price", "color", None,
    ]  # fmt: skip
    assert "9" not in found.rows[0][1].values()


@pytest.mark.parametrize(
    ("content", "code", "status"),
    [
        (b"", "empty", 422),
        (b"\n , \n", "empty", 422),
        (b"Make,Model\n", "empty", 422),
        (b"Toyota,Aqua\nMazda,Demio\n", "missing_column", 422),
        (b"Make,Price\nToyota,1\n", "missing_column", 422),
        (b"Make,Brand,Model\na,b,c\n", "same_column", 422),
        (b"PK\x03\x04 a workbook", "not_csv", 415),
        (b"%PDF-1.7", "not_csv", 415),
        (b"Make,Model\n\x00,\x00", "not_csv", 415),
        (b"Make,Model\nToyota," + b"a" * 200_000, "not_csv", 422),
        (b"Make,Model\n" + b"a" * 2 * 1024 * 1024, "too_large", 413),
        (b"Make,Model\n" + b"a,b\n" * 5_001, "too_many_rows", 413),
    ],
)
def test_a_file_that_is_no_list_is_refused_with_a_reason(content: bytes, code: str, status: int) -> None:
    assert refusal(content) == (code, status)


def test_a_list_as_long_as_allowed_is_read() -> None:
    assert len(read_list(b"Make,Model\n" + b"a,b\n" * 5_000).rows) == 5_000


@pytest.mark.parametrize(
    ("column", "cell", "value"),
    [
        ("year", "2017", 2017),
        ("year", "２０１７年", 2017),
        ("year", "2017/03", 2017),
        ("year", "2017.0", 2017),
        ("mileage_km", "85,000 km", 85_000),
        ("mileage_km", "85.000", 85_000),
        ("mileage_km", "８５０００㎞", 85_000),
        ("mileage_km", "0", 0),
        ("cnf_price", "$4,900", 4900.0),
        ("cnf_price", "USD 4.900,50", 4900.5),
        ("cnf_price", "1,234,567.89", 1_234_567.89),
        ("cnf_price", "4900,5", 4900.5),
        ("cnf_price", "ASK", None),
        ("cnf_price", "", None),
        ("auction_date", "2026-11-25", "2026-11-25"),
        ("auction_date", "2026年11月5日", "2026-11-05"),
        ("auction_date", "25.11.2026", "2026-11-25"),
        ("availability_status", "Reserved", "pending"),
        ("availability_status", "sold out", "sold"),
        ("body", "Station Wagon", "wagon"),
        ("features", "Sunroof; Navigation |  ", ["Sunroof", "Navigation"]),
        ("image_urls", "https://a.example/1.jpg, https://a.example/2.jpg", ["https://a.example/1.jpg", "https://a.example/2.jpg"]),
        ("color", "", None),
    ],
)  # fmt: skip
def test_cells_mean_what_people_mean_by_them(column: str, cell: str, value: Value) -> None:
    assert value_of(column, cell) == value


@pytest.mark.parametrize(
    ("column", "cell", "said"),
    [
        ("year", "17", "is not a year"),
        ("year", "1899", "is not a year"),
        ("mileage_km", "52,000 miles", "is in miles"),
        ("mileage_km", "-5", "is not a mileage"),
        ("mileage_km", "12.5", "is not a mileage"),
        ("mileage_km", "3,000,000", "is not a mileage"),
        ("cnf_price", "¥490000", "is not in US dollars"),
        ("cnf_price", "cheap", "is not a price"),
        ("cnf_price", "-1", "is not a price"),
        ("cnf_price", "1e5", "is not a price"),
        ("cnf_price", "NaN", "is not a price"),
        ("cnf_price", "9" * 40, "is not a price"),
        ("mileage_km", "1" + " " * 100_000 + "x", "is longer than 120 characters"),
        ("cnf_price", "100000001", "is more than"),
        ("auction_date", "03/04/2026", "is not a day"),
        ("auction_date", "2026-02-30", "is not a day"),
        ("availability_status", "gone", "is not a status"),
        ("body", "boat", "is not a body type"),
        ("model", "a" * 121, "is longer than 120 characters"),
        ("stock_no", "a" * 31, "is longer than 30 characters"),
        ("image_urls", "javascript:alert(1)", "is not the address of a picture"),
        ("image_urls", "http://a.example/1.jpg", "is not the address of a picture"),
        ("image_urls", "https://me:secret@a.example/1.jpg", "is not the address of a picture"),
        ("image_urls", " ".join(["https://a.example/1.jpg"] * 21), "names 21 pictures"),
    ],
)
def test_a_cell_that_cannot_be_taken_is_refused_in_words(column: str, cell: str, said: str) -> None:
    with pytest.raises(Wrong, match=said):
        value_of(column, cell)


def test_a_row_tells_of_everything_that_is_wrong_at_once() -> None:
    (row,) = checked(f"{HEAD}A1,,,soon,far,4900\n")
    assert row.state == "wrong"
    assert [column for column, _ in problems(row)] == ["year", "mileage_km", "car_name", "model"]


def test_a_row_whose_stock_number_the_agent_has_is_there_and_of_two_equal_ones_the_second_is_wrong() -> None:
    rows = checked(f"{HEAD}A1,Toyota,Aqua\nA2,Toyota,Aqua\nA2,Mazda,Demio\n", {"A1"})
    assert [row.state for row in rows] == ["there", "new", "wrong"]
    assert problems(rows[2]) == [("stock_no", "Row 3 has the same stock number.")]
    assert counts(rows) == {"new": 1, "there": 1, "wrong": 1, "added": 0, "failed": 0}


def test_without_stock_numbers_a_car_is_known_by_what_it_is_and_not_by_its_price() -> None:
    (before, twin) = checked("Make,Model,Year,Mileage,Price\nToyota,Aqua,2017,85000,4900\nTOYOTA,Aqua,2017,85000,1\n")
    (after,) = checked('Make,Model,Year,Mileage,Price\nToyota,Aqua,2017,"85,000 km",5100\n', {before.stock_no})
    (other,) = checked("Make,Model,Year,Mileage\nToyota,Aqua,2017,85001\n", {before.stock_no})
    assert (twin.state, after.state, other.state) == ("wrong", "there", "new")
    assert problems(twin) == [("stock_no", "Row 2 says the same car.")]
    assert len(before.stock_no) <= 30


def test_a_short_row_leaves_the_rest_open_and_a_car_is_available_unless_it_says_otherwise() -> None:
    (row,) = checked(f"{HEAD}A1,Toyota,Aqua\n")
    assert {name: value for name, value in row.offer.items() if value is not None} == {
        "stock_no": "A1",
        "car_name": "Toyota",
        "model": "Aqua",
        "availability_status": "available",
    }


def test_the_first_picture_is_the_cover() -> None:
    (row,) = checked("Make,Model,Photos\nToyota,Aqua,https://a.example/1.jpg https://a.example/2.jpg\n")
    assert row.offer["image_url"] == "https://a.example/1.jpg"
