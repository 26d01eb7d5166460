"""Uses every strand of a Braid server once; with --again, finds everything there.

    BRAID_URL=http://127.0.0.1:7800 python3 examples/strands.py BUILT
    BRAID_URL=http://127.0.0.1:7800 python3 examples/strands.py --again

BUILT is a folder with two versions of a served store 'people', as 'braid store build' makes them. The
server was started with the directory of people.csv as server.inputs, and with a program
whose observer copies 'shop:order' to 'shop:seen'.
"""

import os
import sys
import time

from braid import Braid, Conflict, HeldByGroup, NotFound

URL = os.environ.get("BRAID_URL", "http://127.0.0.1:7800")


def until(what, find):
    """Waits for what another does in the background."""
    end = time.monotonic() + 30
    while True:
        found = find()
        if found:
            return found
        if time.monotonic() > end:
            sys.exit(f"Waited in vain for {what}.")
        time.sleep(0.05)


def same(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: {found!r} instead of {wanted!r}")
    print(f"{what}: {found!r}")


def first(db, built):
    # Transactions, and the past.
    db.create_table("accounts", "balance")
    with db.transaction() as tx:
        tx.set("accounts", "bob", {"balance:usd": "10"})
        tx.set("accounts", "joe", {"balance:usd": "0"})
    before = int(db.get("accounts", "bob")["balance:usd"])
    with db.transaction() as late:
        moment = late.start

    def move(tx):
        usd = int(tx.get("accounts", "bob")["balance:usd"])
        tx.set("accounts", "bob", {"balance:usd": str(usd - 3)})
        tx.set("accounts", "joe", {"balance:usd": "3"})

    db.run(move)
    same("before", before, 10)
    same("at a snapshot", db.get("accounts", "bob", at=moment), {"balance:usd": "10"})

    # The fast path.
    db.create_table("counters", "n", protocol="omid")
    fast = db.fast()
    fast.write("counters", "clicks", {"n:total": "1"})
    seen = fast.read("counters", "clicks", "n:total")
    fast.write("counters", "clicks", {"n:total": "2"}, if_version=seen.version)
    try:
        fast.write("counters", "clicks", {"n:total": "3"}, if_version=seen.version)
        sys.exit("A write was done although another came between.")
    except Conflict:
        print("fast path: a conflict is told")

    # An observer of the server's program.
    db.script().set("shop", "order-1", {"shop:order": "tea"}).run()

    # A key group, which stays over the restart.
    group = db.group([("accounts", "ann"), ("accounts", "eve")], name="table-1")
    group.script().set("accounts", "ann", {"balance:usd": "5"}).run()
    try:
        db.script().set("accounts", "ann", {"balance:usd": "6"}).run()
        sys.exit("Somebody outside wrote to a row of a group.")
    except HeldByGroup:
        print("group: others are refused")

    # A load.
    db.create_table("people", "info")
    db.load("load-1", "people", ["people.csv"], {"key": "id", "family": "info"}, atomic=True)
    until("the load", lambda: db.job("load-1")["state"] == "done")

    # A served store: swapped in, swapped again, rolled back.
    people = db.store("people")
    for version in (1, 2):
        same("swapped in", people.swap(people.fetch(f"{built}/{version}/node-0")), version)
    same("rolled back to", people.rollback(), 1)


def again(db):
    same("bob", db.get("accounts", "bob"), {"balance:usd": "7"})
    same("joe", db.get("accounts", "joe"), {"balance:usd": "3"})
    same("clicks", db.fast().read("counters", "clicks", "n:total").columns, {"n:total": "2"})
    same(
        "order",
        until("the observer", lambda: db.get("shop", "order-1", "shop:seen")),
        {"shop:seen": "tea"},
    )
    same("ann, in her group", db.open_group("table-1").script()
         .get("accounts", "ann", "balance:usd").run(), [{"balance:usd": "5"}])
    same("people", [row.key for row in db.scan("people")], ["1", "2"])
    same("the load", db.job("load-1")["counts"]["written"], 2)
    people = db.store("people")
    same("live", people.versions()["live"], 1)
    same("name", people.get("1"), b'{"name":"Ada"}')
    same("nobody", people.get("7"), None)
    same("observers", [each["dead_letters"] for each in db.observers().list()], [0])
    try:
        db.get("nowhere", "r")
    except NotFound:
        print("everything is there")


if __name__ == "__main__":
    with Braid(URL) as database:
        if sys.argv[1:] != ["--again"]:
            first(database, sys.argv[1])
        again(database)
