package io.braid.server.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.store.TabletUnavailableException;
import io.braid.server.coordination.InProcessCoordination;
import io.braid.server.coordination.Register;
import io.braid.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Faults 2 and 3: nobody gives out timestamps beside, or after, another. */
class LeaseTest {
  private static final Duration LASTS = Duration.ofSeconds(4);

  private final AtomicLong time = new AtomicLong();
  private final Register register =
      new InProcessCoordination(new InProcessCoordination.Place(), "test").register("lease");

  private Lease lease(String holder) {
    return new Lease(register, new ManualSeams(time, 1, 1), LASTS, holder, "here 1");
  }

  private void pass(double seconds) {
    time.addAndGet((long) (seconds * 1e9));
  }

  @Test
  void whoRenewsKeepsIt() {
    Lease first = lease("first");
    Lease second = lease("second");
    assertThat(first.tryTake()).isTrue();

    for (int i = 0; i < 20; i++) {
      pass(0.5);
      assertThat(second.tryTake()).isFalse();
      assertThat(first.isTrusted()).isTrue();
      assertThat(first.renew()).isTrue();
    }
  }

  @Test
  void whoStoodStillFindsItRunOutAndIsFoundReplaced() {
    Lease first = lease("first");
    Lease second = lease("second");
    first.tryTake();
    second.tryTake();

    pass(3.3);
    assertThat(first.isTrusted()).isFalse();
    assertThat(second.tryTake()).isFalse();
    pass(0.8);
    assertThat(second.tryTake()).isTrue();

    assertThat(first.renew()).isFalse();
    assertThat(first.isTrusted()).isFalse();
    first.giveBack();
    assertThat(second.renew()).isTrue();
  }

  @Test
  void whatIsGivenBackIsFreeAtOnce() {
    Lease first = lease("first");
    Lease second = lease("second");
    first.tryTake();
    second.tryTake();

    first.giveBack();

    assertThat(first.isTrusted()).isFalse();
    assertThat(second.tryTake()).isTrue();
  }

  /** The answer says when it came, not when the renewal happened: others count from there. */
  @Test
  void aLeaseIsTrustedFromWhenItWasAskedFor() {
    Register slowToAnswer =
        new Register() {
          @Override
          public Entry read() {
            return register.read();
          }

          @Override
          public boolean replace(Entry expected, Bytes value) {
            boolean first = register.replace(expected, value);
            pass(3);
            return first;
          }
        };
    Lease first = new Lease(slowToAnswer, new ManualSeams(time, 1, 1), LASTS, "first", "here 1");
    assertThat(first.tryTake()).isTrue();
    assertThat(first.isTrusted()).isTrue();

    pass(0.3);
    assertThat(first.isTrusted()).isFalse();
  }

  /** Fault 76: garbage, half a record, or that of a newer release, keeps nobody out for ever. */
  @Test
  void aRecordThatNobodyCanReadIsFreeAfterALease() {
    Bytes whole = new LeaseRecord("first", "here 1", true, 7).encode();
    for (Bytes odd :
        List.of(
            Bytes.EMPTY,
            Bytes.of("x"),
            whole.slice(0, whole.length() - 1),
            Bytes.of(whole + "!"),
            Bytes.wrap(new byte[] {9, 1, 2}))) {
      Lease first = lease("first");
      register.replace(register.read(), whole);
      Lease second = lease("second");
      register.replace(register.read(), odd);

      assertThat(first.renew()).isFalse();
      first.giveBack();
      assertThat(second.tryTake()).isFalse();
      pass(3);
      assertThat(second.tryTake()).as("it may be of a newer release").isFalse();
      pass(1.1);
      assertThat(second.tryTake()).isTrue();
      assertThat(second.isTrusted()).isTrue();
      second.giveBack();
    }
  }

  /** However fast the clock of the other one runs. */
  @Test
  void whoFindsItTakenTrustsItNoLonger() {
    Lease first = lease("first");
    first.tryTake();
    register.replace(register.read(), new LeaseRecord("second", "there 2", true, 7).encode());

    assertThat(first.renew()).isFalse();
    assertThat(first.isTrusted()).isFalse();
  }

  /**
   * Five processes whose clocks run up to a twentieth too fast or slow; calls take long, fail, and
   * happen all the same.
   */
  @Test
  void neverTwoTrustIt() {
    Seeds.each(200, this::neverTwoTrustIt);
  }

  private void neverTwoTrustIt(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Register slow =
        new SlowRegister(
            new InProcessCoordination(new InProcessCoordination.Place(), "test").register("lease"),
            random);
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ManualSeams seams = new ManualSeams(time, random.nextDouble(0.95, 1.05), seed + i);
      leases.add(new Lease(slow, seams, LASTS, "p" + i, "here 1"));
    }
    boolean[] leads = new boolean[leases.size()];
    int changes = 0;
    for (int step = 0; step < 2000; step++) {
      pass(random.nextInt(40) == 0 ? random.nextDouble(6) : random.nextDouble(0.2));
      int i = random.nextInt(leases.size());
      try {
        if (!leads[i]) {
          leads[i] = leases.get(i).tryTake();
          changes += leads[i] ? 1 : 0;
        } else if (random.nextInt(50) == 0) {
          leads[i] = false;
          leases.get(i).giveBack();
        } else if (random.nextInt(100) != 0) {
          leads[i] = leases.get(i).renew();
        }
      } catch (TabletUnavailableException e) {
        // As it would be: tried again in the next turn.
      }
      assertThat(leases.stream().filter(Lease::isTrusted).count()).isLessThanOrEqualTo(1);
    }
    assertThat(changes).isGreaterThan(10);
  }

  /** Calls take time before and after they happen, and sometimes nobody learns whether they did. */
  private final class SlowRegister implements Register {
    private final Register register;
    private final SplittableRandom random;

    SlowRegister(Register register, SplittableRandom random) {
      this.register = register;
      this.random = random;
    }

    private void dawdle() {
      pass(random.nextInt(20) == 0 ? random.nextDouble(5) : random.nextDouble(0.1));
      if (random.nextInt(30) == 0) {
        throw new TabletUnavailableException("lost");
      }
    }

    @Override
    public Entry read() {
      dawdle();
      Entry entry = register.read();
      dawdle();
      return entry;
    }

    @Override
    public boolean replace(Entry expected, Bytes value) {
      dawdle();
      boolean first = register.replace(expected, value);
      dawdle();
      return first;
    }
  }
}
