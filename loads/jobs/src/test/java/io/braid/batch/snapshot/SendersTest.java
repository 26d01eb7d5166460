package io.braid.batch.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.KeyRange;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.StoreException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whoever waits for snapshots to be on the disk waits for nothing that cannot come. */
@Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SendersTest {
  @TempDir Path directory;
  private final AtomicInteger arrived = new AtomicInteger();

  @AfterEach
  void noInterruptIsLeft() {
    Thread.interrupted();
  }

  private Senders senders() {
    return new Senders(
        new SystemSeams(), directory, "t", true, 1, (name, length) -> arrived.incrementAndGet());
  }

  private static SnapshotDelivery snapshot(int number) {
    return new SnapshotDelivery(SnapshotName.of("t", KeyRange.ALL, 1, number), List.of());
  }

  @Test
  void whatWasSentIsOnTheDiskOnceItWasAwaited() {
    Senders senders = senders();
    senders.send(snapshot(1));
    senders.send(snapshot(2));
    senders.await(List.of(snapshot(1).name(), snapshot(2).name()));
    assertThat(directory.resolve(snapshot(2).name().file())).exists();
    senders.close();
    assertThat(arrived).hasValue(2);
  }

  @Test
  void aTaskThatOutlivesItsLoadSendsNothingMore() {
    Senders senders = senders();
    senders.close();
    assertThatThrownBy(() -> senders.send(snapshot(1)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("resume it");
    assertThat(arrived).hasValue(0);
  }

  @Test
  void anInterruptedTaskWaitsForNoDisk() {
    Senders senders = senders();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> senders.send(snapshot(1)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("resume it");
    assertThatThrownBy(() -> senders.await(List.of(snapshot(1).name())))
        .isInstanceOf(StoreException.class);
    assertThat(Thread.interrupted()).isTrue();
    senders.close();
  }
}
