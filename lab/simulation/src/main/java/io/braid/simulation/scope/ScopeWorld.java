package io.braid.simulation.scope;

import io.braid.core.cells.Families;
import io.braid.core.store.CellStore;
import io.braid.core.time.Timestamp;
import io.braid.core.time.TimestampOracle;
import io.braid.groups.leader.GroupLeader;
import io.braid.omid.manager.TransactionManager;
import io.braid.simulation.cluster.Tampering;
import io.braid.simulation.schedule.SimScheduler;
import io.braid.simulation.schedule.SimTask;
import io.braid.simulation.schedule.SimulationFailure;
import io.braid.testkit.MemoryOptions;
import io.braid.testkit.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The world that the processes of a small scope share: a store, an oracle, and which processes are
 * taken for dead. Every call of one of them is a step. Before each step the {@link Explorer} says
 * which process goes on.
 */
public final class ScopeWorld {
  private static final Duration FOREVER = Duration.ofDays(100_000);

  private static final long BEGIN_MILLIS = Instant.parse("2026-03-01T00:00:00Z").toEpochMilli();

  private final SimScheduler scheduler;
  private final MemoryStore memory;
  private final Tampering tampering;
  private final List<ScopeProcess> processes = new ArrayList<>();
  private final List<SimTask> actors = new ArrayList<>();
  private final List<SimTask> sleeping = new ArrayList<>();
  private final ScopeOracle oracle = new ScopeOracle();
  private final ScopeProcess visitor = new ScopeProcess("visitor", this);
  private long shared;
  private boolean losing;

  ScopeWorld(SimScheduler scheduler, MemoryOptions options, Tampering tampering) {
    this.scheduler = scheduler;
    this.memory = new MemoryStore(options);
    this.tampering = tampering;
  }

  SimScheduler scheduler() {
    return scheduler;
  }

  /** The store itself: what is done here is no step. */
  CellStore memory() {
    return memory;
  }

  /** Returns the store and the oracle that a process uses. */
  Tampering.Surroundings surroundings() {
    return tampering.tamper(new Tampering.Surroundings(new ScopeStore(this, memory), oracle));
  }

  TimestampOracle oracle() {
    return oracle;
  }

  /** A transaction manager, as the processes use it. */
  TransactionManager manager(TransactionManager honest) {
    return tampering.manager(honest, 0);
  }

  /** Returns the base of key groups, as the processes use it. */
  GroupLeader.Base groups(GroupLeader.Base honest) {
    return tampering.groups(honest);
  }

  /** Starts a process with a task; to be called by the one that sets up the scope. */
  void start(String name, Actor actor) {
    ScopeProcess process = new ScopeProcess(name, this);
    processes.add(process);
    actors.add(
        scheduler.spawn(
            process,
            "main",
            () -> {
              actor.run(process);
              process.end();
            }));
  }

  /** The work of a process. */
  interface Actor {
    void run(ScopeProcess process);
  }

  /** A process that is none of the explored ones, for what comes before and after. */
  ScopeProcess visitor() {
    return visitor;
  }

  void awaitAll() {
    actors.forEach(actor -> actor.join(FOREVER));
  }

  /**
   * Waits until all have done their work; then they are gone, and others may end what they left.
   */
  void awaitGone() {
    awaitAll();
    processes.forEach(ScopeProcess::takenForDead);
  }

  /** A store whose procedures stay within a tablet, of which one begins at a key. */
  static MemoryOptions tabletsFrom(String key) {
    return MemoryOptions.defaults().reach(MemoryStore.Reach.TABLET).splitAt(key);
  }

  /** Makes Braid's own table, and one for transactions. */
  void makeTables(String table, String family) {
    memory.ensureTable(Families.system());
    memory.ensureTable(Families.transactional(table, List.of(family)));
  }

  List<ScopeProcess> processes() {
    return processes;
  }

  boolean isTakenForDead(String token) {
    return processes.stream().anyMatch(each -> each.name().equals(token) && each.isTakenForDead());
  }

  /**
   * A step of the process whose task this is: first others may go on, then it is done at once.
   *
   * @param changes whether it may change what others see
   */
  <R> R step(String what, boolean changes, Supplier<R> effect) {
    return step(what, changes, null, effect);
  }

  /**
   * Takes a step whose answer may be lost.
   *
   * @param lost the answer when the real one is lost; null if it cannot be lost
   */
  <R> R step(String what, boolean changes, @Nullable R lost, Supplier<R> effect) {
    ScopeProcess process = current();
    // The visitor judges the case after its end; nothing goes wrong in its steps.
    process.comesToStep(lost != null && process != visitor);
    scheduler.step(what);
    process.leavesStep();
    R answer = effect.get();
    if (lost != null && losing) {
      losing = false;
      answer = lost;
    }
    process.saw(what, String.valueOf(answer));
    if (changes) {
      somethingChanged();
    }
    return answer;
  }

  /** The answer of the next step is lost. */
  void loseAnswer() {
    losing = true;
  }

  /** Answers a question between steps, whose answer no process changes. */
  <R> R look(String what, Supplier<R> answer) {
    R looked = answer.get();
    current().saw(what, String.valueOf(looked));
    return looked;
  }

  private ScopeProcess current() {
    if (scheduler.current().host() instanceof ScopeProcess process) {
      return process;
    }
    throw new IllegalStateException("This is no task of the scope.");
  }

  /** The highest timestamp that was drawn. */
  long drawn() {
    return oracle.last;
  }

  /** Something that others see has changed, and the store does not show it. */
  void changed(String what) {
    shared = Digest.of(shared, what);
  }

  void sleep() {
    SimTask me = scheduler.current();
    sleeping.add(me);
    scheduler.after(1, this::wakeAll);
    scheduler.park("sleep", Long.MAX_VALUE, false);
  }

  private void somethingChanged() {
    wake(task -> task.host() instanceof ScopeProcess process && process.wakes());
  }

  /** Nobody else can go on. */
  private void wakeAll() {
    wake(task -> true);
  }

  private void wake(Predicate<SimTask> which) {
    for (SimTask task : List.copyOf(sleeping)) {
      if (which.test(task)) {
        sleeping.remove(task);
        if (task.host() instanceof ScopeProcess process) {
          process.wake();
        }
        scheduler.wake(task);
      }
    }
  }

  /** A process dies. */
  void kill(ScopeProcess process) {
    process.die();
    scheduler.wakeAll(process);
    somethingChanged();
  }

  /** A process is taken for dead, and goes on. */
  void mistake(ScopeProcess process) {
    process.takenForDead();
    somethingChanged();
  }

  /** All that decides what happens from now on, but for what the explorer chooses. */
  long state() {
    long state = Digest.of(shared, memory.describe(), Long.toString(oracle.last));
    for (ScopeProcess process : processes) {
      state = Digest.of(state, process.state());
    }
    return state;
  }

  /** Fails the run unless it holds. */
  static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new SimulationFailure(otherwise);
    }
  }

  /** Timestamps of an oracle that answers at once. */
  private final class ScopeOracle implements TimestampOracle {
    private long last = Timestamp.ofWallMillis(BEGIN_MILLIS);

    @Override
    public long next(int count) {
      return step(
          "draw",
          false,
          () -> {
            long first = last + Timestamp.STEP;
            last += count * Timestamp.STEP;
            return first;
          });
    }

    @Override
    public long lastIssued() {
      return look("last issued", () -> last);
    }
  }
}
