package io.braid.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Cell;
import io.braid.core.store.Durability;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that writes is killed: what it was told is there, is there. */
class KillIT {
  private static final int THREADS = 3;

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(Durability.class)
  void acknowledgedWritesSurviveSigkillInOrder(Durability durability) throws Exception {
    List<String> acknowledged = new ArrayList<>();
    for (int round = 1; round <= 2; round++) {
      try (ChildProcess child =
          ChildProcess.start(List.of(), directory, durability, THREADS, 500)) {
        for (int i = 0; i < 600 * round; i++) {
          acknowledged.add(child.line());
        }
        child.kill();
        for (String key = child.line(); key != null; key = child.line()) {
          acknowledged.add(key);
        }
      }
      try (RocksStore store = RocksStore.open(directory, Fixtures.SMALL)) {
        assertThat(acknowledged).allMatch(key -> whole(store, key));
        for (int t = 0; t < THREADS; t++) {
          assertNoGap(store, t);
        }
      }
    }
  }

  /**
   * RocksDB's threads are waited for when a process ends, at a time when none of them may call
   * Java.
   */
  @Test
  void aProcessEndsWhoseStoreWasNotClosed() throws Exception {
    for (int round = 1; round <= 4; round++) {
      Path own = directory.resolve("round-" + round);
      try (ChildProcess child =
          ChildProcess.start(List.of(), own, Durability.BUFFERED, 4, 30_000)) {
        for (int i = 0; i < 1000 + 100 * round; i++) {
          assertThat(child.line()).isNotNull();
        }
        assertThat(child.end(Duration.ofSeconds(20))).as("ended in round %d", round).isTrue();
      }
    }
  }

  /** Writes survive in order: after the first one that is missing there is none. */
  private static void assertNoGap(RocksStore store, int thread) {
    int next = 0;
    while (whole(store, thread + "-" + next)) {
      next++;
    }
    for (int i = next; i < next + 100; i++) {
      assertThat(cells(store, thread + "-" + i)).as(thread + "-" + i).isEmpty();
    }
  }

  private static boolean whole(RocksStore store, String key) {
    return cells(store, key).size() == 2;
  }

  private static List<Cell> cells(RocksStore store, String key) {
    return store
        .read(RowRead.of(Fixtures.row(key), Selection.family("d"), Selection.family("s")))
        .cells();
  }

  /**
   * The log cannot be written for another reason than a full disk (a limit on the size of files):
   * the write in flight is unknown, later ones are refused for good, nothing that was acknowledged
   * is lost.
   */
  @Test
  void failedLogTurnsTheStoreReadOnlyForGood() throws Exception {
    List<String> limited =
        List.of("bash", "-c", "trap '' XFSZ; ulimit -f 600; exec \"$@\"", "bash");
    List<String> acknowledged = new ArrayList<>();
    String line;
    try (ChildProcess child =
        ChildProcess.start(limited, directory, Durability.BUFFERED, 1, 5000)) {
      for (line = child.line(); line != null && line.matches("[0-9-]+"); line = child.line()) {
        acknowledged.add(line);
      }
      assertThat(line).startsWith("The outcome is unknown").contains("open the store again");
      for (int i = 0; i < 20; i++) {
        assertThat(child.line()).startsWith("Not executed").contains("READ_ONLY");
      }
      child.kill();
    }
    try (RocksStore store = RocksStore.open(directory, Fixtures.SMALL)) {
      assertThat(acknowledged).isNotEmpty().allMatch(key -> whole(store, key));
      Fixtures.put(store, "again", Fixtures.DATA, 1, "x");
    }
  }

  /** Fault 62: a second process on the same directory. */
  @Test
  void directoryOfAnotherProcessIsLockedByItsPidUntilItDies() throws Exception {
    try (ChildProcess child = ChildProcess.start(List.of(), directory, Durability.BUFFERED, 0, 0)) {
      assertThatThrownBy(() -> RocksStore.open(directory, Fixtures.SMALL))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("locked by pid " + child.pid() + ".");
      child.kill();
    }
    RocksStore.open(directory, Fixtures.SMALL).close();
  }
}
