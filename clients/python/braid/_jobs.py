"""Loads: their outcomes, and decisions about what remains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional
from urllib.parse import quote, urlencode

if TYPE_CHECKING:
    from ._client import Braid


class Jobs:
    """What can be seen of loads, and done with them.

    A load tells under 'may' what the caller can have done with it now; 'waits' says that it stands
    with records that were not written until somebody decides, 'atomic' that nobody sees any of it
    before it is committed. What cannot be done raises Conflict, with the reason.
    """

    def __init__(self, db: "Braid"):
        self._http = db._http

    def list(self) -> List[Dict[str, Any]]:
        """All of them, with their record counts."""
        return list(self._pages("/v1/jobs", "jobs", {"limit": 1000}))

    def show(self, job: str) -> Dict[str, Any]:
        """One, with its inputs, mapping and options, and why records failed."""
        return self._http.send("GET", _path(job))

    def attempts(self, job: str, page: int = 100) -> Iterator[Dict[str, Any]]:
        """Its attempts, the newest first: when each ran, what it did, why it ended."""
        return self._pages(_path(job, "/attempts"), "attempts", {"limit": page})

    def log(
        self,
        job: str,
        log: str = "detailed",
        round: Optional[int] = None,
        attempt: Optional[int] = None,
        page: int = 100,
    ) -> Iterator[Dict[str, Any]]:
        """The entries of a log: 'detailed', of records that were not written; 'short-circuit', of
        tasks that ended early; 'unread', of input that could not be read. Of the newest round, if
        none is named."""
        query: Dict[str, Any] = {"limit": page}
        if round is not None:
            query["round"] = round
        if attempt is not None:
            query["attempt"] = attempt
        return self._pages(_path(job, "/logs/" + quote(log, safe="")), "entries", query)

    def resume(self, job: str) -> Dict[str, Any]:
        """Begins to do what is not done. Raises Unavailable when no answer came: show() tells."""
        return self._http.once("POST", _path(job, "/resume"))

    def retry(self, job: str) -> Dict[str, Any]:
        """Begins to try the records again that were not written."""
        return self._http.once("POST", _path(job, "/retry"))

    def commit(self, job: str) -> Dict[str, Any]:
        """Begins to make an atomic load visible without the records that remain."""
        return self._http.once("POST", _path(job, "/commit"))

    def cancel(self, job: str) -> Dict[str, Any]:
        """Ends a load; of an atomic one nobody will have seen anything."""
        return self._http.send("DELETE", _path(job))

    def _pages(self, path: str, name: str, query: Dict[str, Any]) -> Iterator[Dict[str, Any]]:
        after: Optional[str] = ""
        while after is not None:
            more = {"after": after} if after else {}
            page = self._http.send("GET", path + "?" + urlencode({**query, **more}))
            yield from page[name]
            after = page.get("next")


def _path(job: str, what: str = "") -> str:
    return f"/v1/jobs/{quote(job, safe='')}{what}"
