package io.braid.server.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.runtime.AdvisoryLocks;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.time.StoreTimestampBound;
import io.braid.core.time.TimestampBound;
import io.braid.omid.manager.WriteSet;
import io.braid.server.coordination.InProcessCoordination;
import io.braid.testkit.MemoryStore;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several processes, as far as that goes within one. */
@Timeout(60)
class ParticipantTest {
  private final InProcessCoordination.Place place = new InProcessCoordination.Place();
  private final MemoryStore store = new MemoryStore();
  private final List<Participant> all = new ArrayList<>();

  @BeforeEach
  void prepare() {
    store.ensureTable(Families.system());
  }

  @AfterEach
  void closeAll() {
    all.forEach(Participant::close);
    store.close();
  }

  private Participant join(boolean candidate) {
    Participant joined =
        new Participant(
            new InProcessCoordination(place, "process " + all.size()),
            new StoreTimestampBound(store),
            new Participant.Terms(
                Duration.ofMillis(800), candidate, InetAddress.getLoopbackAddress(), 0, 1 << 12));
    all.add(joined);
    return joined;
  }

  @Test
  void timestampsOfAllRise() throws Exception {
    List<Participant> three = List.of(join(true), join(true), join(false));
    AtomicLong received = new AtomicLong();
    ExecutorService threads = Executors.newFixedThreadPool(6);
    List<Future<?>> ends = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Participant own = three.get(i % 3);
      ends.add(
          threads.submit(
              () -> {
                for (int n = 0; n < 300; n++) {
                  long before = received.get();
                  long first = own.oracle().next();
                  assertThat(first).isGreaterThan(before);
                  received.accumulateAndGet(first, Math::max);
                }
              }));
    }
    for (Future<?> end : ends) {
      end.get();
    }
    threads.shutdown();

    assertThat(three.stream().filter(Participant::isCoordinator)).hasSize(1);
    assertThat(three.get(2).oracle().lastIssued()).isGreaterThanOrEqualTo(received.get());
    assertThat(three.get(0).members()).hasSize(3);
  }

  @Test
  void anotherTakesOverAndGoesOnAbove() {
    Participant first = join(true);
    long before = first.oracle().next();
    Participant second = join(true);
    Participant third = join(false);
    assertThat(second.oracle().next()).isGreaterThan(before);
    before = third.oracle().next();

    all.remove(first);
    first.close();

    assertThat(third.oracle().next()).isGreaterThan(before);
    assertThat(second.isCoordinator()).isTrue();
    assertThat(first.seams().liveness().isAlive(first.seams().liveness().token())).isFalse();
  }

  @Test
  void locksExcludeOthersAndEndWithTheirProcess() {
    Participant first = join(true);
    first.oracle().next();
    Participant second = join(false);
    Participant third = join(false);

    assertThat(second.seams().locks().tryLock("row", "second")).isTrue();
    assertThat(first.seams().locks().tryLock("row", "first")).isFalse();
    assertThat(third.seams().locks().tryLock("row", "third")).isFalse();
    third.seams().locks().unlock("row", "third");
    assertThat(third.seams().locks().tryLock("row", "third")).isFalse();
    second.seams().locks().unlock("row", "second");
    assertThat(third.seams().locks().tryLock("row", "third")).isTrue();

    all.remove(third);
    third.close();

    while (!first.seams().locks().tryLock("row", "first")) {
      Thread.onSpinWait();
    }
  }

  @Test
  void severalLocksAreTakenAndGivenBackTogether() {
    Participant first = join(true);
    first.oracle().next();
    AdvisoryLocks second = join(false).seams().locks();
    AdvisoryLocks third = join(false).seams().locks();
    assertThat(first.seams().locks().tryLockAll(List.of("b"), "first")).containsExactly(true);

    assertThat(second.tryLockAll(List.of("a", "b", "c"), "second"))
        .containsExactly(true, false, true);
    assertThat(third.tryLockAll(List.of("c", "d"), "third")).containsExactly(false, true);
    assertThat(third.tryLockAll(List.of(), "third")).isEmpty();

    second.unlockAll(List.of("a", "b", "c"), "second");
    first.seams().locks().unlockAll(List.of("d"), "first");
    assertThat(third.tryLockAll(List.of("a", "b", "c", "d"), "another"))
        .as("b and d are not theirs to give back")
        .containsExactly(true, false, true, false);
  }

  @Test
  void locksOfManyThreadsExcludeEachOther() throws Exception {
    Participant first = join(true);
    first.oracle().next();
    List<Participant> three = List.of(first, join(false), join(false));
    AtomicInteger holders = new AtomicInteger();
    AtomicInteger taken = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(12);
    List<Future<?>> ends = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      String owner = "owner " + i;
      AdvisoryLocks locks = three.get(i % 3).seams().locks();
      ends.add(
          threads.submit(
              () -> {
                for (int n = 0; n < 300; n++) {
                  if (locks.tryLock("row", owner)) {
                    assertThat(holders.incrementAndGet()).isEqualTo(1);
                    holders.decrementAndGet();
                    taken.incrementAndGet();
                    locks.unlock("row", owner);
                  }
                }
              }));
    }
    for (Future<?> end : ends) {
      end.get();
    }
    threads.shutdown();

    assertThat(taken).hasPositiveValue();
    while (!three.get(1).seams().locks().tryLock("row", "another")) {
      Thread.onSpinWait();
    }
  }

  /** Whoever is told to send the next message is told in time, also while it is still joining. */
  @Test
  @Timeout(120)
  void eachOfManyThreadsIsAnswered() throws Exception {
    join(true).oracle().next();
    Participant own = join(false);
    ExecutorService threads = Executors.newFixedThreadPool(64);
    List<Future<?>> ends = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      String owner = "owner " + i;
      ends.add(
          threads.submit(
              () -> {
                for (int n = 0; n < 1200; n++) {
                  WriteSet writes = new WriteSet().reset(own.oracle().next());
                  writes.add(owner.hashCode());
                  own.manager().commit(writes);
                  own.seams().locks().tryLockAll(List.of(owner, owner + "'"), owner);
                }
              }));
    }
    for (Future<?> end : ends) {
      end.get(100, TimeUnit.SECONDS);
    }
    threads.shutdown();
  }

  /**
   * What gathers meanwhile is more than the coordinator takes in one message, not more than it
   * keeps.
   */
  @Test
  void locksOfLongNamesShareMessagesThatAreNotTooLong() throws Exception {
    join(true).oracle().next();
    AdvisoryLocks locks = join(false).seams().locks();
    String name = "n".repeat(600 << 10);
    ExecutorService threads = Executors.newFixedThreadPool(16);
    List<Future<Boolean>> taken = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      String own = name + i;
      taken.add(threads.submit(() -> locks.tryLock(own, "owner")));
    }
    for (Future<Boolean> each : taken) {
      assertThat(each.get()).isTrue();
    }
    threads.shutdown();
  }

  @Test
  void hintsReachOneTakerInWhateverProcess() {
    Participant first = join(true);
    first.oracle().next();
    Participant second = join(false);
    Participant third = join(false);
    List<Bytes> received = new ArrayList<>();
    for (Participant taker : List.of(first, third)) {
      assertThat(taker.seams().hints().take(Set.of("rows"), 10, Duration.ZERO)).isEmpty();
    }

    for (int i = 0; i < 100; i++) {
      second.seams().hints().offer("rows", Bytes.of("a" + i));
      second.seams().hints().offer("other rows", Bytes.of("b" + i));
      first.seams().hints().offer("rows", Bytes.of("c" + i));
    }
    while (received.size() < 200) {
      for (Participant taker : List.of(first, third)) {
        received.addAll(taker.seams().hints().take(Set.of("rows"), 10, Duration.ofSeconds(1)));
      }
    }

    assertThat(received).doesNotHaveDuplicates().hasSize(200);
    assertThat(received).noneMatch(hint -> hint.toUtf8().startsWith("b"));
  }

  @Test
  void withoutACoordinatorHintsAreLostAndNobodyFails() {
    Participant only = join(false);

    only.seams().hints().offer("rows", Bytes.of("lost"));

    assertThat(only.seams().hints().take(Set.of("rows"), 10, Duration.ofMillis(1))).isEmpty();
  }

  /** A machine that lost its power ends no connection; its locks become free all the same. */
  @Test
  void locksEndWithTheMembershipOfAProcessThatSaysNothingMore() throws IOException {
    Participant first = join(true);
    first.oracle().next();
    InProcessCoordination silent = new InProcessCoordination(place, "silent");
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), first.port())) {
      DataOutputStream to = new DataOutputStream(socket.getOutputStream());
      DataInputStream from = new DataInputStream(socket.getInputStream());
      to.writeLong(Frames.MAGIC);
      Frames.writeText(to, first.seams().liveness().token());
      Frames.writeText(to, silent.liveness().token());
      assertThat(from.readUnsignedByte()).isEqualTo(Frames.DONE);
      to.write(Frames.LOCKS);
      LockMessage.Change taken = new LockMessage.Change(true, "row", "silent");
      Frames.writeMessage(to, new LockMessage(List.of(taken)).encode());
      assertThat(from.readUnsignedByte()).isEqualTo(Frames.DONE);
      assertThat(Frames.readMessage(from)).isEqualTo(Bytes.ofInts(1));
      Participant other = join(false);
      assertThat(other.seams().locks().tryLock("row", "other")).isFalse();

      silent.close();

      while (!other.seams().locks().tryLock("row", "other")) {
        assertThat(Thread.currentThread().isInterrupted()).as("out of time").isFalse();
      }
      assertThat(from.read()).isEqualTo(-1);
    }
  }

  /** Whoever cannot read the bound gives the lease back: it would be in the way of all. */
  @Test
  @Timeout(20)
  void aCoordinatorWithoutABoundGivesTheLeaseBack() {
    AtomicInteger reads = new AtomicInteger();
    StoreTimestampBound bound = new StoreTimestampBound(store);
    TimestampBound broken =
        new TimestampBound() {
          @Override
          public long read() {
            if (reads.getAndIncrement() == 0) {
              throw new TabletUnavailableException("not now");
            }
            return bound.read();
          }

          @Override
          public boolean raise(long expected, long next) {
            return bound.raise(expected, next);
          }
        };
    Participant only =
        new Participant(
            new InProcessCoordination(place, "only"),
            broken,
            new Participant.Terms(
                Duration.ofSeconds(60), true, InetAddress.getLoopbackAddress(), 0, 1 << 12));
    all.add(only);
    assertThat(only.oracle().next()).isPositive();
    assertThat(reads.get()).isGreaterThan(1);
  }
}
