"""What the commands ask of the storage service, as service_role."""

from __future__ import annotations

import codecs
import json
import mimetypes
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, cast
from urllib.parse import quote

from minato.cli.local.data_folder import State
from minato.cli.local.failures import CommandFailure
from minato.project.config_keys import Value

if TYPE_CHECKING:
    import httpx

PAGE: Final = 100
SECONDS: Final = 60.0
SNIFFED: Final = 512


class ServiceRefusal(CommandFailure):
    """The service answered with a failure; `error` is its name there, empty where it gave none."""

    def __init__(self, status: int, body: str) -> None:
        super().__init__(f"Error status {status}: {body}")
        self.error = _error_name(body)


@dataclass(frozen=True)
class UploadOptions:
    """Of every file that is copied to a bucket; without a content type each gets its own."""

    cache_control: str = "max-age=3600"
    content_type: str = ""
    overwrite: bool = False


@dataclass(frozen=True)
class ObjectService:
    """Raises `ServiceRefusal`. Several threads may ask at once."""

    client: httpx.Client

    def buckets(self) -> list[str]:
        """The names of all."""
        return [found["id"] for found in self._ask("GET", "/bucket").json()]

    def create_bucket(self, name: str, properties: Mapping[str, Value]) -> None:
        """Make one, as `config.toml` says."""
        self._ask("POST", "/bucket", body={"id": name, "name": name, **properties})

    def delete_bucket(self, name: str) -> str:
        """What the service says of it; it must be empty."""
        return _message(self._ask("DELETE", f"/bucket/{quote(name, safe='')}"))

    def page(self, bucket: str, prefix: str, number: int) -> list[str]:
        """The names that begin so, a hundred at most; those of folders end with a slash."""
        folder, slash, name = prefix.rpartition("/")
        asked = {"prefix": folder + slash, "search": name, "limit": PAGE, "offset": PAGE * number}
        found = self._ask("POST", f"/object/list/{quote(bucket, safe='')}", body=asked).json()
        return [each["name"] if each["id"] is not None else f"{each['name']}/" for each in found]

    def upload(self, path: str, source: Path, options: UploadOptions) -> None:
        """Send a file piece by piece."""
        headers = {
            "content-type": options.content_type or content_type(source),
            "content-length": str(source.stat().st_size),
            "cache-control": options.cache_control,
            **({"x-upsert": "true"} if options.overwrite else {}),
        }
        with source.open("rb") as stream:
            _refuse(self.client.post(f"/object{quote(path)}", content=stream, headers=headers))

    def download(self, path: str, target: IO[bytes]) -> None:
        """Write an object as it comes."""
        with self.client.stream("GET", f"/object{quote(path)}") as answer:
            if answer.is_error:
                answer.read()
                _refuse(answer)
            for piece in answer.iter_bytes():
                target.write(piece)

    def move(self, bucket: str, source: str, target: str) -> str:
        """What the service says of it."""
        asked = {"bucketId": bucket, "sourceKey": source, "destinationKey": target}
        return _message(self._ask("POST", "/object/move", body=asked))

    def remove(self, bucket: str, keys: Sequence[str]) -> list[str]:
        """The keys of those that were there."""
        answer = self._ask("DELETE", f"/object/{quote(bucket, safe='')}", body={"prefixes": list(keys)})
        return [found["name"] for found in answer.json()]

    def _ask(self, method: str, path: str, body: object = None) -> httpx.Response:
        return _refuse(self.client.request(method, path, json=body))


@contextmanager
def object_service(state: State) -> Iterator[ObjectService]:
    """That of the server that says `state`. Raises `CommandFailure` when it can't be reached."""
    import httpx  # a tenth of a second that no other command has to wait

    key = str(state.announcement["service_role_key"])
    # Not by way of a proxy: the server is on this machine.
    with httpx.Client(
        base_url=f"{state.announcement['url']}/storage/v1",
        headers={"apikey": key, "authorization": f"Bearer {key}"},
        timeout=SECONDS,
        trust_env=False,
    ) as client:
        try:
            yield ObjectService(client)
        except httpx.HTTPError as error:
            raise CommandFailure(f"failed to execute http request: {error}") from None


def content_type(path: Path) -> str:
    """By the name of the file; of text without a name that tells, text."""
    guessed = mimetypes.guess_type(path.name)[0]
    if guessed is not None:
        return guessed
    with path.open("rb") as stream:
        return "text/plain; charset=utf-8" if _is_text(stream.read(SNIFFED)) else "application/octet-stream"


def _is_text(start: bytes) -> bool:
    try:
        # Not the end: the last character may be cut in two.
        codecs.getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return False
    return b"\0" not in start


def _refuse(answer: httpx.Response) -> httpx.Response:
    if answer.is_error:
        raise ServiceRefusal(answer.status_code, answer.text)
    return answer


def _message(answer: httpx.Response) -> str:
    return str(answer.json()["message"])


def _error_name(body: str) -> str:
    try:
        said = json.loads(body)
    except ValueError:
        return ""
    return str(cast("dict[str, object]", said).get("error", "")) if isinstance(said, dict) else ""
