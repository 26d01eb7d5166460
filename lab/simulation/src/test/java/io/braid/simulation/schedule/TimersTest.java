package io.braid.simulation.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TimersTest {
  /** An alarm of a wait that has ended or not. */
  private static final class Wait implements Timers.Alarm {
    private final long due;
    private boolean over;

    Wait(long due) {
      this.due = due;
    }

    @Override
    public boolean isVain() {
      return over;
    }

    @Override
    public void run() {}
  }

  @Test
  void vainAlarmsAreThrownOutAndTheOthersStayInOrder() {
    SimRandom random = new SimRandom(7);
    Timers timers = new Timers();
    List<Wait> left = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      Wait wait = new Wait(random.nextInt(1000));
      timers.add(wait.due, wait);
      left.add(wait);
      if (random.nextInt(10) > 0) {
        left.remove(random.nextInt(left.size())).over = true;
        timers.vain();
      }
    }

    assertThat(timers.size()).as("at most as many vain ones as others").isLessThan(3 * left.size());
    // At one time they come as they were registered, and so they stand in the list.
    left.sort(Comparator.comparingLong(wait -> wait.due));
    List<Wait> taken = new ArrayList<>();
    while (!timers.isEmpty()) {
      long due = timers.due();
      Wait next = (Wait) Objects.requireNonNull(timers.take());
      assertThat(next.due).isEqualTo(due);
      if (!next.over) {
        taken.add(next);
      }
    }
    assertThat(taken).isEqualTo(left);
  }
}
