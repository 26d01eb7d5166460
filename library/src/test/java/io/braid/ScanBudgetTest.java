package io.braid;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.changes.feed.Change;
import io.braid.changes.feed.ChangeFeed;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.testkit.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fault 67: a scan holds few rows at a time when they are large, and many when they are small. */
class ScanBudgetTest {
  private static final Column<Bytes> BLOB = Column.of("f", "blob", Codecs.bytes());
  private static final int MIB = 1 << 20;
  private static final int SMALL = 400;
  private static final int LARGE = 40;

  /** Notes how many rows are looked at more closely with one call. */
  private static final class Counting extends ForwardingStore {
    private int most;

    Counting(CellStore store) {
      super(store);
    }

    @Override
    public <A, R> List<Outcome<R>> execute(
        Procedure<A, R> procedure, List<A> arguments, Durability durability) {
      if (procedure.readOnly()) {
        most = Math.max(most, arguments.size());
      }
      return super.execute(procedure, arguments, durability);
    }
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void largeValuesAreFetchedAFewAtATime(Protocol protocol) {
    Counting store = new Counting(new MemoryStore());
    try (Braid db = Braid.over(store, BraidConfig.defaults())) {
      db.ensureTable("t", protocol, "f");
      List<Bytes> written = new ArrayList<>();
      for (int i = 0; i < SMALL + LARGE; i++) {
        // Small ones first: the scan has grown its lists when the large ones come.
        Bytes value = Bytes.wrap(new byte[i < SMALL ? 10 : MIB / 4]);
        Row row = Row.of("t", "k%05d".formatted(i));
        db.run(
            tx -> {
              tx.set(row, BLOB, value);
              return 0;
            });
        written.add(value);
      }
      store.most = 0;
      try (Snapshot now = db.snapshot();
          RowCursor rows = now.scan(Scan.of("t").column(BLOB))) {
        int count = 0;
        while (rows.hasNext()) {
          RowValues row = rows.next();
          assertThat(row.get(BLOB)).contains(written.get(count));
          count++;
        }
        assertThat(count).isEqualTo(written.size());
      }
      assertThat(store.most).isBetween(2, 6);
    }
  }

  @Test
  void aFeedBringsAFewLargeChangesAtATime() {
    try (Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults())) {
      db.ensureTable("t", "f");
      db.changes().keep("t", Duration.ofDays(1));
      for (int i = 0; i < LARGE; i++) {
        Row row = Row.of("t", "k%05d".formatted(i));
        db.run(
            tx -> {
              tx.set(row, BLOB, Bytes.wrap(new byte[MIB]));
              return 0;
            });
      }
      ChangeFeed feed = db.changes().feed("t", null);
      feed.catchUp();
      int all = 0;
      List<Change> some = feed.next(1000).changes();
      while (!some.isEmpty()) {
        assertThat(some).hasSizeLessThanOrEqualTo(5);
        all += some.size();
        some = feed.next(1000).changes();
      }
      assertThat(all).isEqualTo(LARGE);
    }
  }
}
