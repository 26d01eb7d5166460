"""Observers: code in the server that runs when a column changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List
from urllib.parse import quote

if TYPE_CHECKING:
    from ._client import Braid


class Observers:
    """What can be seen of observers, and done with them."""

    def __init__(self, db: "Braid"):
        self._http = db._http

    def list(self) -> List[Dict[str, Any]]:
        """All of them, with what waits and how many dead letters."""
        return list(self._http.send("GET", "/v1/observers")["observers"])

    def dead_letters(self, observer: str) -> List[Dict[str, Any]]:
        """Changes that it kept failing at, with the error."""
        return list(self._http.send("GET", _path(observer, "dead-letters"))["dead_letters"])

    def replay(self, observer: str) -> int:
        """Makes its dead-lettered changes pending again; how many."""
        return int(self._http.send("POST", _path(observer, "replay"))["replayed"])

    def pause(self, observer: str) -> None:
        """Pauses it in all processes; changes wait."""
        self._http.send("POST", _path(observer, "pause"))

    def resume(self, observer: str) -> None:
        self._http.send("POST", _path(observer, "resume"))


def _path(observer: str, what: str) -> str:
    return f"/v1/observers/{quote(observer, safe='')}/{what}"
