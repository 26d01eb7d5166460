package io.braid.server.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.SystemSeams;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
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

  /** A name is as long as a message may be. */
  @Test
  void topicsWithLongNamesAreNotAskedForWithoutABound() {
    String name = "x".repeat(1 << 20);
    for (int i = 0; i < 100; i++) {
      board.take(Set.of(i + name), 1, Duration.ZERO);
    }
    for (int i = 0; i < 100; i++) {
      board.offer(i + name, Bytes.of("a"));
    }
    assertThat(board.waiting()).isBetween(5, 8);
    clock.addAndGet(Duration.ofSeconds(6).toNanos());
    take(1);
    board.offer("rows", Bytes.wrap(new byte[15 << 20]));
    assertThat(board.waiting()).isEqualTo(1);
  }

  /** Else all others would wait for who asks for many. */
  @Test
  void aRequestForManyTopicsIsAnsweredAtOnce() {
    Set<String> many =
        IntStream.range(0, 1 << 16).mapToObj(Integer::toString).collect(Collectors.toSet());
    assertThat(board.take(many, 1, Duration.ZERO)).isEmpty();
    many.forEach(each -> board.offer(each, Bytes.of("a")));
    assertThat(board.waiting()).isEqualTo(10_000);
    assertThat(board.take(many, 10, Duration.ZERO)).hasSize(10);
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
