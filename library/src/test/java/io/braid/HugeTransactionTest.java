package io.braid;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Transaction;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A transaction may be many times as large as the memory that it gets. */
class HugeTransactionTest {
  private static final Column<Bytes> BLOB = Column.of("f", "blob", Codecs.bytes());
  private static final int VALUE_BYTES = 10_000;
  private static final int MEMORY = 1 << 20;
  private static final int ROWS = 10 * MEMORY / VALUE_BYTES;

  @TempDir Path dir;

  @Test
  void tenTimesItsMemoryIsHeldInTheStoreAndNotInMemory() {
    BraidConfig config =
        BraidConfig.defaults()
            .with(Setting.MAX_TRANSACTION, "1 MiB")
            .with(Setting.MAX_TOTAL, "1 GiB");
    Random random = new Random(1);
    List<WeakReference<Bytes>> values = new ArrayList<>();
    try (Braid db = Braid.open(dir, config)) {
      db.ensureTable("t", "f");
      try (Transaction tx = db.begin()) {
        for (int i = 0; i < ROWS; i++) {
          byte[] value = new byte[VALUE_BYTES];
          random.nextBytes(value);
          Bytes bytes = Bytes.wrap(value);
          values.add(new WeakReference<>(bytes));
          tx.set(row(i), BLOB, bytes);
        }
        System.gc();
        long held = values.stream().filter(each -> each.get() != null).count();
        assertThat(held * VALUE_BYTES).isLessThanOrEqualTo(MEMORY + VALUE_BYTES);
        assertThat(tx.get(row(7), BLOB)).hasValueSatisfying(HugeTransactionTest::whole);
        assertThat(count(tx.scan(all()))).isEqualTo(ROWS);
        assertThat(db.snapshot().get(row(7), BLOB)).isEmpty();
        tx.commit();
      }
      try (RowCursor after = db.snapshot().scan(all())) {
        assertThat(count(after)).isEqualTo(ROWS);
      }
    }
  }

  private static Row row(int i) {
    return Row.of("t", "k%06d".formatted(i));
  }

  private static Scan all() {
    return Scan.of("t").range(KeyRange.ALL).column(BLOB);
  }

  private static void whole(Bytes value) {
    assertThat(value.length()).isEqualTo(VALUE_BYTES);
  }

  private static int count(RowCursor cursor) {
    int rows = 0;
    while (cursor.hasNext()) {
      cursor.next().get(BLOB).ifPresent(HugeTransactionTest::whole);
      rows++;
    }
    return rows;
  }
}
