package io.braid.store.hbase.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.time.Timestamp;
import io.braid.store.hbase.region.TableVeils.ClosingException;
import io.braid.store.hbase.wire.VeilRecord;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Faults 44 and 45: what a region does while a load becomes visible, whoever dies meanwhile. */
class TableVeilsTest {
  private static final long V = 2000 * Timestamp.STEP;
  private static final long SERVED = 3000 * Timestamp.STEP;
  private static final long COMMIT = SERVED + 1;

  private final ServerClock clock = new ServerClock(1);
  private VeilRecord record = VeilRecord.down(V, false);
  private long nanos;
  private @Nullable IOException failure;

  private final TableVeils.Records records =
      new TableVeils.Records() {
        @Override
        public List<VeilRecord> read() throws IOException {
          if (failure != null) {
            throw failure;
          }
          return List.of(record);
        }

        @Override
        public void replace(VeilRecord before, VeilRecord after) {
          if (record.equals(before)) {
            record = after;
          }
        }
      };

  private final TableVeils veils = new TableVeils(records, clock, () -> nanos);

  private void openAndServe() {
    assertThat(veils.find()).isTrue();
    clock.raise(SERVED);
  }

  private long close() throws Exception {
    record = record.close();
    return veils.learn(V, record.attempt());
  }

  private boolean isServed(long snapshot) {
    nanos += TimeUnit.MILLISECONDS.toNanos(100);
    try {
      veils.at(snapshot);
      return true;
    } catch (ClosingException e) {
      return false;
    }
  }

  @Test
  void nothingIsServedWhileTheVeilsAreNotKnown() {
    failure = new IOException("away");
    assertThat(veils.find()).isFalse();
    failure = null;
    assertThat(veils.find()).isTrue();
    assertThat(veils.now().hides(V)).isTrue();
  }

  @Test
  void closedRegionServesOnlyWhatTheLiftCannotChange() throws Exception {
    openAndServe();

    assertThat(close()).isEqualTo(SERVED);

    assertThat(isServed(SERVED)).isTrue();
    assertThat(isServed(SERVED + 1)).isFalse();
    assertThat(isServed(0)).as("the newest").isFalse();
    assertThatThrownBy(veils::enter).isInstanceOf(ClosingException.class);

    record = record.at(COMMIT);
    assertThat(isServed(0)).as("looks by itself").isTrue();
    assertThat(veils.now().shown(V)).isEqualTo(COMMIT);
    assertThat(clock.now()).isGreaterThanOrEqualTo(COMMIT);
    veils.enter().unlock();
  }

  /** The lift may have asked an earlier opening of the region, and drawn its version already. */
  @Test
  void regionThatOpensWhileItIsClosingServesNothing() throws Exception {
    record = record.close();
    clock.raise(SERVED);
    assertThat(veils.find()).isTrue();

    assertThat(isServed(SERVED)).isFalse();
    assertThat(veils.learn(V, record.attempt())).isEqualTo(SERVED);
    assertThat(isServed(SERVED)).isFalse();
  }

  /** The lift may have drawn its version from the first answer. */
  @Test
  void callThatComesTwiceChangesNothing() throws Exception {
    openAndServe();
    close();
    clock.raise(SERVED + 5 * Timestamp.STEP);

    assertThat(veils.learn(V, record.attempt())).isEqualTo(SERVED);
    assertThat(isServed(SERVED + 1)).isFalse();
  }

  @Test
  void anOldReadingIsPassedOver() throws Exception {
    openAndServe();
    VeilRecord down = record;
    close();
    VeilRecord closing = record;
    record = down;
    assertThat(isServed(0)).as("read before the lift began").isFalse();

    record = closing.at(COMMIT);
    assertThat(isServed(0)).isTrue();
    record = closing;
    assertThat(veils.learn(V, closing.attempt())).isNegative();
    assertThat(veils.now().shown(V)).isEqualTo(COMMIT);
  }

  @Test
  void liftWhoseDriverDiedIsGivenUp() throws Exception {
    openAndServe();
    close();
    assertThat(isServed(0)).isFalse();

    nanos += TimeUnit.SECONDS.toNanos(3);

    assertThat(isServed(0)).isTrue();
    assertThat(record.closing()).isFalse();
    assertThat(veils.now().hides(V)).isTrue();
    // The next lift closes it again.
    assertThat(close()).isEqualTo(SERVED);
    assertThat(isServed(0)).isFalse();
  }

  @Test
  void liftWaitsForWhoIsWriting() throws Exception {
    openAndServe();
    Lock writing = veils.enter();
    record = record.close();
    Thread other =
        new Thread(
            () -> {
              nanos += 1;
              assertThatThrownBy(() -> veils.learn(V, record.attempt()))
                  .isInstanceOf(IOException.class);
            });
    other.start();
    other.join();
    writing.unlock();

    assertThat(veils.learn(V, record.attempt())).isEqualTo(SERVED);
  }
}
