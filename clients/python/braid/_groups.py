"""Key groups: rows that one node owns for a while."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Tuple, Type
from urllib.parse import quote

from ._errors import NotFound
from ._script import Operations
from ._text import Text, escape, unescape

if TYPE_CHECKING:
    from ._client import Braid

Member = Tuple[str, Text]


class GroupScript(Operations):
    """A transaction of a group, sent at once; durable when it is answered."""

    def __init__(self, group: "Group"):
        super().__init__()
        self._group = group

    def run(self) -> List[Dict[Text, Text]]:
        """Does it; the columns that each get read, in their order."""
        path = self._group._path + "/run"
        return self.results(self._group._http.once("POST", path, {"operations": self.operations}))


class Group:
    """A group of rows; deleted at the end of 'with'. Others read snapshots of its rows meanwhile."""

    def __init__(self, db: "Braid", shown: Mapping[str, Any]):
        self._http = db._http
        self.name: str = shown["group"]
        self._path = "/v1/groups/" + quote(self.name, safe="")
        self.not_joined: List[Tuple[Member, str]] = [
            ((each["table"], unescape(each["row"])), each["why"])
            for each in shown.get("not_joined", ())
        ]

    def __enter__(self) -> "Group":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.delete()

    def script(self) -> GroupScript:
        """A transaction on members: get with columns, set, delete, expect."""
        return GroupScript(self)

    def ship(self) -> None:
        """Waits until all commits are in the store, where snapshots see them."""
        self._http.send("POST", self._path + "/ship")

    def delete(self) -> None:
        """Gives the rows back: all commits are in the store then."""
        try:
            self._http.send("DELETE", self._path)
        except NotFound as error:
            if error.body.get("error") != "no such group":
                raise


def members(rows: Sequence[Member]) -> List[Dict[str, str]]:
    return [{"table": table, "row": escape(row)} for table, row in rows]
