"""Signature Version 4 against the examples AWS publishes, and the XML against what could hurt."""

from __future__ import annotations

import pytest
from minato.storage.s3.signature import Signer, canonical_query, canonical_request, read_signature
from minato.storage.s3.xml import NotXml, parse_xml, render_xml

# https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html and sigv4-query-string-auth.html
SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
HOST = "examplebucket.s3.amazonaws.com"
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
TIME = "20130524T000000Z"


def authorization(signed: str, signature: str) -> str:
    credential = "Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request"
    return f"AWS4-HMAC-SHA256 {credential},SignedHeaders={signed},Signature={signature}"


@pytest.mark.parametrize(
    ("path", "query", "headers", "signature"),
    [
        (
            "/test.txt",
            "",
            {"host": HOST, "range": "bytes=0-9", "x-amz-content-sha256": EMPTY, "x-amz-date": TIME},
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
        ),
        (
            "/",
            "lifecycle",
            {"host": HOST, "x-amz-content-sha256": EMPTY, "x-amz-date": TIME},
            "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
        ),
        (
            "/",
            "max-keys=2&prefix=J",
            {"host": HOST, "x-amz-content-sha256": EMPTY, "x-amz-date": TIME},
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
        ),
    ],
)
def test_a_signed_header_gives_the_published_signature(
    path: str, query: str, headers: dict[str, str], signature: str
) -> None:
    given = read_signature({**headers, "authorization": authorization(";".join(headers), signature)}, {})
    sent = [(name.encode(), value.encode()) for name, value in headers.items()]
    canonical = canonical_request("GET", path, query, sent, given)
    assert Signer.of(SECRET, given).sign_request(canonical) == signature


def test_a_presigned_url_gives_the_published_signature() -> None:
    query = {
        "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
        "X-Amz-Credential": "AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request",
        "X-Amz-Date": TIME,
        "X-Amz-Expires": "86400",
        "X-Amz-SignedHeaders": "host",
    }
    signature = "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
    text = "&".join(f"{name}={value}" for name, value in query.items())
    given = read_signature({}, {**query, "X-Amz-Signature": signature})
    canonical = canonical_request("GET", "/test.txt", text, [(b"host", HOST.encode())], given)
    assert Signer.of(SECRET, given).sign_request(canonical) == signature


def test_parameters_are_sorted_as_they_are_encoded() -> None:
    assert canonical_query("b=%c3%a9&B=1&a-=2&a=%20+") == "B=1&a=%20%20&a-=2&b=%C3%A9"
    assert canonical_query("a=%ff&a=") == "a=&a=%FF"


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"<a>",
        b"<a></b>",
        b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
        b"<a>" * 9 + b"</a>" * 9,
        b"\xff\xfe<",
        b'<?xml version="1.0" encoding="nonsense"?><a/>',
    ],
)
def test_a_document_that_could_hurt_is_no_xml(text: bytes) -> None:
    with pytest.raises(NotXml):
        parse_xml(text)


def test_names_come_without_their_namespace_and_text_is_escaped() -> None:
    root = parse_xml(b'<s:A xmlns:s="x" i="1"><B>1 &amp; 2</B><B/></s:A>')
    assert (root.name, [item.text for item in root.all("B")], root.find("C")) == ("A", ["1 & 2", ""], None)
    assert b"<B>&lt;\xef\xbf\xbd&#13;</B>" in render_xml("A", {"B": "<\x00\r"})
