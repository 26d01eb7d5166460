package io.braid;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowWrite;
import io.braid.groups.Group;
import io.braid.testkit.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the life of a group asks of the store, call by call; see decision 070. */
class GroupTripsTest {
  private static final Column<Long> CHIPS = Column.of("f", "chips", Codecs.int64());

  private static final List<Row> PLAYERS =
      IntStream.range(0, 50).mapToObj(i -> Row.of("players", "p" + i)).toList();

  /** Notes the calls of one thread, with what they ask for. */
  private static final class Noting extends ForwardingStore {
    private final Thread client = Thread.currentThread();
    private final List<String> calls = new ArrayList<>();

    Noting(CellStore store) {
      super(store);
    }

    private void note(String call) {
      if (Thread.currentThread() == client) {
        calls.add(call);
      }
    }

    List<String> take() {
      List<String> taken = List.copyOf(calls);
      calls.clear();
      return taken;
    }

    @Override
    public <A, R> List<Outcome<R>> execute(
        Procedure<A, R> procedure, List<A> arguments, Durability durability) {
      note(procedure.name() + (procedure.readOnly() ? "" : " " + durability));
      return super.execute(procedure, arguments, durability);
    }

    @Override
    public List<RowCells> read(List<RowRead> requests) {
      note("read");
      return super.read(requests);
    }

    @Override
    public List<Outcome<Void>> write(List<RowWrite> writes, Durability durability) {
      note("write " + durability);
      return super.write(writes, durability);
    }
  }

  private static Braid open(CellStore store) {
    BraidConfig config = BraidConfig.defaults().with(Setting.DURABILITY.key(), "synced");
    Braid db = Braid.over(store, config);
    db.ensureTable("players", "f");
    db.groups();
    return db;
  }

  /**
   * One sync when it is formed; when it ends, one that ships the rest, and then one that says so.
   */
  @Test
  void aLifeTakesFewTripsAndFewerSyncs() {
    Noting store = new Noting(new MemoryStore());
    try (Braid db = open(store)) {
      db.group(PLAYERS).close();
      store.take();
      Group group = db.group(PLAYERS);
      assertThat(store.take())
          .containsExactly(
              "groups.change-record ORDERED",
              "groups.take-hold ORDERED",
              "groups.change-record SYNCED");
      PLAYERS.forEach(row -> group.run(tx -> tx.get(row, CHIPS)));
      assertThat(store.take()).hasSizeLessThanOrEqualTo(2);
      group.update(tx -> PLAYERS.forEach(row -> tx.set(row, CHIPS, 5L)));
      assertThat(store.take()).containsExactly("groups.append-log SYNCED");
      group.close();
      List<String> end = store.take();
      assertThat(end)
          .filteredOn(call -> call.startsWith("groups."))
          .extracting(call -> call.replaceAll(" (ORDERED|SYNCED|BUFFERED)", ""))
          .containsExactly("groups.change-record", "groups.release-hold", "groups.change-record");
      List<String> synced = end.stream().filter(call -> call.endsWith("SYNCED")).toList();
      assertThat(synced).hasSizeLessThanOrEqualTo(2);
      // What was committed last may have been shipped in the background.
      assertThat(synced.get(synced.size() - 1)).startsWith("groups.change-record");
    }
  }

  /** Else a machine that dies may leave a live group some of whose rows are free. */
  @Test
  void thatAGroupIsBeingDeletedIsSyncedWhenNothingIsShippedAfterwards() {
    Noting store = new Noting(new MemoryStore());
    try (Braid db = open(store)) {
      Group group = db.group(PLAYERS);
      store.take();
      group.close();
      assertThat(store.take())
          .containsExactly(
              "groups.change-record SYNCED",
              "groups.release-hold BUFFERED",
              "groups.change-record BUFFERED");
    }
  }
}
