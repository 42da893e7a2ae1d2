"""Bodies of S3 requests as XML: what the protocol's largest lists need is read, and no more."""

from __future__ import annotations

import pytest
from minato.storage.s3_wire.payload import XML_LIMIT
from minato.storage.s3_wire.xml import MOST_ELEMENTS, NotXml, parse_xml


def test_the_longest_list_of_parts_is_read_with_a_checksum_of_each() -> None:
    part = "<Part><PartNumber>{}</PartNumber><ETag>&quot;{:032x}&quot;</ETag><ChecksumSHA1>AA==</ChecksumSHA1></Part>"
    body = "".join(part.format(number, number) for number in range(1, 10_001))
    parts = parse_xml(f"<CompleteMultipartUpload>{body}</CompleteMultipartUpload>".encode()).all("Part")
    assert (len(parts), parts[-1].find("PartNumber"), parts[-1].find("ETag")) == (10_000, "10000", f'"{10_000:032x}"')


@pytest.mark.parametrize("repeated", [b"<a/>", b"a<b/>"])
def test_a_body_that_is_all_elements_is_given_up_before_it_costs_anybody_time(repeated: bytes) -> None:
    whole = b"<Delete>" + repeated * ((XML_LIMIT - 20) // len(repeated)) + b"</Delete>"
    cut = b"<Delete>" + repeated * MOST_ELEMENTS
    for body in (whole, cut):
        with pytest.raises(NotXml, match="too many"):
            parse_xml(body)


def test_text_between_elements_is_not_gathered() -> None:
    root = parse_xml(b"<Delete>one<Object>two<Key> k </Key>three</Object>four<Quiet>true</Quiet></Delete>")
    assert (root.text, root.children[0].text) == ("", "three")
    assert (root.children[0].find("Key"), root.find("Quiet")) == (" k ", "true")
