"""What else a branch has: faults, and addresses that take every request."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from minato.testing.control import Told, call, with_query


class Faults:
    """What goes wrong in a branch on purpose. A rule is what `POST /_dev/v1/faults` takes."""

    def __init__(self, url: str) -> None:
        self._url = f"{url}/_dev/v1/faults"

    def add(self, where: str, do: Mapping[str, object], match: Mapping[str, str] | None = None, **more: object) -> Told:
        """Set a rule; `more` are `times`, `after`, `probability`, `seed`."""
        told: Told = call("POST", self._url, {"where": where, "do": do, "match": match, **more})
        return told

    def list(self) -> list[Told]:
        """The rules, with how many requests each `met` and `hit`."""
        told: list[Told] = call("GET", self._url)
        return told

    def remove(self, fault_id: str) -> None:
        call("DELETE", f"{self._url}/{quote(fault_id)}")

    def clear(self) -> None:
        """Nothing goes wrong any more."""
        call("DELETE", self._url)


class Sink:
    """An address of the branch, `url`, that takes every request: where a test's webhooks go."""

    def __init__(self, branch: str, name: str) -> None:
        self.url = f"{branch}/_dev/sink/{quote(name)}"
        self._control = f"{branch}/_dev/v1/sinks/{quote(name)}"
        self._given = 0

    def reply(self, *replies: Mapping[str, object]) -> None:
        """What it answers with, one after the other; the last for ever."""
        call("PUT", self._control, {"replies": list(replies)})

    def list(self) -> list[Told]:
        """All that came."""
        told: list[Told] = call("GET", self._control)
        return told

    def next(self, timeout: float | str = "5s") -> Told:
        """The next request that was not given yet. Raises `MinatoError` `no_message` when none comes."""
        asked = with_query(self._control, since=self._given, wait=timeout, required="true")
        came: Told = call("GET", asked)[0]
        self._given = came["n"]
        return came
