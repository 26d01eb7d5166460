package io.braid.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.changes.feed.Change;
import io.braid.changes.feed.ChangeFeed;
import io.braid.changes.feed.ChangesException;
import io.braid.changes.feed.FeedPump;
import io.braid.changes.feed.FileSink;
import io.braid.changes.feed.Position;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionException;
import io.braid.core.transaction.TransactionId;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.view.Moment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A restored database speaks of its own history only: positions, pins and moments of the database
 * that it was restored from are refused where the two differ. Fault 87.
 */
class RestoredHistoryTest {
  private static final Column<String> VALUE = Column.of("f", "value", Codecs.utf8());
  private static final Row ROW = Row.of("t", "r");
  private static final Backup QUIET = new Backup((step, done) -> {});

  @TempDir Path dir;

  private Braid open(String name) {
    return Braid.open(
        dir.resolve(name), BraidConfig.defaults().with(Setting.STORE_MEMORY, "16 MiB"));
  }

  private Braid begin(String name) {
    Braid db = open(name);
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

  private void bring(Braid db, String file) throws IOException {
    try (FileSink sink = new FileSink(dir.resolve(file))) {
      ChangeFeed feed = db.changes("t", sink.position("t").orElse(null));
      new FeedPump(feed, sink, new SystemSeams()).run(false, () -> false);
    }
  }

  private Position reached(String file) throws IOException {
    try (FileSink sink = new FileSink(dir.resolve(file))) {
      return sink.position("t").orElseThrow();
    }
  }

  private static List<String> values(Braid db, Position since) {
    ChangeFeed feed = db.changes("t", since);
    feed.catchUp();
    List<String> values = new ArrayList<>();
    for (Change each : feed.next(100).changes()) {
      each.columns().values().forEach(value -> values.add(value == null ? "" : value.toUtf8()));
    }
    return values;
  }

  private static void refused(Braid db, String moment) {
    assertThatThrownBy(() -> Moment.open(db, moment).close())
        .as(moment)
        .isInstanceOfSatisfying(
            TransactionException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.SNAPSHOT_TOO_OLD));
  }

  /**
   * What is resolved up to a moment to come is told so, and what is committed then never comes.
   * Fault 84.
   */
  @Test
  void aFeedDoesNotBeginInTheFuture() {
    try (Braid db = begin("data")) {
      put(db, "1");
      for (long each :
          new long[] {
            Timestamp.ofWallMillis(System.currentTimeMillis() + 3_600_000), Timestamp.MAX
          }) {
        assertThatThrownBy(() -> db.changes("t", Position.after(each)))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("has not given out timestamp");
      }
      try (Snapshot now = db.snapshot()) {
        assertThat(values(db, Position.after(now.timestamp()))).isEmpty();
      }
    }
  }

  @Test
  void aFileOfTheSourceIsNotFedByTheCopy() throws IOException {
    try (Braid db = begin("data")) {
      put(db, "1");
      bring(db, "early");
      QUIET.create(db, dir.resolve("full"));
      put(db, "2");
      bring(db, "late");
      put(db, "3");
      QUIET.increment(db, dir.resolve("full"), dir.resolve("more"));
    }
    QUIET.restore(dir.resolve("full"), dir.resolve("copy"));
    QUIET.restore(dir.resolve("full"), List.of(dir.resolve("more")), dir.resolve("both"));
    byte[] before = Files.readAllBytes(dir.resolve("late"));
    for (String restored : List.of("copy", "both")) {
      try (Braid db = open(restored)) {
        put(db, "other");
        assertThatThrownBy(() -> bring(db, "late"))
            .isInstanceOf(ChangesException.class)
            .hasMessageContaining("is of another database");
        assertThat(dir.resolve("late")).hasBinaryContent(before);
        // Up to the backup both have the same feed.
        assertThat(values(db, reached("early"))).last().isEqualTo("other");
        assertThat(values(db, reached("early"))).doesNotContain("1");
        bring(db, "of-" + restored);
      }
    }
    // Its own file goes on in each of them, and in no other.
    try (Braid db = open("copy")) {
      bring(db, "of-copy");
      assertThatThrownBy(() -> bring(db, "of-both")).isInstanceOf(ChangesException.class);
    }
    try (Braid db = open("data")) {
      bring(db, "early");
      bring(db, "late");
      assertThatThrownBy(() -> bring(db, "of-copy")).isInstanceOf(ChangesException.class);
    }
  }

  @Test
  void aCopyOfACopyGoesOnWhereBothAreTheSame() throws IOException {
    try (Braid db = begin("data")) {
      put(db, "1");
      bring(db, "file");
      QUIET.create(db, dir.resolve("full"));
      put(db, "2");
    }
    QUIET.restore(dir.resolve("full"), dir.resolve("copy"));
    try (Braid db = open("copy")) {
      put(db, "3");
      QUIET.create(db, dir.resolve("second"));
    }
    QUIET.restore(dir.resolve("second"), dir.resolve("third"));
    try (Braid db = open("third")) {
      assertThat(values(db, reached("file"))).containsExactly("3");
      bring(db, "file");
      bring(db, "file");
    }
    try (Braid db = open("copy")) {
      assertThatThrownBy(() -> bring(db, "file")).isInstanceOf(ChangesException.class);
    }
  }

  @Test
  void aRestoredDatabaseKnowsNoPast() {
    long then;
    String time;
    try (Braid db = begin("data")) {
      put(db, "1");
      try (Snapshot now = db.snapshot()) {
        then = now.timestamp();
        time = Timestamp.instant(then).plusMillis(1).toString();
      }
      db.transactions().pin("then", then);
      QUIET.create(db, dir.resolve("full"));
      put(db, "2");
      QUIET.increment(db, dir.resolve("full"), dir.resolve("more"));
      QUIET.createOfRows(db, dir.resolve("rows"));
    }
    QUIET.restore(dir.resolve("full"), dir.resolve("copy"));
    QUIET.restore(dir.resolve("full"), List.of(dir.resolve("more")), dir.resolve("both"));
    QUIET.restore(dir.resolve("rows"), dir.resolve("of-rows"));
    for (String restored : List.of("copy", "both", "of-rows")) {
      try (Braid db = open(restored)) {
        refused(db, Long.toString(then));
        refused(db, time);
        refused(db, "1 h ago");
        if (restored.equals("copy")) {
          refused(db, "then");
        }
        try (Snapshot now = db.snapshot();
            Snapshot again = db.transactions().snapshotAt(now.timestamp())) {
          put(db, "3");
          assertThat(again.get(ROW, VALUE)).contains(restored.equals("copy") ? "1" : "2");
        }
      }
    }
  }

  private long commit(Braid db, String value) {
    try (Transaction tx = db.transactions().begin()) {
      tx.set(ROW, VALUE, value);
      return tx.commit();
    }
  }

  private String restoredAt(long moment, String... folders) {
    List<Path> increments = Stream.of(folders).skip(1).map(dir::resolve).toList();
    Path to = dir.resolve("at-" + moment + "-" + folders.length);
    assertThat(QUIET.restore(dir.resolve(folders[0]), increments, moment, to).timestamp())
        .isEqualTo(moment);
    try (Braid db = Braid.open(to);
        Snapshot now = db.snapshot()) {
      return now.get(ROW, VALUE).orElse("");
    }
  }

  private void notAt(long moment, String why, String... folders) {
    List<Path> increments = Stream.of(folders).skip(1).map(dir::resolve).toList();
    assertThatThrownBy(
            () ->
                QUIET.restore(
                    dir.resolve(folders[0]), increments, moment, dir.resolve("not-there")))
        .isInstanceOfSatisfying(
            BraidException.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.BACKUP))
        .hasMessageContaining(why);
    assertThat(dir.resolve("not-there")).doesNotExist();
  }

  @Test
  void aRestoreStopsAtAnyMomentOfAnIncrement() {
    long[] at = new long[4];
    long before;
    try (Braid db = begin("data")) {
      before = commit(db, "0");
      QUIET.create(db, dir.resolve("full"));
      QUIET.createOfRows(db, dir.resolve("rows"));
      at[0] = commit(db, "1");
      QUIET.increment(db, dir.resolve("full"), dir.resolve("more"));
      QUIET.increment(db, dir.resolve("rows"), dir.resolve("after-rows"));
      at[1] = commit(db, "2");
      at[2] = commit(db, "3");
      at[3] = commit(db, "4");
      QUIET.increment(db, dir.resolve("more"), dir.resolve("most"));
      db.ensureTable("new", "f");
      QUIET.increment(db, dir.resolve("most"), dir.resolve("mixed"));
      db.dropTable("new");
      QUIET.increment(db, dir.resolve("mixed"), dir.resolve("dropped"));
      commit(db, "5");
    }
    assertThat(restoredAt(at[1], "full", "more", "most")).isEqualTo("2");
    assertThat(restoredAt(at[1] + 1, "full", "more", "most")).isEqualTo("2");
    assertThat(restoredAt(at[2], "full", "more", "most")).isEqualTo("3");
    assertThat(restoredAt(at[2] - 1, "full", "more", "most")).isEqualTo("2");
    assertThat(restoredAt(at[0], "rows", "after-rows")).isEqualTo("1");
    notAt(at[0], "may hold what was committed up to", "full", "more", "most");
    notAt(before, "may hold what was committed up to", "full", "more");
    notAt(at[1], "it lies after", "full", "more");
    notAt(at[1], "name the increment", "full");
    long mixed = QUIET.verify(dir.resolve("mixed")).timestamp();
    notAt(mixed - 1, "all rows of table new", "full", "more", "most", "mixed");
    long dropped = QUIET.verify(dir.resolve("dropped")).timestamp();
    notAt(dropped - 1, "table new was dropped", "full", "more", "most", "mixed", "dropped");
  }

  @Test
  void whatBecameOfATransactionOfTheSourceIsNotKnownByTheCopy() {
    TransactionId id;
    try (Braid db = begin("data")) {
      QUIET.create(db, dir.resolve("full"));
      try (Transaction tx = db.transactions().begin()) {
        tx.set(ROW, VALUE, "1");
        tx.commit();
        id = tx.id().orElseThrow();
      }
      QUIET.increment(db, dir.resolve("full"), dir.resolve("more"));
    }
    QUIET.restore(dir.resolve("full"), List.of(dir.resolve("more")), dir.resolve("both"));
    try (Braid db = open("both");
        Snapshot now = db.snapshot()) {
      assertThat(now.get(ROW, VALUE)).contains("1");
      assertThat(db.transactions().outcome(id)).isInstanceOf(TransactionOutcome.Unknown.class);
    }
  }

  @Test
  void aPositionIsAMomentOfItsOwnDatabaseOnly() throws IOException {
    Position reached;
    try (Braid db = begin("data")) {
      put(db, "1");
      bring(db, "file");
      reached = reached("file");
      QUIET.create(db, dir.resolve("full"));
      assertThat(Moment.timestamp(db, reached.toString())).isEqualTo(reached.timestamp());
    }
    QUIET.restore(dir.resolve("full"), dir.resolve("copy"));
    try (Braid db = open("copy")) {
      assertThatThrownBy(() -> Moment.timestamp(db, reached.toString()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("another database");
    }
  }
}
