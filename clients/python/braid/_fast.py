"""The fast path: transactions of one operation on one row, each in one trip."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Mapping, NamedTuple, Optional
from urllib.parse import quote, urlencode

from ._errors import BraidError, OutcomeUnknown
from ._script import Columns, columns_of, values
from ._text import Text, escape

if TYPE_CHECKING:
    from ._client import Braid


class Versioned(NamedTuple):
    """What was read, and its version: 0 when nothing was ever written there."""

    version: int
    columns: Columns


class Fast:
    """Rows of tables of Omid's protocol. What a session writes later has a higher version."""

    def __init__(self, db: "Braid"):
        self._http = db._http
        self.last = 0

    def read(self, table: str, row: Text, *columns: Text) -> Versioned:
        """The newest committed values of columns, as they stood together."""
        query = urlencode([("column", escape(each)) for each in columns], quote_via=quote)
        answer = self._http.send("GET", f"{_path(table, row)}?{query}")
        return Versioned(int(answer["version"]), columns_of(answer["columns"]))

    def write(
        self,
        table: str,
        row: Text,
        columns: Mapping[Any, Optional[Text]],
        if_version: Optional[int] = None,
        or_regular: bool = False,
    ) -> int:
        """Sets columns, None deletes; their version. With if_version only if none of them was
        written since read told it, else Conflict. Without both options it is done once, even if
        an answer is lost; with one of them, OutcomeUnknown says that it is not known."""
        body: Dict[str, Any] = {
            "columns": values("set", table, row, columns)["columns"],
            "after": str(self.last),
        }
        path = _path(table, row)
        if if_version is None and not or_regular:
            body["name"] = self._http.send("GET", "/v1/fast/name")
            return self._took(lambda: self._http.send("POST", path, body))
        if if_version is not None:
            body["if_version"] = str(if_version)
        body["or_regular"] = or_regular
        return self._took(lambda: self._http.once("POST", path, body))

    def _took(self, send: Any) -> int:
        try:
            version = int(send()["version"])
        except BraidError as error:
            if error.lost:
                raise OutcomeUnknown(str(error), "") from error
            raise
        self.last = max(self.last, version)
        return version


def _path(table: str, row: Text) -> str:
    return f"/v1/fast/{quote(table, safe='')}/rows/{quote(escape(row), safe='')}"
