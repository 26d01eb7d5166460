package io.braid.gateway.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.core.data.Bytes;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.transaction.Protocol;
import io.braid.gateway.access.Identity;
import io.braid.gateway.transactions.OpenTransactions.Bounds;
import io.braid.gateway.transactions.OpenTransactions.Step;
import io.braid.http.HttpRefusal;
import io.braid.testkit.MemoryStore;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Fault 67: open transactions that fill the memory they have together do not hold each other up.
 */
class OpenTransactionsTest {
  private static final Duration LEASE = Duration.ofMinutes(1);

  private final Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults());
  private final OpenTransactions open =
      new OpenTransactions(db, new SystemSeams(), new Bounds(LEASE, LEASE, 9, 9, 100, 80));

  @AfterEach
  void close() {
    open.close();
    db.close();
  }

  private String begin() {
    return open.begin(Identity.LOCAL).id();
  }

  private boolean buffer(String id, long step, long bytes) {
    return open.use(
        Identity.LOCAL,
        id,
        new Step(step, bytes, Optional.empty(), Bytes.EMPTY),
        (tx, changing) -> true);
  }

  private String refused(String id, long step, long bytes) {
    HttpRefusal refusal = catchThrowableOfType(HttpRefusal.class, () -> buffer(id, step, bytes));
    return refusal == null ? "taken" : refusal.status() + " " + refusal.error();
  }

  @Test
  void theFirstGoesOnAndOthersThatHoldRoomBeginAgain() {
    String first = begin();
    String second = begin();
    String third = begin();
    buffer(second, 1, 30);
    buffer(first, 1, 40);
    assertThat(refused(third, 1, 20)).as("holds nothing").isEqualTo("429 too much");
    assertThat(refused(first, 2, 20)).as("is the first").isEqualTo("429 too much");
    assertThat(refused(second, 2, 20)).isEqualTo("409 conflict");
    assertThat(refused(second, 2, 1)).isEqualTo("404 no such transaction");
    assertThat(refused(first, 2, 40)).isEqualTo("taken");
    assertThat(open.buffered()).isEqualTo(80);
  }

  @Test
  void whatIsTooLongForItselfIsRefusedForGood() {
    String only = begin();
    buffer(only, 1, 50);
    assertThat(refused(only, 2, 31)).isEqualTo("413 too long");
    assertThat(refused(only, 2, 30)).isEqualTo("taken");
  }

  /** Else a client that always says "step 1" would buffer without end. */
  @Test
  void anotherStepWithTheNumberOfTheLastIsCounted() {
    String only = begin();
    buffer(only, 1, 30);
    Step other = new Step(1, 40, Optional.empty(), Bytes.of("other"));
    open.<Boolean>use(Identity.LOCAL, only, other, (tx, changing) -> true);
    assertThat(open.buffered()).isEqualTo(70);
    assertThat(refused(only, 1, 30)).isEqualTo("413 too long");
  }

  @Test
  void aStepThatIsSentAgainIsCountedOnce() {
    String only = begin();
    buffer(only, 1, 50);
    buffer(only, 1, 50);
    assertThat(open.buffered()).isEqualTo(50);
    buffer(only, 2, 20);
    assertThat(refused(only, 1, 0)).isEqualTo("409 late");
  }

  /** Only the same step mends a step that has failed, and may have done a part. */
  @Test
  void whatComesAfterHalfAStepIsRefused() {
    String only = begin();
    Step several = new Step(1, 10, Optional.of(Protocol.PERCOLATOR), Bytes.of("seven"));
    assertThatThrownBy(
            () ->
                open.use(
                    Identity.LOCAL,
                    only,
                    several,
                    (tx, changing) -> {
                      changing.run();
                      throw new IllegalStateException("after a part");
                    }))
        .hasMessage("after a part");
    assertThat(refused(only, 2, 10)).isEqualTo("409 half done");
    assertThat(refused(only, 0, 10)).isEqualTo("409 half done");
    assertThat(refused(only, 1, 10)).as("another one of this number").isEqualTo("409 half done");
    assertThat(open.<Boolean>use(Identity.LOCAL, only, several, (tx, changing) -> true)).isTrue();
    assertThat(refused(only, 2, 10)).isEqualTo("taken");
    assertThat(open.<Boolean>commit(Identity.LOCAL, only, (tx, protocol) -> true)).isTrue();
  }
}
