"""One connection for each thread, and what is tried again."""

from __future__ import annotations

import http.client
import json
import random
import ssl
import threading
import time
from typing import Any, Callable, Dict, Mapping, Optional, Tuple, TypeVar
from urllib.parse import urlsplit

from ._errors import BraidError, OutcomeUnknown, Unavailable, refusal

T = TypeVar("T")

_ATTEMPTS = 5
_PAUSE = 0.05
_LONGEST_PAUSE = 2.0


def pause(attempt: int) -> None:
    """Waits before another attempt, longer each time."""
    time.sleep(min(_LONGEST_PAUSE, _PAUSE * 2**attempt) * (0.5 + random.random()))


class Lost(Unavailable):
    """A request was sent, perhaps, and its answer did not come."""

    lost = True


class Patience:
    """How long one request is tried: as the server asks, but not beyond the time for it; a few
    times if the server says nothing."""

    def __init__(self, timeout: float):
        self._end = time.monotonic() + timeout
        self._silent = 0

    def waits(self, error: BraidError) -> bool:
        """Waits before another attempt; False when there is none."""
        hint = error.retry_after
        if hint is None:
            self._silent += 1
            if self._silent == _ATTEMPTS or time.monotonic() > self._end:
                return False
            pause(self._silent - 1)
            return True
        if time.monotonic() + hint > self._end:
            return False
        time.sleep(hint * (1 + random.random() / 10))
        return True


class Http:
    """Sends requests to one server."""

    def __init__(
        self,
        url: str,
        token: Optional[str],
        timeout: float,
        cafile: Optional[str],
        certificate: Optional[str],
        headers: Callable[[], Mapping[str, str]] = dict,
    ):
        self._more = headers
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.path not in ("", "/"):
            raise ValueError(f"'{url}' is no server: write http://HOST:PORT.")
        self._host = parts.hostname
        self._port = parts.port or (443 if parts.scheme == "https" else 80)
        self._timeout = timeout
        self._tls: Optional[ssl.SSLContext] = None
        if parts.scheme == "https":
            self._tls = ssl.create_default_context(cafile=cafile)
            if certificate is not None:
                self._tls.load_cert_chain(certificate)
        self._headers: Dict[str, str] = {"Content-Type": "application/json"}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"
        self._local = threading.local()

    def _connection(self) -> http.client.HTTPConnection:
        connection: Optional[http.client.HTTPConnection] = getattr(self._local, "one", None)
        if connection is None:
            if self._tls is None:
                connection = http.client.HTTPConnection(
                    self._host, self._port, timeout=self._timeout
                )
            else:
                connection = http.client.HTTPSConnection(
                    self._host, self._port, timeout=self._timeout, context=self._tls
                )
            self._local.one = connection
        return connection

    def close(self) -> None:
        """Closes the connection of this thread."""
        connection = getattr(self._local, "one", None)
        if connection is not None:
            connection.close()
            self._local.one = None

    def once(
        self, method: str, path: str, body: Optional[Mapping[str, Any]] = None, request: str = ""
    ) -> Dict[str, Any]:
        """Sends what must not be done twice: again only if the server refused it for now, which
        says that nothing was done. Raises OutcomeUnknown when its answer did not come."""
        try:
            return self._tried(method, path, body, request, False)
        except Lost as lost:
            raise OutcomeUnknown(str(lost), request) from lost

    def send(
        self, method: str, path: str, body: Optional[Mapping[str, Any]] = None, request: str = ""
    ) -> Dict[str, Any]:
        """Sends what may be sent again; tries again while the server does not answer."""
        return self._tried(method, path, body, request, True)

    def _tried(
        self,
        method: str,
        path: str,
        body: Optional[Mapping[str, Any]],
        request: str,
        again: bool,
    ) -> Dict[str, Any]:
        return self._patiently(
            lambda: self._whole(self._answer(method, path, body, request)), again
        )

    def _whole(self, text: bytes) -> Dict[str, Any]:
        """An answer of status 200 is an object; anything else was damaged on its way."""
        try:
            answer = json.loads(text)
        except ValueError as failure:
            raise Lost(f"{self._host}:{self._port} answered what is no JSON.") from failure
        return dict(answer)

    def bytes(self, path: str) -> bytes:
        """What stands at an address, as it is."""
        return self._patiently(lambda: self._answer("GET", path, None, ""), True)

    def _patiently(self, answer: Callable[[], T], again: bool) -> T:
        patience = Patience(self._timeout)
        lost = False
        while True:
            try:
                return answer()
            except BraidError as error:
                lost = lost or error.lost
                error.lost = lost
                temporary = error.retry_after is not None or (again and _may_pass(error))
                if not temporary or not patience.waits(error):
                    raise

    def _answer(
        self, method: str, path: str, body: Optional[Mapping[str, Any]], request: str
    ) -> bytes:
        sent = json.dumps(body).encode("utf-8") if body is not None else None
        connection = self._connection()
        try:
            connection.request(method, path, body=sent, headers={**self._headers, **self._more()})
            response = connection.getresponse()
            text = response.read()
            # Headers that end with the connection look whole, and an answer without them empty.
            if response.getheader("Content-Length") is None and not response.chunked:
                raise http.client.IncompleteRead(text)
        except (OSError, http.client.HTTPException) as failure:
            self.close()
            raise Lost(f"{self._host}:{self._port} did not answer: {failure}") from failure
        if response.status != 200:
            raise refusal(response.status, _object(text), request, response.headers)
        return text


def _may_pass(error: BraidError) -> bool:
    """Whether a request that may be sent again may then succeed."""
    return isinstance(error, Unavailable) or error.body.get("error") == "busy"


def _object(text: bytes) -> Dict[str, Any]:
    try:
        return dict(json.loads(text)) if text else {}
    except ValueError:
        return {}
