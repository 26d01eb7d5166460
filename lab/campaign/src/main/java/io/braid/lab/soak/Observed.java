package io.braid.lab.soak;

import io.braid.Braid;
import io.braid.changes.feed.Change;
import io.braid.changes.feed.ChangeBatch;
import io.braid.changes.feed.ChangeFeed;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.observers.Observer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Rows that an observer copies, and whose changes a feed reports: both end with the same. */
final class Observed implements Load {
  private static final String TABLE = "soak-observed";
  private static final Column<Long> IN = Column.of("f", "in", Codecs.int64());
  private static final Column<Long> OUT = Column.of("f", "out", Codecs.int64());
  private static final int ROWS = 500;

  /** Longer than a load may stall: otherwise the feed is cut off before. */
  private static final Duration KEPT = Soak.PATIENCE.multipliedBy(2);

  private static final Duration WAIT = Duration.ofSeconds(10);

  private final Braid db;
  private final SplittableRandom random = new SplittableRandom(5);
  private final ChangeFeed feed;
  private final Map<Row, Bytes> told = new HashMap<>();

  Observed(Braid db) {
    this.db = db;
    db.ensureTable(TABLE, "f");
    db.changes().keep(TABLE, KEPT);
    this.feed = db.changes(TABLE, null);
    db.observe(
        Observer.of(
            "soak-copy", TABLE, IN, (tx, row) -> tx.set(row, OUT, tx.get(row, IN).orElse(0L))));
  }

  @Override
  public String name() {
    return "observers";
  }

  @Override
  public void step() {
    db.run(
        tx -> {
          for (int i = 0; i < 10; i++) {
            tx.set(Row.of(TABLE, "row" + random.nextInt(ROWS)), IN, random.nextLong());
          }
          return ROWS;
        });
    follow();
  }

  /** Takes what the feed has. */
  private void follow() {
    ChangeBatch batch = feed.next(1_000);
    for (Change change : batch.changes()) {
      @Nullable Bytes value = change.columns().get(IN.name());
      if (value != null) {
        told.put(change.row(), value);
      }
    }
  }

  @Override
  public void check() {
    if (!db.awaitObserversIdle(WAIT)) {
      throw new NotDoneException("Observers still have to run.");
    }
    feed.catchUp();
    Map<Row, Bytes> stand = new HashMap<>();
    try (Snapshot now = db.snapshot();
        RowCursor rows = now.scan(Scan.of(TABLE).family("f"))) {
      while (rows.hasNext()) {
        RowValues row = rows.next();
        stand.put(row.row(), IN.codec().encode(row.get(IN).orElse(0L)));
        WrongException.unless(
            row.get(IN).equals(row.get(OUT)),
            "Row " + row.row() + " is " + row.get(IN) + ", its copy is " + row.get(OUT) + ".");
      }
      while (feed.position().timestamp() < now.timestamp()) {
        follow();
      }
    }
    WrongException.unless(told.equals(stand), "The feed of " + TABLE + " tells something else.");
  }
}
