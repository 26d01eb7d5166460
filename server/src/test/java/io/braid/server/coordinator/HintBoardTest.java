package io.braid.server.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.SystemSeams;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class HintBoardTest {
  private static final Set<String> ROWS = Set.of("rows");

  private final AtomicLong clock = new AtomicLong();
  private final HintBoard board = new HintBoard(new ManualSeams(clock, 1, 1));

  private List<Bytes> take(int most) {
    return board.take(ROWS, most, Duration.ZERO);
  }

  @Test
  void whatNobodyAsksForIsNotKept() {
    board.offer("rows", Bytes.of("before"));
    assertThat(take(10)).isEmpty();

    board.offer("rows", Bytes.of("a"));
    board.offer("rows", Bytes.of("b"));
    board.offer("others", Bytes.of("c"));

    assertThat(board.waiting()).isEqualTo(2);
    assertThat(take(1)).containsExactly(Bytes.of("a"));
    assertThat(take(10)).containsExactly(Bytes.of("b"));
  }

  @Test
  void aTopicWhoseTakersAreGoneIsForgotten() {
    take(1);
    board.offer("rows", Bytes.of("a"));

    clock.addAndGet(Duration.ofSeconds(6).toNanos());
    board.offer("rows", Bytes.of("b"));

    assertThat(board.waiting()).isZero();
    assertThat(take(10)).isEmpty();
  }

  @Test
  void itsMemoryIsBounded() {
    take(1);
    Bytes large = Bytes.wrap(new byte[1 << 20]);

    for (int i = 0; i < 100; i++) {
      board.offer("rows", large);
    }

    assertThat(board.waiting()).isBetween(10, 16);
    while (board.waiting() > 0) {
      assertThat(take(100)).hasSize(1);
    }
    board.offer("rows", large);
    assertThat(board.waiting()).isEqualTo(1);
  }

  @Test
  void whoWaitsIsWoken() {
    HintBoard real = new HintBoard(new SystemSeams());
    real.take(ROWS, 1, Duration.ZERO);
    CompletableFuture<List<Bytes>> taken =
        CompletableFuture.supplyAsync(() -> real.take(ROWS, 1, Duration.ofMinutes(1)));

    real.offer("rows", Bytes.of("a"));

    assertThat(taken.join()).containsExactly(Bytes.of("a"));
  }
}
