"""Entity tags as clients name them in conditions."""

from __future__ import annotations

import re

TAG = re.compile(r'(?:W/)?"([^"]*)"|([^\s,"]+)')


def named_tags(header: str) -> frozenset[str]:
    """The tags of a list, in quotes as ours are: S3 clients may leave those out, and caches write W/ before them.

    >>> sorted(named_tags('W/"a", b'))
    ['"a"', '"b"']
    """
    return frozenset(f'"{quoted or bare}"' for quoted, bare in TAG.findall(header))


def names_tag(header: str, tag: str | None) -> bool:
    """Whether a condition names an object that has this tag; `*` names any."""
    return header.strip() == "*" or tag in named_tags(header)
