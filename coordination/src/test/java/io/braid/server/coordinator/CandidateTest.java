package io.braid.server.coordinator;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.runtime.Liveness;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.time.StoreTimestampBound;
import io.braid.server.coordination.Coordination;
import io.braid.server.coordination.InProcessCoordination;
import io.braid.server.coordination.Member;
import io.braid.server.coordination.Register;
import io.braid.testkit.MemoryStore;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process that may become the coordinator goes on trying, whatever comes in its way. */
@Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CandidateTest {
  private static final Duration LEASE = Duration.ofMillis(400);

  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicInteger asked = new AtomicInteger();

  /** One whose register and whose knowledge of others fail, now and then, as nobody foresaw. */
  private final class Failing implements Coordination {
    private final InProcessCoordination real =
        new InProcessCoordination(new InProcessCoordination.Place(), "candidate");

    private void fail() {
      asked.incrementAndGet();
      if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new IllegalStateException("on purpose");
      }
    }

    @Override
    public Liveness liveness() {
      return real.liveness();
    }

    @Override
    public Register register(String name) {
      Register register = real.register(name);
      return new Register() {
        @Override
        public Entry read() {
          fail();
          return register.read();
        }

        @Override
        public boolean replace(Entry expected, Bytes value) {
          return register.replace(expected, value);
        }
      };
    }

    @Override
    public List<Member> members() {
      return real.members();
    }

    @Override
    public void close() {
      real.close();
    }
  }

  @Test
  void whatNobodyForesawEndsNoCandidacy() throws IOException, InterruptedException {
    try (MemoryStore store = new MemoryStore()) {
      store.ensureTable(Families.system());
      failures.set(3);
      try (Coordinator coordinator =
          new Coordinator(
              new Failing(),
              new StoreTimestampBound(store),
              new SystemSeams(),
              new Participant.Terms(LEASE, true, InetAddress.getLoopbackAddress(), 0, 16))) {
        awaitLeader(coordinator);
        failures.set(2);
        int before = asked.get();
        while (asked.get() < before + 4) {
          TimeUnit.MILLISECONDS.sleep(1);
        }
        awaitLeader(coordinator);
      }
    }
  }

  private static void awaitLeader(Coordinator coordinator) throws InterruptedException {
    while (!coordinator.leads()) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }
}
