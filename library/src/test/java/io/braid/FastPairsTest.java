package io.braid;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.runtime.Task;
import io.braid.core.transaction.FastOptions;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.RowChange;
import io.braid.core.transaction.RowValues;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fault 63: two columns that are always written together are always read together. */
class FastPairsTest {
  private static final Column<Long> A = Column.of("f", "a", Codecs.int64());
  private static final Column<Long> B = Column.of("g", "b", Codecs.int64());
  private static final Row ROW = Row.of("t", "r");
  private static final int ROUNDS = 1500;

  @TempDir Path directory;
  private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aFastReadOfAPairNeverTears(Protocol protocol) {
    try (Braid db = open(protocol)) {
      FastSession fast = db.fast(FastOptions.DEFAULT.orRegular(true));
      Task writer =
          new SystemSeams()
              .start(
                  "writer",
                  () -> {
                    for (long n = 1; n <= ROUNDS; n++) {
                      fast.write(RowChange.of(ROW).set(A, n).set(B, n));
                    }
                  });
      Task reader =
          new SystemSeams()
              .start(
                  "reader",
                  () -> {
                    long seen = 0;
                    while (seen < ROUNDS) {
                      RowValues pair = fast.read(ROW, List.of(A, B));
                      seen = pair.get(A).orElse(0L);
                      if (seen != pair.get(B).orElse(0L)) {
                        wrong.add("a=" + seen + " b=" + pair.get(B));
                        seen = ROUNDS;
                      }
                    }
                  });
      join(List.of(writer, reader));
      assertThat(wrong).isEmpty();
    }
  }

  private Braid open(Protocol protocol) {
    Braid db = Braid.open(directory);
    db.ensureTable("t", protocol, "f", "g");
    return db;
  }

  private static void join(List<Task> tasks) {
    for (Task task : tasks) {
      assertThat(task.join(Duration.ofMinutes(2))).isTrue();
    }
  }
}
