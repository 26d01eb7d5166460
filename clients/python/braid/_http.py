"""One connection for each thread, and what is tried again."""

from __future__ import annotations

import http.client
import json
import random
import ssl
import threading
import time
from typing import Any, Callable, Dict, Mapping, Optional, Tuple
from urllib.parse import urlsplit

from ._errors import BraidError, Unavailable, refusal

_PAUSE = 0.05
_LONGEST_PAUSE = 2.0


def pause(attempt: int) -> None:
    """Waits before another attempt, longer each time."""
    time.sleep(min(_LONGEST_PAUSE, _PAUSE * 2**attempt) * (0.5 + random.random()))


class Lost(Unavailable):
    """A request was sent, perhaps, and its answer did not come."""


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
        """Sends one request. Raises Lost when its answer did not come."""
        status, text = self._answer(method, path, body)
        if status != 200:
            raise refusal(status, _object(text), request)
        return _object(text)

    def bytes(self, path: str) -> bytes:
        """What stands at an address, as it is."""
        for attempt in range(5):
            try:
                status, text = self._answer("GET", path, None)
                if status != 200:
                    raise refusal(status, _object(text))
                return text
            except Unavailable:
                if attempt == 4:
                    raise
                pause(attempt)
        raise BraidError("no attempt was asked for")

    def _answer(
        self, method: str, path: str, body: Optional[Mapping[str, Any]]
    ) -> Tuple[int, bytes]:
        sent = json.dumps(body).encode("utf-8") if body is not None else None
        connection = self._connection()
        try:
            connection.request(method, path, body=sent, headers={**self._headers, **self._more()})
            response = connection.getresponse()
            return response.status, response.read()
        except (OSError, http.client.HTTPException) as failure:
            self.close()
            raise Lost(f"{self._host}:{self._port} did not answer: {failure}") from failure

    def send(
        self,
        method: str,
        path: str,
        body: Optional[Mapping[str, Any]] = None,
        attempts: int = 5,
        request: str = "",
    ) -> Dict[str, Any]:
        """Sends what may be sent again; tries again while the server does not answer."""
        for attempt in range(attempts):
            try:
                return self.once(method, path, body, request)
            except Unavailable:
                if attempt == attempts - 1:
                    raise
                pause(attempt)
        raise BraidError("no attempt was asked for")


def _object(text: bytes) -> Dict[str, Any]:
    try:
        return dict(json.loads(text)) if text else {}
    except ValueError:
        return {}
