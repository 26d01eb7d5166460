package io.braid.simulation.scope;

import io.braid.simulation.cluster.Tampering;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimScheduler;
import io.braid.simulation.schedule.SimTask;
import io.braid.simulation.schedule.SimulationFailure;
import io.braid.simulation.schedule.Trace;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes every order of steps of a {@link SmallScope}, depth first. Each run starts from the
 * beginning and follows the choices of the run before, up to the last choice that has an
 * alternative.
 *
 * <p>The future of a state depends only on the shared data and on the answers that each process has
 * got so far ({@link ScopeProcess}). So a run is cut off at a state that another run has reached.
 * The number of orders follows from the graph of states.
 */
public final class Explorer {
  private static final Duration STALL = Duration.ofSeconds(30);
  private static final long END = 0;
  private static final long[] NOWHERE = {};

  private final SmallScope scope;
  private final Tampering tampering;

  /** For each state, where each choice leads. */
  private final Map<Long, long[]> graph = new HashMap<>();

  /** The choices of the run before, with the last of them changed. */
  private final List<Choice> path = new ArrayList<>();

  private long root = END;
  private long runs;

  /** A choice on the way of a run. */
  private static final class Choice {
    final long state;
    final int options;
    int taken;

    Choice(long state, int options) {
      this.state = state;
      this.options = options;
    }
  }

  /**
   * The result of an exploration.
   *
   * @param states how many states there are in which more than one thing can come next
   * @param orders how many orders of steps there are; 0 if not all were explored
   * @param runs how many orders were run, to their end or to a known state
   * @param failure what went wrong, and in which order of steps; null if nothing did
   */
  public record Report(
      String scope, long states, BigInteger orders, long runs, @Nullable String failure) {
    /** Whether every order was explored. */
    public boolean isComplete() {
      return orders.signum() > 0;
    }
  }

  public Explorer(SmallScope scope) {
    this(scope, honest -> honest);
  }

  /**
   * @param tampering plants a bug
   */
  public Explorer(SmallScope scope, Tampering tampering) {
    this.scope = scope;
    this.tampering = tampering;
  }

  /** Explores until all is explored, something goes wrong, or it is to stop. */
  public Report explore(BooleanSupplier stop) {
    do {
      Run run = new Run();
      String failure = run.play();
      runs++;
      if (failure != null) {
        return report(BigInteger.ZERO, failure);
      }
      while (!path.isEmpty() && last().taken + 1 == last().options) {
        path.remove(path.size() - 1);
      }
      if (!path.isEmpty()) {
        last().taken++;
      }
    } while (!path.isEmpty() && !stop.getAsBoolean());
    return report(path.isEmpty() ? orders() : BigInteger.ZERO, null);
  }

  private Choice last() {
    return path.get(path.size() - 1);
  }

  private Report report(BigInteger orders, @Nullable String failure) {
    return new Report(scope.name(), graph.size(), orders, runs, failure);
  }

  /**
   * Counts the ways through the graph. The graph has no circles: no process forgets what it has
   * seen.
   */
  private BigInteger orders() {
    Map<Long, BigInteger> counted = new HashMap<>(Map.of(END, BigInteger.ONE));
    Deque<Long> open = new ArrayDeque<>(List.of(root));
    while (!open.isEmpty()) {
      long state = open.peek();
      BigInteger sum = BigInteger.ZERO;
      boolean all = true;
      for (long next : counted.containsKey(state) ? NOWHERE : graph.getOrDefault(state, NOWHERE)) {
        BigInteger ways = counted.get(next);
        if (ways == null) {
          open.push(next);
          all = false;
        } else {
          sum = sum.add(ways);
        }
      }
      if (all) {
        open.pop();
        counted.putIfAbsent(state, sum);
      }
    }
    return counted.getOrDefault(root, BigInteger.ONE);
  }

  /** One run from the beginning. */
  private final class Run {
    private final SimScheduler scheduler =
        new SimScheduler(new SimRandom(0), new Trace(null), this::choose);
    private final ScopeWorld world = new ScopeWorld(scheduler, scope.store(), tampering);
    private final List<String> steps = new ArrayList<>();
    private int crashes = scope.crashes();
    private int mistakes = scope.mistakes();
    private int losses = scope.losses();
    private int depth;
    private boolean cut;

    /** Returns what went wrong; null if nothing did. */
    @Nullable String play() {
      try {
        scheduler.run(world.visitor(), "visit", STALL, () -> scope.play(world));
      } catch (SimulationFailure e) {
        return cut ? null : explained(e);
      }
      arrive(END);
      return null;
    }

    private String explained(SimulationFailure e) {
      Throwable cause = e.getCause();
      return e.getMessage()
          + (cause == null ? "" : "\n" + cause)
          + "\nIt came so:\n  "
          + String.join("\n  ", steps);
    }

    /** Notes where the last choice has led. */
    private void arrive(long state) {
      if (depth == 0) {
        root = state;
      } else {
        Choice before = path.get(depth - 1);
        long[] next = graph.get(before.state);
        if (next == null) {
          throw new IllegalStateException("A state was passed that is not known.");
        }
        next[before.taken] = state;
      }
    }

    private int choose(List<SimTask> tasks) {
      int certain = certain(tasks);
      if (certain >= 0) {
        return certain;
      }
      List<ScopeProcess> mortal =
          world.processes().stream().filter(each -> !each.hasEnded()).toList();
      List<Integer> losing = losses > 0 ? losing(tasks) : List.of();
      int options =
          tasks.size()
              + losing.size()
              + (crashes > 0 ? mortal.size() : 0)
              + (mistakes > 0 ? mortal.size() : 0);
      int taken = options == 1 ? 0 : take(options);
      if (cut) {
        return 0;
      }
      if (taken < tasks.size()) {
        steps.add(tasks.get(taken).toString());
        return taken;
      }
      taken -= tasks.size();
      if (taken < losing.size()) {
        losses--;
        world.loseAnswer();
        steps.add(tasks.get(losing.get(taken)) + ", and its answer is lost");
        return losing.get(taken);
      }
      taken -= losing.size();
      befall(mortal.get(taken % mortal.size()), crashes > 0 && taken < mortal.size());
      return choose(tasks);
    }

    /** Returns which of these tasks may lose an answer, by index. */
    private List<Integer> losing(List<SimTask> tasks) {
      List<Integer> losing = new ArrayList<>();
      for (int i = 0; i < tasks.size(); i++) {
        if (tasks.get(i).host() instanceof ScopeProcess process && process.mayLose()) {
          losing.add(i);
        }
      }
      return losing;
    }

    private void befall(ScopeProcess process, boolean dies) {
      steps.add(process + (dies ? " dies" : " is taken for dead"));
      if (dies) {
        crashes--;
        world.kill(process);
      } else {
        mistakes--;
        world.mistake(process);
      }
    }

    /**
     * Returns the index of a task that always goes on, or -1. Such a task sets up the scope, is
     * between two steps, or belongs to a dead process.
     */
    private int certain(List<SimTask> tasks) {
      for (int i = 0; i < tasks.size(); i++) {
        if (!(tasks.get(i).host() instanceof ScopeProcess process) || process.isCertain()) {
          return i;
        }
      }
      return -1;
    }

    private int take(int options) {
      if (depth < path.size()) {
        return path.get(depth++).taken;
      }
      long state = Digest.of(world.state(), crashes + " " + mistakes + " " + losses);
      arrive(state);
      if (graph.putIfAbsent(state, new long[options]) != null) {
        cut = true;
        scheduler.fail(new SimulationFailure("This state is known."));
        return 0;
      }
      path.add(new Choice(state, options));
      depth++;
      return 0;
    }
  }
}
