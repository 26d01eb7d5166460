"""The database, as a program sees it."""

from __future__ import annotations

import uuid
from types import TracebackType
from typing import (
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Type,
    TypeVar,
    Union,
)
from urllib.parse import quote, urlencode

from ._errors import BraidError, Conflict, NotFound, OutcomeUnknown, Unavailable
from ._fast import Fast
from ._groups import Group, Member, members
from ._http import Http, pause
from ._jobs import Jobs
from ._observers import Observers
from ._script import Columns, Operations, columns_of, names, on_row, values
from ._stores import Store
from ._text import Text, escape, unescape

R = TypeVar("R")
_ATTEMPTS = 30
_MOST_KEPT = 1000


class Row(NamedTuple):
    """A row: its key, and its columns by FAMILY:QUALIFIER."""

    key: Text
    columns: Columns


def _row(shown: Mapping[str, Any]) -> Row:
    return Row(unescape(shown["row"]), columns_of(shown["columns"]))


class Script(Operations):
    """A whole transaction that is sent at once: all of it is done, or nothing."""

    def __init__(self, db: "Braid"):
        super().__init__()
        self._db = db

    def run(self) -> List[Columns]:
        """Does it; the columns that each get read, in their order; none if the answer was lost and
        the server remembers only that it was done."""
        return self.results(_named(self._db, "/v1/transactions/run", self.operations))


def _named(db: "Braid", path: str, operations: List[Dict[str, Any]]) -> Dict[str, Any]:
    """Does something that commits, once; and after a lost answer finds out what it did. A refusal
    that follows says nothing of the attempt before it, which may still come to the server."""
    request = str(uuid.uuid4())
    body: Dict[str, Any] = {"request": request}
    if operations:
        body["operations"] = operations
    try:
        return db._http.send("POST", path, body, request=request)
    except OutcomeUnknown:
        raise
    except Unavailable as error:
        if error.lost:
            raise OutcomeUnknown(str(error), request) from error
        raise
    except BraidError as error:
        # A defect may have come after the change, and a copy of this request, which the network
        # made, may have ended the transaction.
        gone = error.body.get("error") == "no such transaction"
        if not error.lost and error.status != 500 and not gone:
            raise
        try:
            done = db.settle(request) is not None
            answer = db._http.send("GET", "/v1/requests/" + request) if done else None
        except BraidError as untold:
            raise OutcomeUnknown(str(untold), request) from untold
        if answer is None:
            raise
        return answer


class Transaction:
    """An open transaction: reads see its start and its own writes. For one thread. Writes are kept
    here until the server has taken them, so that no refusal loses any of them."""

    def __init__(self, db: "Braid", lease: Optional[str] = None):
        self._http = db._http
        self._db = db
        body = {} if lease is None else {"lease": lease}
        begun = self._http.send("POST", "/v1/transactions", body)
        self._path = "/v1/transactions/" + begun["transaction"]
        self.start = int(begun["start"])
        self.ended = False
        self._step = 0
        self._writes: List[Dict[str, Any]] = []

    def __enter__(self) -> "Transaction":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        if self.ended:
            return
        if kind is None:
            self.commit()
        else:
            self.rollback()

    def _operate(self, reads: List[Dict[str, Any]]) -> List[Dict[str, Any]]:
        # Kept writes go first, so that reads see them; doing them twice changes nothing more. By
        # the number of the step the server knows a request that comes when its time is over.
        self._open()
        self._step += 1
        body = {"operations": self._writes + reads, "step": self._step}
        answer = self._http.send("POST", self._path + "/operations", body)
        before = len(self._writes)
        self._writes = []
        return list(answer["results"][before:])

    def _open(self) -> None:
        if self.ended:
            raise ValueError("The transaction has ended.")

    def _write(self, operation: Dict[str, Any]) -> None:
        self._open()
        self._writes.append(operation)
        if len(self._writes) >= _MOST_KEPT:
            self._operate([])

    def get(self, table: str, row: Text, *columns: Text) -> Columns:
        """Columns of a row; all of them when none is named."""
        return columns_of(self._operate([names("get", table, row, columns)])[0]["columns"])

    def scan(self, table: str, prefix: Text = "", limit: Optional[int] = None) -> Iterator[Row]:
        """Rows in the order of their keys."""
        asked: Dict[str, Any] = {"op": "scan", "table": table, "prefix": escape(prefix)}
        left = limit
        while left is None or left > 0:
            page = self._operate([asked])[0]
            for shown in page["rows"][: left if left is not None else None]:
                yield _row(shown)
            if left is not None:
                left -= len(page["rows"])
            if "next" not in page:
                return
            asked = {**asked, "after": page["next"]}

    def set(self, table: str, row: Text, columns: Mapping[Any, Optional[Text]]) -> None:
        """Sets columns; None deletes."""
        self._write(values("set", table, row, columns))

    def delete(self, table: str, row: Text, *columns: Text) -> None:
        self._write(names("delete", table, row, columns))

    def lock(self, table: str, row: Text, *columns: Text) -> None:
        """Conflicts with everybody who writes these columns."""
        self._write(names("lock", table, row, columns))

    def commit(self) -> int:
        """Commits; the commit timestamp. Whatever comes of it, the transaction has ended."""
        self._open()
        self.ended = True
        try:
            return int(_named(self._db, self._path + "/commit", self._writes)["commit"])
        except NotFound as error:
            if error.body.get("error") != "no such transaction":
                raise
            raise Conflict("The transaction was rolled back: its lease ended.") from None

    def rollback(self) -> None:
        """Gives up; does nothing after the end."""
        if not self.ended:
            self.ended = True
            try:
                self._http.once("DELETE", self._path)
            except BraidError:
                pass  # Its lease ends it.


class Attempt:
    """One try of a transaction in a loop; see Braid.attempts."""

    def __init__(self, db: "Braid", last: bool):
        self._db = db
        self._last = last
        self._transaction: Optional[Transaction] = None
        self.done = False

    def __enter__(self) -> Transaction:
        self._transaction = Transaction(self._db)
        return self._transaction

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> bool:
        transaction = self._transaction
        assert transaction is not None
        try:
            transaction.__exit__(kind, error, trace)
        except Conflict:
            if self._last:
                raise
            return True
        if kind is not None and issubclass(kind, Conflict) and not self._last:
            return True
        self.done = kind is None
        return False


class Braid:
    """A database on a server. Safe for many threads; each has a connection of its own."""

    def __init__(
        self,
        url: str = "http://127.0.0.1:7800",
        token: Optional[str] = None,
        timeout: float = 60.0,
        cafile: Optional[str] = None,
        certificate: Optional[str] = None,
        headers: Callable[[], Mapping[str, str]] = dict,
    ):
        """headers gives more headers for each request, such as traceparent for a trace."""
        self._http = Http(url, token, timeout, cafile, certificate, headers)

    def __enter__(self) -> "Braid":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    # --- tables ---------------------------------------------------------------------------------

    def create_table(self, table: str, *families: str, protocol: Optional[str] = None) -> None:
        """Creates a table, or adds families to it."""
        body: Dict[str, Any] = {"families": list(families)}
        if protocol is not None:
            body["protocol"] = protocol
        self._http.send("PUT", "/v1/tables/" + quote(table, safe=""), body)

    def drop_table(self, table: str) -> None:
        self._http.send("DELETE", "/v1/tables/" + quote(table, safe=""))

    def tables(self) -> List[str]:
        return [each["table"] for each in self._http.send("GET", "/v1/tables")["tables"]]

    # --- reads ----------------------------------------------------------------------------------

    def get(
        self, table: str, row: Text, *columns: Text, at: Union[int, str, None] = None
    ) -> Columns:
        """Columns of a row, now or at a moment of the past; empty when there are none."""
        query = [("column", escape(each)) for each in columns]
        if at is not None:
            query.append(("at", str(at)))
        path = f"/v1/tables/{quote(table, safe='')}/rows/{quote(escape(row), safe='')}"
        try:
            return columns_of(self._http.send("GET", _with(path, query))["columns"])
        except NotFound as error:
            if error.body.get("error") == "no such value":
                return {}
            raise

    def scan(
        self,
        table: str,
        prefix: Text = "",
        at: Union[int, str, None] = None,
        page: Optional[int] = None,
    ) -> Iterator[Row]:
        """Rows in the order of their keys, all of one snapshot."""
        path = f"/v1/tables/{quote(table, safe='')}/rows"
        base = [("prefix", escape(prefix))] + ([("limit", str(page))] if page else [])
        query = base + ([("at", str(at))] if at is not None else [])
        while True:
            answer = self._http.send("GET", _with(path, query))
            for shown in answer["rows"]:
                yield _row(shown)
            if "next" not in answer:
                return
            query = base + [("after", answer["next"]), ("at", answer["at"])]

    # --- transactions ---------------------------------------------------------------------------

    def script(self) -> Script:
        """A whole transaction in one request."""
        return Script(self)

    def transaction(self, lease: Optional[str] = None) -> Transaction:
        """An open transaction: commits at the end of 'with', rolls back on an exception."""
        return Transaction(self, lease)

    def attempts(self, most: int = _ATTEMPTS) -> Iterator[Attempt]:
        """for attempt in db.attempts(): with attempt as tx: ... runs again on a conflict."""
        for number in range(most):
            attempt = Attempt(self, number == most - 1)
            yield attempt
            if attempt.done:
                return
            pause(min(number, 4))

    def run(self, body: Callable[[Transaction], R]) -> R:
        """Runs a body in a transaction; again on a conflict, and for no other reason."""
        for attempt in self.attempts():
            with attempt as tx:
                result = body(tx)
            if attempt.done:
                return result
        raise Conflict("unreachable: the last attempt raises")

    # --- groups and loads -----------------------------------------------------------------------

    def group(
        self, rows: Sequence[Member], name: Optional[str] = None, best_effort: bool = False
    ) -> Group:
        """A group of (table, row) pairs, deleted at the end of 'with'. Raises Conflict, with
        'not_joined' in its body, when rows are held by others."""
        body: Dict[str, Any] = {"rows": members(rows), "best_effort": best_effort}
        if name is not None:
            body["name"] = name
        return Group(self, self._http.once("POST", "/v1/groups", body))

    def open_group(self, name: str) -> Group:
        """A group that was created before."""
        return Group(self, self._http.send("GET", "/v1/groups/" + quote(name, safe="")))

    def load(
        self,
        job: str,
        table: str,
        files: Sequence[str],
        mapping: Mapping[str, Any],
        **options: Any,
    ) -> Dict[str, Any]:
        """Begins a load of files on the server; with the same id again: its outcome."""
        body = {"table": table, "files": list(files), "mapping": dict(mapping), "options": options}
        return self._http.send("PUT", "/v1/jobs/" + quote(job, safe=""), body)

    def job(self, job: str) -> Dict[str, Any]:
        """How a load is getting on: its state, its record counts, why records failed."""
        return self.jobs().show(job)

    def jobs(self) -> Jobs:
        """The loads of the server: their attempts and logs, and what can be done with them."""
        return Jobs(self)

    # --- the fast path, served stores, observers ------------------------------------------------

    def fast(self) -> Fast:
        """A session of transactions of one operation on one row, without begin and commit."""
        return Fast(self)

    def store(self, name: str) -> Store:
        """A served store."""
        return Store(self, name)

    def observers(self) -> Observers:
        """The observers there are."""
        return Observers(self)

    def settle(self, request: str) -> Optional[int]:
        """The commit timestamp of a request whose answer was lost; None: it never will be done."""
        answer = self._http.send("DELETE", "/v1/requests/" + quote(request, safe=""))
        return int(answer["commit"]) if answer["state"] == "committed" else None


def _with(path: str, query: List[Any]) -> str:
    return path + ("?" + urlencode(query, quote_via=quote) if query else "")
