"""Pages of an administrator's lists: `page` and `per_page` in, X-Total-Count and Link out."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from minato.auth.call import Call
from minato.auth.errors import invalid

FIRST, SIZE = 1, 50
# The largest offset and limit PostgreSQL takes are bigint; pages beyond this are empty anyway.
MOST = 1 << 31


@dataclass(frozen=True)
class Page:
    """The `number`th page, counted from 1, of `size` rows; page 0 is before the first and shows it."""

    number: int
    size: int

    @property
    def offset(self) -> int:
        return max(self.number - 1, 0) * self.size

    def headers(self, call: Call, total: int) -> dict[str, str]:
        """Where the next and the last page are, of `total` rows."""
        last = -(-total // self.size)
        links = [f'<{_url(call, self.number + 1)}>; rel="next"'] if last > self.number else []
        links.append(f'<{_url(call, last)}>; rel="last"')
        return {"X-Total-Count": str(total), "Link": ", ".join(links)}


def requested_page(call: Call) -> Page:
    """The page that the query asks for; 400 when it is not a number."""
    return Page(_number(call, "page", FIRST), max(1, _number(call, "per_page", SIZE)))


def _number(call: Call, name: str, default: int) -> int:
    text = call.query.get(name, "")
    if not text:
        return default
    if not (text.isascii() and text.isdigit()):
        raise invalid(f'Bad Pagination Parameters: strconv.ParseUint: parsing "{text}": invalid syntax')
    if len(text.lstrip("0")) > 20 or int(text) >= 1 << 64:
        raise invalid(f'Bad Pagination Parameters: strconv.ParseUint: parsing "{text}": value out of range')
    return min(int(text), MOST)


def _url(call: Call, page: int) -> str:
    query = {**call.query, "page": str(page)}
    return f"{call.request.url.path}?{urlencode(sorted(query.items()))}"
