package io.braid.simulation.workload;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.testkit.history.Longs;
import io.braid.testkit.history.Op;
import java.util.ArrayList;
import java.util.List;

/** A set whose members come, are counted by scans, and go. */
public final class MemberWorkload implements Workload {
  public static final String TABLE = "members";
  public static final String FAMILY = "f";

  /** Members are numbers below this; they are taken in an order that spreads them. */
  public static final int SPACE = 100_003;

  private static final int STRIDE = 61_803;
  private static final int KEPT = 40;
  private static final Column<Long> IS = Column.of(FAMILY, "is", Codecs.int64());

  private final Journal journal;
  private final List<Long> present = new ArrayList<>();
  private long taken;

  public MemberWorkload(Journal journal) {
    this.journal = journal;
  }

  @Override
  public String name() {
    return "scan";
  }

  @Override
  public Journal journal() {
    return journal;
  }

  @Override
  public void prepare(Client client) {
    insertSome(client);
  }

  @Override
  public void step(Client client) {
    int kind = client.random().nextInt(10);
    if (kind < 5 && taken < SPACE - 3) {
      if (present.size() < KEPT + client.random().nextInt(KEPT)) {
        insertSome(client);
      } else {
        deleteSome(client);
      }
    } else if (kind < 9) {
      journal.reading(client, (snapshot, ops) -> scan(client, snapshot, ops));
    } else {
      journal.transaction(client, (tx, ops) -> scanBehindOwnWrites(client, tx, ops));
    }
  }

  private long take() {
    return ++taken * STRIDE % SPACE;
  }

  private void insertSome(Client client) {
    List<Long> members = new ArrayList<>();
    boolean committed =
        journal.transaction(
            client,
            (tx, ops) -> {
              for (int i = client.random().nextInt(3); i >= 0; i--) {
                long member = take();
                insert(tx, member, ops);
                members.add(member);
              }
            });
    if (committed) {
      present.addAll(members);
    }
  }

  private static void insert(Transaction tx, long member, List<Op> ops) {
    tx.set(row(member), IS, member);
    ops.add(new Op.Insert(member));
  }

  /**
   * Deletes some members. Each deletion comes with an insertion, which shows whether it happened.
   */
  private void deleteSome(Client client) {
    journal.transaction(
        client,
        (tx, ops) -> {
          insert(tx, take(), ops);
          for (int i = client.random().nextInt(4); i >= 0 && !present.isEmpty(); i--) {
            long member = present.remove(client.random().nextInt(present.size()));
            if (tx.get(row(member), IS).isPresent()) {
              tx.delete(row(member), IS);
              ops.add(new Op.Delete(member));
            }
          }
        });
  }

  private void scan(Client client, Snapshot snapshot, List<Op> ops) {
    long from = client.random().nextInt(SPACE);
    long to = from + 1 + client.random().nextLong(SPACE - from);
    ops.add(range(snapshot, from, to));
  }

  private void scanBehindOwnWrites(Client client, Transaction tx, List<Op> ops) {
    insert(tx, take(), ops);
    client.dawdle();
    scan(client, tx, ops);
  }

  private static Op.Range range(Snapshot snapshot, long from, long to) {
    List<Long> members = new ArrayList<>();
    KeyRange keys = new KeyRange(Bytes.of(Keys.of(from)), Bytes.of(Keys.of(to)));
    try (RowCursor cursor = snapshot.scan(Scan.of(TABLE).range(keys).family(FAMILY))) {
      while (cursor.hasNext()) {
        members.add(cursor.next().get(IS).orElseThrow());
      }
    }
    return new Op.Range(from, to, Longs.copyOf(members));
  }

  @Override
  public void audit(Client client) {
    journal.surely(client, (snapshot, ops) -> ops.add(range(snapshot, 0, SPACE)));
  }

  private static Row row(long member) {
    return Row.of(TABLE, Keys.of(member));
  }
}
