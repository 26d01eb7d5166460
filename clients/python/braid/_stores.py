"""Served stores: read-only, in versions that are swapped in and rolled back."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Dict, Optional
from urllib.parse import quote

from ._errors import NotFound, Unavailable

if TYPE_CHECKING:
    from ._client import Braid


class Store:
    """A served store. Versions come from 'braid store build'."""

    def __init__(self, db: "Braid", name: str):
        self._http = db._http
        self.name = name
        self._path = "/stores/" + quote(name, safe="")

    def get(self, key: str) -> Optional[bytes]:
        """The value of a key in the live version; None if it has none."""
        try:
            return self._http.bytes(f"{self._path}/keys/{quote(key, safe='')}")
        except NotFound as error:
            if error.body.get("error") == "no such key":
                return None
            raise

    def versions(self) -> Dict[str, Any]:
        """The live version, and all that the node has."""
        return self._http.send("GET", self._path + "/versions")

    def fetch(self, source: str, version: int = 0, timeout: float = 60.0) -> int:
        """Has the node fetch a version from a folder on it or an address; waits until it is there.
        The version it got, which is not live yet."""
        asked = {"from": source, "version": version}
        got = int(self._http.once("POST", self._path + "/fetch", asked)["version"])
        end = time.monotonic() + timeout
        while True:
            state = self._http.send("GET", self._path + "/fetch")
            if state["state"] == "done":
                return got
            if state["state"] == "failed" or time.monotonic() > end:
                raise Unavailable(f"Version {got} of {self.name} was not fetched: {state}.")
            time.sleep(0.05)

    def swap(self, version: int, force: bool = False) -> int:
        """Makes a version live that was fetched."""
        asked = {"version": version, "force": force}
        self._http.once("POST", self._path + "/prepare", asked)
        asked["flips"] = self.versions()["flips"]
        return int(self._http.once("POST", self._path + "/swap", asked)["live"])

    def rollback(self, version: int = 0) -> int:
        """Makes an earlier version live again, the last one if none is named; which it is. Should
        the request come late, or twice, it does nothing once another version went live."""
        seen = self.versions()
        asked = {"version": version, "from": seen["live"], "flips": seen["flips"]}
        return int(self._http.once("POST", self._path + "/rollback", asked)["live"])
