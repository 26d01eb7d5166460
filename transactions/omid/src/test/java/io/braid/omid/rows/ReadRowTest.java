package io.braid.omid.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.RowAccess;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReadRowTest {
  private static final long SNAPSHOT = 256;

  /** A row without cells, in a store that is collected as soon as the row is looked at. */
  private static RowAccess collectedWhileRead() {
    AtomicLong watermark = new AtomicLong();
    return (RowAccess)
        Proxy.newProxyInstance(
            RowAccess.class.getClassLoader(),
            new Class<?>[] {RowAccess.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("watermark")) {
                return watermark.get();
              }
              watermark.set(SNAPSHOT + 1);
              return method.getReturnType() == List.class ? List.of() : null;
            });
  }

  /** Fault 26: what a reader misses because it was collected meanwhile it does not miss unseen. */
  @Test
  void theWatermarkIsAskedAfterTheCells() {
    ReadRow.Request request =
        new ReadRow.Request(
            Row.of("t", "a"), List.of(ColumnName.of("f", "x")), SNAPSHOT, List.of());
    assertThat(ReadRow.INSTANCE.run(collectedWhileRead(), request).watermark())
        .isEqualTo(SNAPSHOT + 1);
  }
}
