package io.braid.simulation.serving;

import io.braid.core.runtime.Seams;
import io.braid.serving.chunk.Search;
import io.braid.serving.node.CanaryPlan;
import io.braid.serving.node.CanaryReport;
import io.braid.serving.node.LiveVersion;
import io.braid.serving.node.MissedPush;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.node.ServedStore;
import io.braid.serving.push.PushNode;
import io.braid.simulation.schedule.Host;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimScheduler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Nodes with one store each, and a network between them and who pushes. */
final class PushWorld {
  static final Host HOST = new SteadyHost();

  private static final int ONE_OF = 40;

  final Seams seams;
  final List<SimNode> nodes = new ArrayList<>();
  private final SimScheduler scheduler;
  private final SimRandom random;
  private boolean quiet;

  PushWorld(SimScheduler scheduler, List<NodeDirectory> directories) throws IOException {
    this.scheduler = scheduler;
    this.random = scheduler.random().split();
    this.seams = new SmallSeams(scheduler, HOST, random);
    for (NodeDirectory directory : directories) {
      nodes.add(new SimNode(nodes.size(), directory));
    }
  }

  /** Nothing goes wrong from now on. */
  void quiet() {
    quiet = true;
  }

  void loud() {
    quiet = false;
  }

  private boolean misfortune() {
    return !quiet && random.nextInt(ONE_OF) == 0;
  }

  /** What a request does at a node. */
  private interface Effect<T> {
    T run() throws IOException;
  }

  /** A node: its store is a real one, its lease ends with its process. */
  final class SimNode implements PushNode {
    private final int id;
    private final NodeDirectory directory;
    private ServedStore store;
    private String holder = "";
    private String source = "";
    private long fetching;
    private long leaseEnd;
    private long downUntil;

    SimNode(int id, NodeDirectory directory) throws IOException {
      this.id = id;
      this.directory = directory;
      this.store = open();
    }

    private ServedStore open() throws IOException {
      return ServedStore.open(directory.store("people"), Search.BINARY);
    }

    /** What is live, on disk and for readers. */
    long live() {
      try {
        long live = directory.store("people").live();
        if (live != store.version()) {
          throw new AssertionError(
              name() + " reads " + store.version() + " where its disk says " + live);
        }
        return live;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void rollBackByHand(long version) {
      try {
        store.takeBack(version, -1);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void crash() throws IOException {
      store.close();
      store = open();
      holder = "";
      downUntil = scheduler.now() + random.nextLong(Duration.ofSeconds(3).toNanos());
    }

    private <T> T call(Effect<T> effect) throws IOException {
      travel();
      if (misfortune()) {
        crash();
      }
      if (!quiet && scheduler.now() < downUntil) {
        throw new IOException("nobody listens");
      }
      if (misfortune()) {
        throw new IOException("request lost");
      }
      if (misfortune()) {
        seams.start("late", () -> late(effect));
        throw new IOException("no answer in time");
      }
      T answer = effect.run();
      travel();
      if (misfortune()) {
        throw new IOException("answer lost");
      }
      return answer;
    }

    /** The request comes when nobody waits for its answer any more, unless its node has died. */
    private <T> void late(Effect<T> effect) {
      ServedStore process = store;
      seams.sleep(Duration.ofNanos(1 + random.nextLong(Duration.ofMillis(200).toNanos())));
      if (store == process) {
        try {
          effect.run();
        } catch (IOException | RuntimeException e) {
          // It is told to nobody.
          return;
        }
      }
    }

    private void travel() {
      scheduler.park("message", 1 + random.nextLong(20_000_000), false);
    }

    private void check(String push) {
      if (!holder.equals(push) || leaseEnd <= scheduler.now()) {
        throw new IllegalStateException("Push " + push + " has no lease here.");
      }
    }

    private void allow(String push, long flips) throws IOException {
      check(push);
      store.versions().requireUnchanged(new LiveVersion(0, flips));
    }

    @Override
    public int id() {
      return id;
    }

    @Override
    public String name() {
      return "n" + id;
    }

    @Override
    public void lease(String name, String push, Duration length) throws IOException {
      call(
          () -> {
            if (!holder.equals(push) && !holder.isEmpty() && leaseEnd > scheduler.now()) {
              throw new IllegalStateException("Push " + holder + " is running.");
            }
            holder = push;
            leaseEnd = scheduler.now() + length.toNanos();
            return true;
          });
    }

    @Override
    public void release(String name, String push) throws IOException {
      call(
          () -> {
            holder = holder.equals(push) ? "" : holder;
            return true;
          });
    }

    @Override
    public State state(String name, String push) throws IOException {
      return call(
          () -> {
            LiveVersion seen = store.versions().seen();
            long pushed = store.versions().pushed(push);
            return new State(store.versions().next(), seen.live(), seen.flips(), pushed, false);
          });
    }

    /** All versions are there. */
    @Override
    public void fetch(String name, String push, String from, long version, boolean peers)
        throws IOException {
      call(
          () -> {
            check(push);
            fetching = version;
            source = from;
            return true;
          });
    }

    @Override
    public Progress progress(String name) throws IOException {
      return call(() -> new Progress(fetching, source, 1, 1, true, ""));
    }

    @Override
    public void prepare(String name, String push, long version, boolean force) throws IOException {
      call(
          () -> {
            check(push);
            store.prepare(version, force);
            return true;
          });
    }

    @Override
    public CanaryReport canary(String name, String push, long version, CanaryPlan plan) {
      return CanaryReport.NOTHING;
    }

    @Override
    public void swap(
        String name,
        String push,
        long version,
        boolean force,
        long flips,
        Optional<MissedPush> missed)
        throws IOException {
      call(
          () -> {
            check(push);
            store.swap(version, force, push, missed, () -> allow(push, flips));
            return true;
          });
    }

    @Override
    public void confirm(String name, String push) throws IOException {
      call(
          () -> {
            store.versions().confirm(push);
            return true;
          });
    }

    @Override
    public void takeBack(String name, long version, long flips) throws IOException {
      call(() -> store.takeBack(version, flips));
    }
  }
}
