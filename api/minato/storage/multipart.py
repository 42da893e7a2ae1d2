"""Reads a multipart form as it arrives: the fields before the file, then the file piece by piece."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from minato.storage.errors import StorageError, invalid_request

MAX_FIELDS = 10
MAX_FIELD_BYTES = 1024 * 1024
UNEXPECTED_END = "Unexpected end of form"


@dataclass
class FilePart:
    """The fields that came before the file, the file's declared type, and its bytes."""

    fields: dict[str, bytes]
    content_type: str | None
    chunks: AsyncIterator[bytes]


async def open_form(content_type: str, body: AsyncIterator[bytes]) -> FilePart:
    """The first file of a form; what follows it is read past. Raises InvalidRequest on anything that is no form."""
    events = _Events(content_type, body)
    fields: dict[str, bytes] = {}
    async for headers in events.parts():
        name, is_file = _describe(headers)
        if is_file:
            return FilePart(fields, headers.get("content-type"), events.data())
        if len(fields) == MAX_FIELDS:
            raise invalid_request("fields limit reached")
        fields[name] = await _read_field(events)
    raise invalid_request("No content provided")


def _describe(headers: dict[str, str]) -> tuple[str, bool]:
    _, options = parse_options_header(headers.get("content-disposition"))
    name = options.get(b"name", b"").decode("utf-8", "replace")
    return name, b"filename" in options or headers.get("content-type") == "application/octet-stream"


async def _read_field(events: _Events) -> bytes:
    value = bytearray()
    async for chunk in events.data():
        value += chunk
        if len(value) > MAX_FIELD_BYTES:
            message = "The user_metadata exceeded the maximum allowed size"
            raise StorageError(413, "EntityTooLarge", message, "Payload too large")
    return bytes(value)


class _Events:
    """The parser's callbacks as something to iterate over."""

    def __init__(self, content_type: str, body: AsyncIterator[bytes]) -> None:
        boundary = parse_options_header(content_type)[1].get(b"boundary")
        if not boundary:
            raise invalid_request("Multipart: Boundary not found")
        self._body = body
        self._queue: deque[tuple[str, object]] = deque()
        self._headers: dict[str, str] = {}
        self._field, self._value = bytearray(), bytearray()
        self._ended = False
        try:
            self._parser = MultipartParser(boundary, self._callbacks())
        except FormParserError as error:
            raise invalid_request(str(error)) from None

    def _callbacks(self) -> Any:
        return {
            "on_header_field": lambda data, start, end: self._field.extend(data[start:end]),
            "on_header_value": lambda data, start, end: self._value.extend(data[start:end]),
            "on_header_end": self._end_header,
            "on_headers_finished": self._end_headers,
            "on_part_data": lambda data, start, end: self._queue.append(("data", data[start:end])),
            "on_part_end": lambda: self._queue.append(("end", None)),
            "on_end": self._end,
        }

    def _end_header(self) -> None:
        self._headers[self._field.decode("latin-1").lower()] = self._value.decode("latin-1")
        self._field.clear()
        self._value.clear()

    def _end_headers(self) -> None:
        self._queue.append(("headers", self._headers))
        self._headers = {}

    def _end(self) -> None:
        self._ended = True

    async def parts(self) -> AsyncIterator[dict[str, str]]:
        """The headers of each part; its data is to be read before the next."""
        while (event := await self._next()) is not None:
            if event[0] == "headers":
                yield event[1]

    async def data(self) -> AsyncIterator[bytes]:
        """The bytes of the part whose headers came last. Raises when the form ends inside it."""
        while (event := await self._next()) is not None:
            if event[0] == "end":
                return
            yield event[1]
        raise invalid_request(UNEXPECTED_END)

    async def _next(self) -> tuple[str, Any] | None:
        while not self._queue:
            chunk = await anext(self._body, None)
            if chunk is None:
                if not self._ended:
                    raise invalid_request(UNEXPECTED_END)
                return None
            try:
                self._parser.write(chunk)
            except FormParserError as error:
                raise invalid_request(str(error)) from None
        return self._queue.popleft()
