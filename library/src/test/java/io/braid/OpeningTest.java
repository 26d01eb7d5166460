package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.groups.log.LogBrokenException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A database whose opening fails after some of it is open, and one that is closed too early. */
class OpeningTest {
  @TempDir Path dir;

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().startsWith("braid-"))
        .collect(Collectors.toSet());
  }

  private static void assertLeavesNoThread(
      ThrowingCallable opening, Class<? extends RuntimeException> failure) {
    Set<Thread> before = threads();
    assertThatThrownBy(opening).isInstanceOf(failure);
    // A thread that was told to stop needs a moment.
    Set<Thread> left = threads();
    for (int i = 0; i < 500 && !before.containsAll(left); i++) {
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
      left = threads();
    }
    assertThat(left).isSubsetOf(before);
  }

  @Test
  void leavesNoThreadAndNoLockWhenGroupNodesHaveNoAddress() {
    BraidConfig config = BraidConfig.defaults().with(Setting.GROUP_NODES, "nowhere");
    assertLeavesNoThread(() -> Braid.open(dir, config), IllegalArgumentException.class);
    Braid.open(dir).close();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void whatIsStillOpenWhenItClosesIsRefusedAndWritesNothing(Protocol protocol) {
    Row row = Row.of("t", "r");
    Column<String> column = Column.of("f", "c", Codecs.utf8());
    Braid db = Braid.open(dir);
    db.ensureTable("t", protocol, "f");
    Snapshot reads = db.snapshot();
    Transaction writes = db.begin();
    writes.set(row, column, "never");
    db.close();
    List<ThrowingCallable> uses =
        List.of(
            () -> reads.get(row, column),
            () -> reads.getAll(List.of(row), List.of(column)),
            () -> reads.scan(Scan.of("t").family("f")),
            () -> writes.get(row, column),
            () -> writes.set(row, column, "never"),
            writes::commit,
            db::begin,
            db::snapshot);
    for (ThrowingCallable use : uses) {
      assertThatThrownBy(use)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
    }
    writes.close();
    reads.close();
    try (Braid again = Braid.open(dir);
        Snapshot now = again.snapshot()) {
      assertThat(now.get(row, column)).isEmpty();
    }
  }

  @Test
  void leavesNoThreadAndNoLockWhenTheLogOfGroupsIsBroken() throws IOException {
    Braid.open(dir).close();
    Path groups = Files.createDirectories(dir.resolve("groups"));
    Path log = Files.writeString(groups.resolve("lane-0-1.log"), "This is no log.");
    Files.writeString(groups.resolve("lane-0-2.log"), "Nor is this.");
    assertLeavesNoThread(() -> Braid.open(dir), LogBrokenException.class);
    Files.delete(log);
    Files.delete(groups.resolve("lane-0-2.log"));
    Braid.open(dir).close();
  }
}
