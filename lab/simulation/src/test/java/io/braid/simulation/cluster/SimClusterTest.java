package io.braid.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.runtime.AdvisoryLocks;
import io.braid.core.runtime.Liveness;
import io.braid.core.runtime.Task;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.time.TimestampOracle;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimScheduler;
import io.braid.simulation.schedule.Trace;
import io.braid.testkit.MemoryOptions;
import io.braid.testkit.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SimClusterTest {
  private static final ColumnName COLUMN = ColumnName.of("f", "q");
  private static final Duration STALL = Duration.ofSeconds(30);

  private final SimScheduler scheduler = new SimScheduler(new SimRandom(1), new Trace(null));
  private final MemoryStore memory = new MemoryStore(MemoryOptions.defaults().withLog());

  private void run(Faults faults, Consumer<SimCluster> body) {
    run(faults, false, body);
  }

  private void run(Faults faults, boolean oneMachine, Consumer<SimCluster> body) {
    SimCluster cluster = new SimCluster(scheduler, faults, memory, oneMachine, CellListener.NONE);
    cluster.createTable("t", List.of("f"), List.of(Bytes.of("m")));
    scheduler.run(cluster.keeper(), "test", STALL, () -> body.accept(cluster));
  }

  private static RowWrite put(String key, String value) {
    return RowWrite.put(Row.of("t", key), new Cell(COLUMN, 1, Bytes.of(value)));
  }

  private boolean isThere(String key) {
    return !memory.read(RowRead.of(Row.of("t", key), Selection.column(COLUMN))).isEmpty();
  }

  private void pass(Duration time) {
    scheduler.park("pass", time, false);
  }

  @Test
  void whatADeadProcessStillTriesHasNoEffect() {
    List<String> seen = new ArrayList<>();
    run(
        Faults.none(),
        cluster -> {
          SimProcess process = cluster.process("p");
          CellStore store = cluster.store(process);
          process.start(
              "t",
              () -> {
                try {
                  process.seams().sleep(Duration.ofSeconds(1));
                } finally {
                  seen.add("finally");
                  try {
                    store.write(List.of(put("a", "x")), Durability.BUFFERED);
                  } finally {
                    seen.add("thrown out");
                  }
                }
              });
          pass(Duration.ofMillis(10));
          process.crash();
          pass(Duration.ofSeconds(5));
        });
    assertThat(seen).containsExactly("finally", "thrown out");
    assertThat(isThere("a")).isFalse();
  }

  @Test
  void whatADyingProcessHasSentStillArrives() {
    run(
        Faults.none(),
        cluster -> {
          SimProcess process = cluster.process("p");
          CellStore store = cluster.store(process);
          process.start("t", () -> store.write(List.of(put("a", "x")), Durability.BUFFERED));
          pass(Duration.ofNanos(1000));
          assertThat(isThere("a")).isFalse();
          process.crash();
          pass(Duration.ofSeconds(5));
        });
    assertThat(isThere("a")).isTrue();
  }

  @Test
  void refusedIsNotExecutedAndNeverWillBe() {
    run(
        Faults.none().with(Fault.REFUSED, 1),
        cluster -> {
          assertThat(write(cluster, "a")).isInstanceOf(Outcome.NotExecuted.class);
          pass(Duration.ofMinutes(10));
        });
    assertThat(isThere("a")).isFalse();
  }

  @Test
  void whatTheStoreRefusesIsThrownAtTheCallerAlone() {
    run(
        Faults.none().with(Fault.RESENT, 1).with(Fault.RESENT_LATE, 1),
        cluster -> {
          CellStore store = cluster.store(cluster.process("p"));
          store.veil("t", 5, false);
          store.raiseWatermark(6);
          assertThatThrownBy(
                  () -> store.lift("t", 5, 7, 0, Families.INTENT, (row, veiled) -> false))
              .isInstanceOf(StoreException.class)
              .hasMessageContaining("cannot be lifted any more");
          pass(Duration.ofMinutes(10));
        });
    assertThat(memory.veils("t").all()).noneMatch(veil -> veil.isLifted());
  }

  @Test
  void lostIsUnknownAndNeverHappens() {
    run(
        Faults.none().with(Fault.REQUEST_LOST, 1),
        cluster -> {
          assertThat(write(cluster, "a")).isInstanceOf(Outcome.Unknown.class);
          pass(Duration.ofMinutes(10));
        });
    assertThat(isThere("a")).isFalse();
  }

  @Test
  void lateIsUnknownAndHappensAfterTheAnswer() {
    run(
        Faults.none().with(Fault.DELIVERED_LATE, 1),
        cluster -> {
          assertThat(write(cluster, "a")).isInstanceOf(Outcome.Unknown.class);
          assertThat(isThere("a")).isFalse();
          assertThat(cluster.hasRequestsUnderWay()).isTrue();
          pass(Duration.ofMinutes(10));
          assertThat(cluster.hasRequestsUnderWay()).isFalse();
        });
    assertThat(isThere("a")).isTrue();
  }

  @Test
  void lostReplyIsUnknownThoughItHappened() {
    run(
        Faults.none().with(Fault.REPLY_LOST, 1),
        cluster -> assertThat(write(cluster, "a")).isInstanceOf(Outcome.Unknown.class));
    assertThat(isThere("a")).isTrue();
  }

  private static Outcome<Void> write(SimCluster cluster, String key) {
    return cluster
        .store(cluster.keeper())
        .write(List.of(put(key, "x")), Durability.BUFFERED)
        .get(0);
  }

  @Test
  void brokenScansGoOnWhereTheyAreOpenedAgain() {
    for (char c = 'a'; c < 'z'; c++) {
      memoryTable();
      memory.write(List.of(put("" + c, "x")), Durability.BUFFERED);
    }
    List<String> keys = new ArrayList<>();
    run(
        Faults.drawn(new SimRandom(3), List.of(Fault.values())).with(Fault.SCAN_BROKEN, 0.3),
        cluster -> {
          CellStore store = cluster.store(cluster.keeper());
          KeyRange rest = KeyRange.ALL;
          while (rest != null) {
            rest = scan(store, rest, keys);
          }
        });
    assertThat(keys).hasSize(25).isSorted().doesNotHaveDuplicates();
  }

  private static @Nullable KeyRange scan(CellStore store, KeyRange range, List<String> keys) {
    Bytes from = range.start();
    try (RowScanner scanner =
        store.scan(new ScanRequest("t", range, List.of(Selection.column(COLUMN)), 0, 4))) {
      for (var row = scanner.next(); row != null; row = scanner.next()) {
        keys.add(row.row().key().toUtf8());
        from = row.row().key().successor();
      }
      return null;
    } catch (TabletUnavailableException e) {
      return new KeyRange(from, null);
    }
  }

  private void memoryTable() {
    memory.ensureTable(Families.transactional("t", List.of("f")));
  }

  @Test
  void machineThatDiesKeepsWhatWasSynced() {
    run(
        Faults.none(),
        cluster -> {
          CellStore store = cluster.store(cluster.keeper());
          store.write(List.of(put("a", "x")), Durability.SYNCED);
          store.write(List.of(put("b", "x")), Durability.BUFFERED);
          cluster.storeServer().crash();
          assertThat(write(cluster, "c")).isNotInstanceOf(Outcome.Done.class);
        });
    assertThat(isThere("a")).isTrue();
    assertThat(isThere("b")).isFalse();
  }

  @Test
  void machineTakesItsClientsAlongWhereTheyShareIt() {
    run(
        Faults.none(),
        true,
        cluster -> {
          SimProcess process = cluster.process("p");
          cluster.storeServer().crash();
          assertThat(process.isDead()).isTrue();
        });
  }

  @Test
  void whatIsOnItsWayDiesWithAMachineThatClientsShare() {
    crashWithARequestUnderWay(true);
    assertThat(isThere("a")).isFalse();
  }

  @Test
  void whatIsOnItsWayFromElsewhereOutlivesTheMachine() {
    crashWithARequestUnderWay(false);
    assertThat(isThere("a")).isTrue();
  }

  private void crashWithARequestUnderWay(boolean oneMachine) {
    run(
        Faults.none().with(Fault.DELIVERED_LATE, 1),
        oneMachine,
        cluster -> {
          SimProcess process = cluster.process("p");
          CellStore store = cluster.store(process);
          process.start("t", () -> store.write(List.of(put("a", "x")), Durability.SYNCED));
          pass(Duration.ofNanos(1000));
          assertThat(cluster.hasRequestsUnderWay()).isTrue();
          cluster.storeServer().crash();
          pass(Duration.ofMinutes(10));
        });
  }

  @Test
  void sessionOutlivesItsProcessForAWhile() {
    run(
        Faults.none(),
        cluster -> {
          SimProcess process = cluster.process("p");
          Liveness liveness = cluster.keeper().seams().liveness();
          AdvisoryLocks locks = cluster.keeper().seams().locks();
          String token = process.seams().liveness().token();
          List<Boolean> taken = new ArrayList<>();
          process.start("t", () -> taken.add(process.seams().locks().tryLock("l", "me")));
          pass(Duration.ofSeconds(10));
          process.crash();
          assertThat(liveness.isAlive(token)).isTrue();
          assertThat(locks.tryLock("l", "other")).isFalse();
          pass(Duration.ofSeconds(10));
          assertThat(liveness.isAlive(token)).isFalse();
          assertThat(locks.tryLock("l", "other")).isTrue();
          assertThat(taken).containsExactly(true);
        });
  }

  /**
   * Fault 2: whatever happens to its holders, timestamps rise; {@link CheckedOracle} fails else.
   */
  @Test
  void timestampsRiseWhateverHappensToTheOracle() {
    Faults faults =
        Faults.none()
            .with(Fault.ORACLE_RESTARTED, 0.01)
            .with(Fault.ORACLE_DEPOSED, 0.005)
            .with(Fault.ORACLE_LOST, 0.01)
            .with(Fault.ORACLE_SLOW, 0.05)
            .with(Fault.CLOCK_STEPPED, 0.01)
            .with(Fault.BOUND_UNKNOWN, 0.3);
    List<Long> received = new ArrayList<>();
    run(
        faults,
        cluster -> {
          cluster.start();
          List<Task> tasks = new ArrayList<>();
          for (int i = 0; i < 4; i++) {
            SimProcess process = cluster.process("p" + i);
            TimestampOracle oracle = cluster.oracle(process);
            tasks.add(process.seams().start("ask", () -> ask(oracle, received)));
          }
          tasks.forEach(task -> assertThat(task.join(Duration.ofHours(1))).isTrue());
        });
    assertThat(received).hasSizeGreaterThan(1000).doesNotHaveDuplicates();
  }

  private static void ask(TimestampOracle oracle, List<Long> received) {
    for (int i = 0; i < 400; i++) {
      try {
        received.add(oracle.next());
      } catch (TimestampUnavailableException e) {
        // Asks again.
      }
    }
  }

  @Test
  void unknownTablesAreRefusedBeforeAnythingHappens() {
    run(
        Faults.none(),
        cluster ->
            assertThatThrownBy(() -> cluster.store(cluster.keeper()).tablets("none"))
                .isInstanceOf(io.braid.core.store.UnknownTableException.class));
  }
}
