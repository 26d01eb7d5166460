package io.braid.testkit.workload;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.KeyRange;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.testkit.history.Longs;
import io.braid.testkit.history.Op;
import java.util.ArrayList;
import java.util.List;

/**
 * A set whose members move: each transaction deletes one that it found by a scan and inserts a new
 * one, so that a scan of everything always counts the same. The numbers of members begin with the
 * number of their block; two blocks make a tablet.
 */
final class ScanWorkload implements Workload {
  private static final String FAMILY = "member";
  private static final Column<Long> MEMBER = Column.of(FAMILY, "of", Codecs.int64());
  private static final long WIDTH = 1_000_000_000_000L;
  private static final int BATCH = 500;

  private final int members;
  private final int blocks;
  private final WorkloadTable table;

  /**
   * @param members how many there always are
   */
  ScanWorkload(int members, int tablets) {
    this.members = members;
    this.blocks = 2 * tablets;
    this.table = WorkloadTable.of("scan-members", FAMILY, blocks * WIDTH, tablets);
  }

  @Override
  public String name() {
    return "scan";
  }

  @Override
  public List<WorkloadTable> tables() {
    return List.of(table);
  }

  @Override
  public void prepare(Client client) {
    for (int done = 0; done < members; done += BATCH) {
      int count = Math.min(BATCH, members - done);
      while (!client.transact((tx, ops) -> insertSome(client, tx, count, ops))) {}
    }
  }

  private void insertSome(Client client, Transaction tx, int count, List<Op> ops) {
    for (int i = 0; i < count; i++) {
      insert(client, tx, ops);
    }
  }

  private void insert(Client client, Transaction tx, List<Op> ops) {
    long block = client.random().nextInt(blocks);
    long member = block * WIDTH + client.journal().newValue();
    tx.set(table.row(member), MEMBER, member);
    ops.add(new Op.Insert(member));
  }

  @Override
  public boolean step(Client client) {
    if (client.random().nextInt(10) < 6) {
      return client.transact((tx, ops) -> move(client, tx, ops));
    }
    int from = client.random().nextInt(blocks);
    int to = from + 1 + client.random().nextInt(blocks - from);
    boolean all = client.random().nextInt(4) == 0;
    return client.read(
        (snapshot, ops) -> ops.add(all ? scan(snapshot, 0, blocks) : scan(snapshot, from, to)));
  }

  private void move(Client client, Transaction tx, List<Op> ops) {
    int block = client.random().nextInt(blocks);
    Op.Range found = scan(tx, block, block + 1);
    ops.add(found);
    if (found.members().isEmpty()) {
      return;
    }
    client.dawdle();
    long member = found.members().at(client.random().nextInt(found.members().size()));
    tx.delete(table.row(member), MEMBER);
    ops.add(new Op.Delete(member));
    insert(client, tx, ops);
    if (client.random().nextInt(4) == 0) {
      ops.add(scan(tx, block, block + 1));
    }
  }

  private Op.Range scan(Snapshot snapshot, long fromBlock, long toBlock) {
    long from = fromBlock * WIDTH;
    long to = toBlock * WIDTH;
    KeyRange range = new KeyRange(WorkloadTable.key(from), WorkloadTable.key(to));
    List<Long> found = new ArrayList<>();
    try (RowCursor rows = snapshot.scan(Scan.of(table.name()).range(range).family(FAMILY))) {
      rows.stream().forEach(values -> found.add(values.get(MEMBER).orElse(-1L)));
    }
    return new Op.Range(from, to, Longs.copyOf(found));
  }

  @Override
  public void audit(Client client) {
    while (!client.read((snapshot, ops) -> ops.add(scan(snapshot, 0, blocks)))) {}
  }
}
