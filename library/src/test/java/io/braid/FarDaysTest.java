package io.braid;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.backup.Backup;
import io.braid.changes.feed.ChangeBatch;
import io.braid.changes.feed.ChangeFeed;
import io.braid.changes.feed.ChangeLine;
import io.braid.changes.feed.FeedPump;
import io.braid.changes.feed.FileSink;
import io.braid.changes.feed.Position;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionId;
import io.braid.store.rocksdb.RocksOptions;
import io.braid.store.rocksdb.RocksStore;
import io.braid.testkit.runtime.Days;
import io.braid.view.Moment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is printed on days to come is read again, and everything stored. Fault 85. */
class FarDaysTest {
  private static final Column<String> VALUE = Column.of("f", "value", Codecs.utf8());
  private static final Row ROW = Row.of("t", "r");
  private static final Backup QUIET = new Backup((step, done) -> {});

  @TempDir Path dir;

  private Braid open(String day) {
    Path data = dir.resolve("data");
    try (RocksStore store = RocksStore.open(data, RocksOptions.defaults())) {
      Days.begin(store, day);
    }
    Braid db = Braid.open(data, BraidConfig.defaults().with(Setting.STORE_MEMORY, "16 MiB"));
    db.ensureTable("t", "f");
    db.changes().keep("t", Duration.ofDays(1));
    return db;
  }

  private static void put(Braid db, String value) {
    db.run(
        tx -> {
          tx.set(ROW, VALUE, value);
          return 0;
        });
  }

  private static String at(Braid db, String moment) {
    try (Snapshot then = Moment.open(db, moment)) {
      return then.get(ROW, VALUE).orElse("");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Days.NINETEEN_DIGITS, Days.BEYOND_32_BITS, Days.LAST})
  void momentsThatWerePrintedAreRead(String day) {
    try (Braid db = open(day)) {
      put(db, "1");
      long then;
      try (Snapshot now = db.snapshot()) {
        then = now.timestamp();
      }
      db.transactions().pin("then", then);
      put(db, "2");

      assertThat(Timestamp.instant(then)).isAfterOrEqualTo(Instant.parse(day));
      assertThat(at(db, Long.toString(then))).isEqualTo("1");
      assertThat(at(db, Timestamp.toText(then))).isEqualTo("1");
      assertThat(at(db, "then")).isEqualTo("1");
      assertThat(Moment.timestamp(db, Timestamp.toText(then))).isEqualTo(then);
      try (Transaction tx = db.transactions().begin()) {
        tx.set(ROW, VALUE, "3");
        tx.commit();
        TransactionId id = tx.id().orElseThrow();
        assertThat(TransactionId.parse(id.toString())).isEqualTo(id);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Days.NINETEEN_DIGITS, Days.BEYOND_32_BITS, Days.LAST})
  void aFeedGoesOnFromItsFile(String day) throws IOException {
    Path file = dir.resolve("feed.jsonl");
    try (Braid db = open(day)) {
      for (String value : List.of("1", "2")) {
        put(db, value);
        try (FileSink sink = new FileSink(file)) {
          ChangeFeed feed = db.changes("t", sink.position("t").orElse(null));
          new FeedPump(feed, sink, new SystemSeams()).run(false, () -> false);
        }
      }
      ChangeFeed feed = db.changes("t", null);
      feed.catchUp();
      ChangeBatch first = feed.next(1);
      Position printed = Position.parse(first.position().toString());
      assertThat(db.changes("t", printed).next(9).changes()).hasSize(1);
    }
    assertThat(Files.readAllLines(file).stream().map(ChangeLine::parse))
        .filteredOn(line -> line.change() != null)
        .hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {Days.NINETEEN_DIGITS, Days.BEYOND_32_BITS, Days.LAST})
  void backupsAndIncrementsAreRestored(String day) {
    Path full = dir.resolve("full");
    Path more = dir.resolve("more");
    try (Braid db = open(day)) {
      put(db, "1");
      QUIET.create(db, full);
      put(db, "2");
      QUIET.increment(db, full, more);
    }
    QUIET.verify(full);
    QUIET.verify(more);
    QUIET.restore(full, List.of(more), dir.resolve("copy"));
    try (Braid db = Braid.open(dir.resolve("copy"));
        Snapshot now = db.snapshot()) {
      assertThat(now.get(ROW, VALUE)).contains("2");
    }
  }
}
