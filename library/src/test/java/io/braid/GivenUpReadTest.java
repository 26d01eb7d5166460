package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.runtime.ReadProgress;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.Snapshot;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fault 67: a reader that wants no more gets its own word back, without another try. */
class GivenUpReadTest {
  private static final int MIB = 1 << 20;
  private static final Column<Bytes> BLOB = Column.of("f", "blob", Codecs.bytes());
  private static final Column<Bytes> OTHER = Column.of("f", "other", Codecs.bytes());

  private static final class Enough extends RuntimeException {}

  @TempDir Path dir;

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void whatEndsAReadIsWhatItThrows(Protocol protocol) {
    Row row = Row.of("t", "k");
    AtomicInteger told = new AtomicInteger();
    LongConsumer enough =
        bytes -> {
          told.incrementAndGet();
          throw new Enough();
        };
    try (Braid db = Braid.open(dir)) {
      db.ensureTable("t", protocol, "f");
      db.run(
          tx -> {
            tx.set(row, BLOB, Bytes.wrap(new byte[3 * MIB]));
            tx.set(row, OTHER, Bytes.wrap(new byte[3 * MIB]));
            return 0;
          });
      try (Snapshot now = db.snapshot()) {
        assertThatThrownBy(() -> ReadProgress.during(enough, () -> now.get(row, BLOB)))
            .isInstanceOf(Enough.class);
        assertThatThrownBy(
                () -> ReadProgress.during(enough, () -> now.get(row, List.of(BLOB, OTHER))))
            .isInstanceOf(Enough.class);
      }
      assertThatThrownBy(
              () -> ReadProgress.during(enough, () -> db.run(tx -> tx.get(row, BLOB).isPresent())))
          .isInstanceOf(Enough.class);
      assertThat(told).hasValue(3);
    }
  }
}
