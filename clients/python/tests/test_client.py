"""The client against a real server, named by BRAID_URL."""

from __future__ import annotations

import os
import socket
import threading
import time
import unittest
from typing import Any, Dict, List
from urllib.parse import urlsplit

from braid import BadRequest, Braid, ConditionFailed, Conflict, HeldByGroup, NotFound, OutcomeUnknown

URL = os.environ.get("BRAID_URL", "http://127.0.0.1:7800")
INPUTS = os.environ.get("BRAID_INPUTS", "")


class LosingProxy:
    """Passes connections on, and loses the answer of the next request that holds a word."""

    def __init__(self, url: str):
        parts = urlsplit(url)
        self._to = (parts.hostname or "127.0.0.1", parts.port or 80)
        self._server = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d" % self._server.getsockname()[1]
        self.losing = b""
        self.lost = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            threading.Thread(target=self._pass, args=(client,), daemon=True).start()

    def _pass(self, client: socket.socket) -> None:
        with client, socket.create_connection(self._to) as server:
            while True:
                asked = self._message(client)
                if not asked:
                    return
                server.sendall(asked)
                answer = self._message(server)
                if self.losing and self.losing in asked:
                    self.losing = b""
                    self.lost += 1
                    return
                client.sendall(answer)

    @staticmethod
    def _message(source: socket.socket) -> bytes:
        data = b""
        while b"\r\n\r\n" not in data:
            more = source.recv(65536)
            if not more:
                return b""
            data += more
        head, _, body = data.partition(b"\r\n\r\n")
        length = 0
        for line in head.split(b"\r\n"):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        while len(body) < length:
            body += source.recv(65536)
        return head + b"\r\n\r\n" + body

    def close(self) -> None:
        try:
            self._server.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._server.close()


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.db = Braid(URL)
        self.db.create_table("python", "f")
        for row in list(self.db.scan("python")):
            self.db.script().delete("python", row.key, *row.columns).run()

    def tearDown(self) -> None:
        self.db.close()

    def test_a_transaction_commits_at_the_end_and_rolls_back_on_an_exception(self) -> None:
        with self.db.transaction() as tx:
            tx.set("python", "bob", {"f:usd": "10", "f:eur": "2"})
            self.assertEqual(tx.get("python", "bob", "f:usd"), {"f:usd": "10"})
            self.assertEqual(self.db.get("python", "bob"), {})
        with self.assertRaises(ZeroDivisionError):
            with self.db.transaction() as tx:
                tx.set("python", "bob", {"f:usd": "0"})
                raise ZeroDivisionError
        self.assertEqual(self.db.get("python", "bob"), {"f:usd": "10", "f:eur": "2"})

    def test_concurrent_increments_all_count(self) -> None:
        self.db.script().set("python", "n", {"f:n": "0"}).run()

        def one_more() -> None:
            with Braid(URL) as db:
                for _ in range(5):
                    db.run(lambda tx: increment(tx))

        def increment(tx) -> None:  # type: ignore[no-untyped-def]
            n = int(tx.get("python", "n")["f:n"])
            tx.set("python", "n", {"f:n": str(n + 1)})

        threads = [threading.Thread(target=one_more) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(self.db.get("python", "n"), {"f:n": "20"})

    def test_attempts_run_again_on_a_conflict(self) -> None:
        tries = 0
        for attempt in self.db.attempts():
            with attempt as tx:
                tries += 1
                tx.get("python", "bob")
                tx.set("python", "bob", {"f:q": str(tries)})
                if tries == 1:
                    self.db.script().set("python", "bob", {"f:q": "other"}).run()
        self.assertEqual(tries, 2)
        self.assertEqual(self.db.get("python", "bob"), {"f:q": "2"})

    def test_a_conflict_without_attempts_is_told(self) -> None:
        with self.assertRaises(Conflict):
            with self.db.transaction() as tx:
                tx.set("python", "bob", {"f:q": "1"})
                self.db.script().set("python", "bob", {"f:q": "2"}).run()

    def test_conditions(self) -> None:
        self.db.script().expect("python", "a", {"f:q": None}).set("python", "a", {"f:q": "1"}).run()
        with self.assertRaises(ConditionFailed):
            self.db.script().expect("python", "a", {"f:q": None}).set(
                "python", "a", {"f:q": "2"}
            ).run()
        self.assertEqual(self.db.script().get("python", "a").run(), [{"f:q": "1"}])

    def test_bytes_and_odd_text_come_back_as_they_were(self) -> None:
        for key in (b"\x00\xff", "a/b?c d%", "back\\slash", "über", "\\x41"):
            self.db.script().set("python", key, {b"f:\xfe": b"\xff\x00", "f:t": "é\n"}).run()
            self.assertEqual(self.db.get("python", key), {b"f:\xfe": b"\xff\x00", "f:t": "é\n"})
            self.assertIn(key, [row.key for row in self.db.scan("python")])

    def test_a_scan_is_of_one_snapshot(self) -> None:
        script = self.db.script()
        for i in range(25):
            script.set("python", f"r{i:02}", {"f:q": "x"})
        script.run()
        seen: List[object] = []
        for row in self.db.scan("python", prefix="r", page=10):
            seen.append(row.key)
            if len(seen) == 5:
                self.db.script().delete("python", "r24", "f:q").run()
        self.assertEqual(seen, [f"r{i:02}" for i in range(25)])
        with self.db.transaction() as tx:
            self.assertEqual(len(list(tx.scan("python", limit=7))), 7)

    def test_what_is_wrong_is_told(self) -> None:
        with self.assertRaises(NotFound):
            self.db.get("nowhere", "r")
        with self.assertRaises(BadRequest):
            self.db.script().set("python", "", {"f:q": "1"}).run()
        with self.assertRaises(TypeError):
            self.db.script().set("python", "r", {"f:q": 7})  # type: ignore[dict-item]

    def test_a_lost_answer_changes_nothing_twice(self) -> None:
        proxy = LosingProxy(URL)
        with Braid(proxy.url, timeout=5) as db:
            proxy.losing = b"POST /v1/transactions/run"
            db.script().set("python", "lost", {"f:q": "1"}).get("python", "lost").run()
            with db.transaction() as tx:
                tx.set("python", "lost", {"f:n": "1"})
                proxy.losing = b"/commit"
            self.assertEqual(proxy.lost, 2)
            self.assertEqual(self.db.get("python", "lost"), {"f:q": "1", "f:n": "1"})
        proxy.close()

    def test_a_group_owns_its_rows(self) -> None:
        table = "python"
        with self.db.group([(table, "bob"), (table, "\xff")]) as group:
            group.script().set(table, "bob", {"f:n": "1"}).run()
            with self.assertRaises(HeldByGroup):
                self.db.script().set(table, "bob", {"f:n": "2"}).run()
            with self.assertRaises(Conflict) as refused:
                self.db.group([(table, "bob"), (table, "joe")])
            self.assertEqual(refused.exception.body["not_joined"][0]["row"], "bob")
            with self.assertRaises(ConditionFailed):
                group.script().expect(table, "bob", {"f:n": "2"}).run()
            read = group.script().get(table, "bob", "f:n").run()
            self.assertEqual(read, [{"f:n": "1"}])
            self.assertEqual(self.db.open_group(group.name).name, group.name)
        self.assertEqual(self.db.get(table, "bob"), {"f:n": "1"})

    def test_a_job_that_is_not_there(self) -> None:
        with self.assertRaises(NotFound):
            self.db.job("none")

    def _ended(self, job: str) -> Dict[str, Any]:
        for _ in range(1000):
            now = self.db.job(job)
            if not now["working"]:
                return now
            time.sleep(0.02)
        raise AssertionError(f"job {job} does not end")

    @unittest.skipUnless(INPUTS, "the server loads no files")
    def test_what_remains_of_a_load_is_decided_about(self) -> None:
        with open(os.path.join(INPUTS, "remains.csv"), "w", encoding="utf-8") as out:
            out.write("id,n\n" + "".join(f"l{i},{i if i % 5 else 'many'}\n" for i in range(20)))
        mapping = {"key": "id", "columns": {"n": {"column": "f:n", "type": "int64"}}}
        self.db.load("remains", "python", ["remains.csv"], mapping, atomic=True)
        stands = self._ended("remains")
        self.assertEqual(stands["state"], "remainder")
        self.assertTrue(stands["atomic"] and stands["waits"])
        self.assertEqual(stands["may"], ["retry", "commit", "cancel"])
        jobs = self.db.jobs()
        self.assertIn("remains", [each["job"] for each in jobs.list()])
        jobs.retry("remains")
        self._ended("remains")
        self.assertEqual(
            [(each["round"], each["end"]) for each in jobs.attempts("remains", page=1)],
            [(1, "done"), (0, "done")],
        )
        codes = [each["code"] for each in jobs.log("remains", round=0, page=3)]
        self.assertEqual(codes, ["WRONG_TYPE"] * 4)
        self.assertEqual(list(jobs.log("remains", "unread")), [])
        self.assertEqual(self.db.get("python", "l1"), {})
        jobs.commit("remains")
        self.assertEqual(self._ended("remains")["state"], "done")
        self.assertIn("f:n", self.db.get("python", "l1"))
        with self.assertRaises(Conflict):
            jobs.commit("remains")
        self.assertEqual(jobs.cancel("remains")["state"], "done")

    def test_an_outcome_that_cannot_be_asked_for_is_told_and_settled_later(self) -> None:
        proxy = LosingProxy(URL)
        self.addCleanup(proxy.close)
        db = Braid(proxy.url, timeout=5)
        with self.assertRaises(OutcomeUnknown) as caught:
            with db.transaction() as tx:
                tx.set("python", "gone", {"f:q": "1"})
                tx.get("python", "gone")
                proxy.close()
                db.close()
        self.assertIsNone(self.db.settle(caught.exception.request))
        self.assertEqual(self.db.get("python", "gone"), {})


if __name__ == "__main__":
    unittest.main()
