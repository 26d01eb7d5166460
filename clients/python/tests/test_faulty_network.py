"""The client behind a proxy that refuses, delays, loses and repeats requests. Fault 73."""

from __future__ import annotations

import os
import socket
import threading
import unittest
from typing import Any, Callable, Dict, List
from unittest import mock
from urllib.parse import urlsplit

from braid import Braid, BraidError, OutcomeUnknown, _http

URL = os.environ.get("BRAID_URL", "http://127.0.0.1:7800")
FAULTS = [
    "refuse 429", "refuse 429 once", "refuse 429 hinted once", "refuse 503 hinted once",
    "refuse 503", "refuse 400", "refuse 400 once", "break", "break once", "lose", "lose once",
    "delay once", "hold once", "lose then refuse", "delay then refuse", "repeat once",
    "cut headers", "cut headers once", "cut body once",
]  # fmt: skip


class FaultyProxy:
    """Passes requests on, each over a connection of its own, and plays a fault from the n-th of
    them on that are counted. What it delays comes to the server after the next request, what it
    holds after the next two, or when flush() is called; the answer goes nowhere."""

    def __init__(self, counted: bytes, number: int, fault: str):
        parts = urlsplit(URL)
        self._to = (parts.hostname or "127.0.0.1", parts.port or 80)
        self._counted, self._number, self._fault = counted, number, fault
        self._seen = 0
        self._late: List[bytes] = []
        self._passes = 0
        self._server = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d" % self._server.getsockname()[1]
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def _accept(self) -> None:
        while True:
            client, _ = self._server.accept()
            with client:
                asked = message(client)
                if asked == b"":
                    return
                answer = self._answer(asked)
                if answer:
                    client.sendall(answer)

    def _answer(self, asked: bytes) -> bytes:
        if self._counted not in asked.split(b"\r\n")[0]:
            return self._pass(asked)
        self._seen += 1
        kind, _, rest = self._fault.partition(" ")
        if self._seen < self._number or (rest.endswith("once") and self._seen > self._number):
            return self._pass(asked)
        if rest == "then refuse" and self._seen > self._number:
            kind, rest = "refuse", "429"
        if kind == "break":
            return b""
        if kind in ("delay", "hold"):
            self._late.append(asked)
            self._passes = 1 if kind == "delay" else 2
            return b""
        if kind == "refuse":
            hint = "Retry-After: 0\r\n" if "hinted" in rest else ""
            text = '{"error":"injected","message":"Refused by the test."}'
            status = f"HTTP/1.1 {rest[:3]} Injected\r\n{hint}Content-Length: {len(text)}\r\n"
            return f"{status}Connection: close\r\n\r\n{text}".encode()
        answer = self._pass(asked)
        if kind == "lose":
            return b""
        if kind == "cut":
            return answer[: answer.index(b"\r\n") + 8] if "headers" in rest else answer[:-2]
        return self._pass(asked) if kind == "repeat" else answer

    def _pass(self, asked: bytes) -> bytes:
        answer = self._exchange(asked)
        self._passes -= 1
        if self._passes <= 0:
            self.flush()
        return answer

    def _exchange(self, asked: bytes) -> bytes:
        head, _, body = asked.partition(b"\r\n\r\n")
        with socket.create_connection(self._to) as server:
            server.sendall(head + b"\r\nConnection: close\r\n\r\n" + body)
            got = message(server)
        head, _, body = got.partition(b"\r\n\r\n")
        return head + b"\r\nConnection: close\r\n\r\n" + body

    def flush(self) -> None:
        late, self._late = self._late, []
        for each in late:
            self._exchange(each)

    def close(self) -> None:
        with socket.create_connection(self._server.getsockname()):
            pass
        self._thread.join()
        self._server.close()
        self.flush()


def message(source: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        more = source.recv(65536)
        if not more:
            return b""
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    length = 0
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    while len(body) < length:
        body += source.recv(65536)
    return head + b"\r\n\r\n" + body


State = Dict[str, Any]


class FaultyNetworkTest(unittest.TestCase):
    """Each request of a transaction meets each fault. The program goes on after a failure, as one
    that catches too much; what it is told at the end must be what is there."""

    def setUp(self) -> None:
        self.direct = Braid(URL)
        self.addCleanup(self.direct.close)
        self.direct.create_table("faulty", "f")
        patched = mock.patch.object(_http, "_PAUSE", 0.0001)
        patched.start()
        self.addCleanup(patched.stop)

    def _rows(self) -> State:
        return {str(row.key): row.columns for row in self.direct.scan("faulty")}

    def _before(self) -> State:
        for key in self._rows():
            self.direct.script().delete("faulty", key, "f:a", "f:b").run()
        self.direct.script().set("faulty", "old", {"f:a": "0", "f:b": "0"}).run()
        return self._rows()

    def _each(
        self, counted: bytes, requests: int, program: Callable[[Braid], Any], after: State
    ) -> None:
        outcomes: Dict[str, int] = {}
        for number in range(1, requests + 1):
            for fault in FAULTS:
                with self.subTest(request=number, fault=fault):
                    told = self._one(counted, number, fault, program, after)
                    outcomes[told] = outcomes.get(told, 0) + 1
        self.assertEqual(set(outcomes), {"committed", "refused", "unknown"}, outcomes)

    def _one(
        self,
        counted: bytes,
        number: int,
        fault: str,
        program: Callable[[Braid], Any],
        after: State,
    ) -> str:
        before = self._before()
        proxy = FaultyProxy(counted, number, fault)
        request = ""
        try:
            with Braid(proxy.url, timeout=5) as db:
                program(db)
                told = "committed"
        except OutcomeUnknown as unknown:
            told, request = "unknown", unknown.request
        except BraidError:
            told = "refused"
        finally:
            proxy.close()
        allowed = {"committed": [after], "refused": [before], "unknown": [before, after]}[told]
        self.assertIn(self._rows(), allowed, told)
        if told == "unknown":
            settled = self.direct.settle(request)
            self.assertEqual(self._rows(), before if settled is None else after)
        elif fault.endswith("hinted once"):
            self.assertEqual(told, "committed")
        return told

    def test_an_open_transaction(self) -> None:
        def program(db: Braid) -> None:
            tx = db.transaction()
            tx.set("faulty", "new", {"f:a": "1", "f:b": "1"})
            carelessly(lambda: tx.get("faulty", "new"))
            tx.set("faulty", "new", {"f:a": "2"})
            tx.delete("faulty", "old", "f:a")
            carelessly(lambda: list(tx.scan("faulty")))
            tx.set("faulty", "new", {"f:b": "3"})
            tx.commit()

        after = {"old": {"f:b": "0"}, "new": {"f:a": "2", "f:b": "3"}}
        self._each(b"/v1/transactions", 4, program, after)

    def test_a_whole_transaction_in_one_request(self) -> None:
        def program(db: Braid) -> None:
            script = db.script().expect("faulty", "old", {"f:a": "0"}).get("faulty", "old")
            read = script.set("faulty", "old", {"f:a": "1"}).run()
            self.assertEqual(read, [{"f:a": "0", "f:b": "0"}])

        self._each(b"/run", 1, program, {"old": {"f:a": "1", "f:b": "0"}})

    def test_a_body_that_runs_again_on_conflicts_is_done_once(self) -> None:
        def more(tx: Any) -> None:
            n = int(tx.get("faulty", "old")["f:a"])
            tx.set("faulty", "old", {"f:a": str(n + 1)})

        after = {"old": {"f:a": "1", "f:b": "0"}}
        self._each(b"/v1/transactions", 3, lambda db: db.run(more), after)


def carelessly(read: Callable[[], Any]) -> None:
    try:
        read()
    except BraidError:
        pass


if __name__ == "__main__":
    unittest.main()
