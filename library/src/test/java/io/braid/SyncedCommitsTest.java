package io.braid;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.store.rocksdb.RocksStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@code commit.durability} promises, by the number of times that RocksDB says it has synced
 * its log: an acknowledgment without a sync would show here.
 */
class SyncedCommitsTest {
  private static final int COMMITS = 50;

  /** More may come: the oracle makes its bound durable now and then. */
  private static final int OTHERS = 10;

  private static final Column<Long> COUNT = Column.of("f", "count", Codecs.int64());

  @TempDir Path dir;

  private Braid open(String durability, String onePhase) {
    Braid db =
        Braid.open(
            dir.resolve(durability + onePhase),
            BraidConfig.defaults()
                .with(Setting.DURABILITY, durability)
                .with(Setting.ONE_PHASE, onePhase));
    db.ensureTable("t", "f");
    commit(db, 0);
    return db;
  }

  private static long syncs(Braid db) {
    return ((RocksStore) db.store()).stats().walSyncs();
  }

  /** Two rows, so that a commit in two phases has a secondary. */
  private static void commit(Braid db, long value) {
    db.run(
        tx -> {
          tx.set(Row.of("t", "a" + value % 16), COUNT, value);
          tx.set(Row.of("t", "b" + value % 16), COUNT, value);
          return value;
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "store"})
  void eachSyncedCommitIsSyncedOnceWhenItIsAlone(String onePhase) {
    try (Braid db = open("synced", onePhase)) {
      long before = syncs(db);
      for (int i = 0; i < COMMITS; i++) {
        long unsynced = syncs(db);
        commit(db, i);
        assertThat(syncs(db)).as("commit %s is on stable storage", i).isGreaterThan(unsynced);
      }
      assertThat(syncs(db) - before).isBetween((long) COMMITS, (long) COMMITS + OTHERS);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "store"})
  void bufferedCommitsAreNotSynced(String onePhase) {
    try (Braid db = open("buffered", onePhase)) {
      long before = syncs(db);
      for (int i = 0; i < COMMITS; i++) {
        commit(db, i);
      }
      assertThat(syncs(db) - before).isLessThanOrEqualTo(OTHERS);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "store"})
  void commitsAtTheSameTimeShareSyncs(String onePhase) throws Exception {
    int clients = 16;
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    try (Braid db = open("synced", onePhase)) {
      long before = syncs(db);
      List<Future<?>> all = new ArrayList<>();
      for (int c = 0; c < clients; c++) {
        int client = c;
        all.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < COMMITS; i++) {
                    commit(db, client);
                  }
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
      assertThat(syncs(db) - before)
          .isGreaterThanOrEqualTo(COMMITS)
          .isLessThan((long) clients * COMMITS);
    } finally {
      threads.shutdownNow();
    }
  }
}
