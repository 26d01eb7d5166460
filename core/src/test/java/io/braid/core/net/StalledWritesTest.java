package io.braid.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.runtime.Seams;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Fault 62: a client that takes nothing is given up, one that is slow is not. */
class StalledWritesTest {
  private static final Duration MOST = Duration.ofSeconds(10);

  private final AtomicLong clock = new AtomicLong(1);
  private final StalledWrites writes = new StalledWrites(seams(), MOST);
  private final Socket socket = new Socket();
  private int ended;

  private Seams seams() {
    return (Seams)
        Proxy.newProxyInstance(
            Seams.class.getClassLoader(),
            new Class<?>[] {Seams.class},
            (proxy, method, given) -> clock.get());
  }

  /** Each write to the client takes so long, and then is looked at. */
  private OutputStream client(Duration takes) throws IOException {
    return writes.watch(
        socket,
        new OutputStream() {
          @Override
          public void write(int one) {
            write(new byte[1], 0, 1);
          }

          @Override
          public void write(byte[] from, int offset, int length) {
            clock.addAndGet(takes.toNanos());
            ended += writes.end();
          }
        });
  }

  @Test
  void whoTakesNothingForTooLongIsCutOff() throws IOException {
    client(MOST.plusNanos(1)).write(1);
    assertThat(ended).isEqualTo(1);
    assertThat(socket.isClosed()).isTrue();
  }

  @Test
  void aLongAnswerMayTakeItsTimeWhileItGoesOn() throws IOException {
    client(MOST).write(new byte[100_000]);
    assertThat(ended).isZero();
    assertThat(socket.isClosed()).isFalse();
  }

  @Test
  void whatWasTakenIsNotWaitedFor() throws IOException {
    client(Duration.ZERO).write(1);
    clock.addAndGet(MOST.multipliedBy(2).toNanos());
    assertThat(writes.end()).isZero();
    assertThat(socket.isClosed()).isFalse();
  }
}
