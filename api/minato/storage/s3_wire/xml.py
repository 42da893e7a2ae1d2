"""The small part of XML that S3 speaks: elements and text. No document type, so no entity ever expands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from xml.parsers.expat import ExpatError, ParserCreate
from xml.sax.saxutils import escape

from minato.http.asgi import Header

XML: Header = (b"content-type", b"application/xml; charset=utf-8")
NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/"
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
UNSAYABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
DEEPEST = 8
# Ten thousand parts have fifty thousand, with number, tag and two checksums each. Elements cost a hundred times what
# their bytes do, and nobody else is served while they are read.
MOST_ELEMENTS = 60_000


@dataclass
class Element:
    """An element without its namespace and attributes."""

    name: str
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def all(self, name: str) -> list[Element]:
        """The children of this name."""
        return [child for child in self.children if child.name == name]

    def find(self, name: str) -> str | None:
        """The text of the first child of this name."""
        return next((child.text for child in self.children if child.name == name), None)


class NotXml(Exception):
    """A text that is not well-formed, or more than S3 needs."""


def parse_xml(content: bytes) -> Element:
    """The root element. Raises NotXml."""
    reader = _Reader()
    parser = ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.data
    parser.StartDoctypeDeclHandler = reader.doctype
    try:
        parser.Parse(content, True)
    except (ExpatError, ValueError, LookupError) as error:
        raise NotXml(str(error)) from None
    return reader.root.children[0]


class _Reader:
    def __init__(self) -> None:
        self.root = Element("")
        self._open = [self.root]
        self._left = MOST_ELEMENTS

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._open) > DEEPEST:
            raise NotXml("nested too deeply")
        if not self._left:
            raise NotXml("too many elements")
        self._left -= 1
        # What has elements has no text in S3; gathered, it would be copied once for each of them.
        self._open[-1].text = ""
        element = Element(name.rpartition(":")[2])
        self._open[-1].children.append(element)
        self._open.append(element)

    def end(self, name: str) -> None:
        self._open.pop()

    def data(self, text: str) -> None:
        self._open[-1].text += text

    def doctype(self, *declaration: object) -> None:
        raise NotXml("a document type is not allowed")


def render_xml(root: str, fields: Mapping[str, object], namespace: str | None = NAMESPACE) -> bytes:
    """A document; a list repeats its element, None leaves it out.

    >>> render_xml("A", {"B": [1, 2], "C": None, "D": {"E": "<"}}, None).split(b"\\n")[1]
    b'<A><B>1</B><B>2</B><D><E>&lt;</E></D></A>'
    """
    opening = f'{root} xmlns="{namespace}"' if namespace else root
    return f"{DECLARATION}<{opening}>{_fields(fields)}</{root}>".encode()


def _fields(fields: Mapping[str, object]) -> str:
    return "".join(_element(name, value) for name, value in fields.items() if value is not None)


def _element(name: str, value: object) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "".join(_element(name, item) for item in value)
    return f"<{name}>{_fields(value) if isinstance(value, Mapping) else _text(value)}</{name}>"


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return escape(UNSAYABLE.sub("\ufffd", str(value)), {"\r": "&#13;"})
