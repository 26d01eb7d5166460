package io.braid.observers.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Row;
import io.braid.observers.Town;
import io.braid.observers.schedule.WorkQueue.Claim;
import io.braid.observers.schedule.WorkQueue.Work;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class WorkQueueTest {
  private static final Row R = Town.row("r");
  private static final Row S = Town.row("s");
  private static final Object SCANNER = new Object();
  private final WorkQueue queue = new WorkQueue(2, 1);

  private Work take(long now) {
    return Objects.requireNonNull(queue.take(now), "something to do");
  }

  @Test
  void aRowThatWaitsIsHintedOnce() {
    queue.hint(R);
    queue.hint(R);

    assertThat(take(0).item().row).isEqualTo(R);
    assertThat(queue.take(0)).isNull();
    assertThat(queue.size()).isEqualTo(1);
  }

  @Test
  void aRowThatIsVisitedWaitsAgainWhenItChanges() {
    queue.hint(R);
    Work first = take(0);
    queue.hint(R);
    assertThat(queue.take(0)).isNull();

    queue.done(first.item());

    Work second = take(0);
    assertThat(second.hinted()).isTrue();
    queue.done(second.item());
    assertThat(queue.size()).isZero();
  }

  @Test
  void hintsBeyondTheCapacityAreDroppedAndRememberedOnce() {
    assertThat(queue.hint(R)).isTrue();
    assertThat(queue.hint(S)).isTrue();
    assertThat(queue.hint(Town.row("t"))).isFalse();

    assertThat(queue.dropped()).isEqualTo(1);
    assertThat(queue.hasForgotten()).isTrue();
    assertThat(queue.hasForgotten()).isFalse();
  }

  @Test
  void whatIsHeldUpFillsNoMoreThanTheCapacity() {
    queue.addLater(R, 0);
    queue.addLater(S, 0);
    queue.addLater(Town.row("t"), 0);
    assertThat(queue.size()).isEqualTo(2);
  }

  @Test
  void rowsThatAreDueAgainAndAgainKeepNoOtherWaiting() {
    queue.addLater(R, 0);
    queue.hint(S);
    for (int i = 0; i < 2; i++) {
      Work work = take(10);
      if (work.item().row.equals(S)) {
        return;
      }
      queue.again(work.item(), 10, false);
    }
    throw new AssertionError("the row that was hinted never has its turn");
  }

  @Test
  void aDelayedRowComesWhenItIsDue() {
    queue.hint(R);
    queue.again(take(0).item(), 100, false);
    queue.hint(S);

    assertThat(queue.nanosToDue(40)).isEqualTo(60);
    assertThat(take(99).item().row).isEqualTo(S);
    Work again = take(100);
    assertThat(again.item().row).isEqualTo(R);
    assertThat(again.attempts()).isEqualTo(1);
    assertThat(queue.nanosToDue(100)).isEqualTo(WorkQueue.NEVER);
  }

  @Test
  void aHintEndsTheDelayAfterAFailureButNotThatAfterAConflict() {
    queue.hint(R);
    queue.again(take(0).item(), 100, false);
    queue.hint(R);
    assertThat(queue.take(0)).isNull();

    queue.again(take(100).item(), 200, true);
    queue.hint(R);
    assertThat(take(100).item().row).isEqualTo(R);
  }

  @Test
  void aScannerClaimsNoMoreThanItsShare() {
    Claim.Claimed claimed = (Claim.Claimed) queue.claim(R, SCANNER);
    assertThat(queue.claim(S, SCANNER)).isEqualTo(new Claim.NoRoom());
    assertThat(queue.take(0)).isNull();

    queue.found(claimed.item());
    assertThat(take(0).locked()).isTrue();
    assertThat(queue.claim(S, SCANNER)).isInstanceOf(Claim.Claimed.class);
  }

  @Test
  void aClaimThatIsGivenBackLeavesOnlyWhatWasHintedMeanwhile() {
    Claim.Claimed claimed = (Claim.Claimed) queue.claim(R, SCANNER);
    queue.unclaim(claimed.item());
    assertThat(queue.size()).isZero();

    Claim.Claimed again = (Claim.Claimed) queue.claim(R, SCANNER);
    queue.hint(R);
    queue.unclaim(again.item());
    assertThat(take(0).locked()).isFalse();
  }

  @Test
  void anotherScannersRowIsToldFromAHintedOne() {
    queue.hint(S);
    assertThat(queue.claim(S, SCANNER)).isEqualTo(new Claim.Busy(false));
    queue.claim(R, SCANNER);
    assertThat(queue.claim(R, SCANNER)).isEqualTo(new Claim.Busy(false));
    assertThat(queue.claim(R, new Object())).isEqualTo(new Claim.Busy(true));
  }
}
