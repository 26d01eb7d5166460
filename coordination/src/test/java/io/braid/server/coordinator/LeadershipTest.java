package io.braid.server.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.time.LocalOracle;
import io.braid.core.time.TimestampBound;
import io.braid.omid.manager.TransactionManager.Verdict;
import io.braid.omid.manager.WriteSet;
import io.braid.server.coordination.InProcessCoordination;
import io.braid.server.coordination.Register;
import io.braid.testkit.runtime.Clocks;
import io.braid.testkit.runtime.ManualSeams;
import java.time.Duration;
import java.util.AbstractList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Faults 2 and 3: a coordinator that is slow says nothing once its lease has run out. */
class LeadershipTest {
  private final Clocks clocks = new Clocks();
  private final ManualSeams seams = new ManualSeams(clocks, "leader");
  private final InProcessCoordination coordination =
      new InProcessCoordination(new InProcessCoordination.Place(), "test");
  private final Lease lease =
      new Lease(lease(), seams, Duration.ofSeconds(4), "this one", "here 1");
  private long raiseTakes;

  private Register lease() {
    return coordination.register("lease");
  }

  private Leadership leadership() {
    TimestampBound bound = new RegisterBound(coordination.register("bound"));
    TimestampBound slow =
        new TimestampBound() {
          @Override
          public long read() {
            return bound.read();
          }

          @Override
          public boolean raise(long expected, long next) {
            pass(raiseTakes);
            return bound.raise(expected, next);
          }
        };
    clocks.wallMillis = 1_800_000_000_000L;
    assertThat(lease.tryTake()).isTrue();
    return new Leadership(new LocalOracle(slow, seams), lease, seams, 64);
  }

  private void pass(long millis) {
    clocks.pass(millis);
  }

  @Test
  void aTimestampThatWasDrawnTooLateIsThrownAway() {
    Leadership leadership = leadership();
    assertThat(leadership.next(1)).isPositive();
    pass(2000);
    assertThat(leadership.lastIssued()).isPositive();
    // The range is used up: the bound is raised before anything can be drawn.
    raiseTakes = 1500;
    assertThatThrownBy(() -> leadership.next(1)).isInstanceOf(NotCoordinatorException.class);
    assertThatThrownBy(leadership::lastIssued).isInstanceOf(NotCoordinatorException.class);
  }

  @Test
  void aGrantThatWasDecidedTooLateIsNotTold() {
    Leadership leadership = leadership();
    WriteSet writes = new WriteSet().reset(leadership.next(1)).add(1);
    List<WriteSet> slowToDecide =
        new AbstractList<>() {
          @Override
          public WriteSet get(int index) {
            pass(3300);
            return writes;
          }

          @Override
          public int size() {
            return 1;
          }
        };
    assertThatThrownBy(() -> leadership.commit(slowToDecide, new Verdict[1]))
        .isInstanceOf(NotCoordinatorException.class);
    assertThatThrownBy(() -> leadership.fence(1)).isInstanceOf(NotCoordinatorException.class);
  }

  @Test
  void locksAndHintsAreThoseOfTheLeader() {
    Leadership leadership = leadership();
    assertThat(leadership.locks()).isNotNull();
    assertThat(leadership.hints()).isNotNull();
    pass(3300);
    assertThatThrownBy(leadership::locks).isInstanceOf(NotCoordinatorException.class);
    assertThatThrownBy(leadership::hints).isInstanceOf(NotCoordinatorException.class);
  }
}
