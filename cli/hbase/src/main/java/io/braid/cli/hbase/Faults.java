package io.braid.cli.hbase;

import io.braid.core.data.Bytes;
import io.braid.core.store.StoreException;
import io.braid.store.hbase.HBaseOptions;
import io.braid.store.hbase.HBaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Brings about one fault after another, chosen by a seed, and mends each some time later. At least
 * one region server is left alone at any time.
 */
final class Faults implements AutoCloseable {
  /** Longer than sessions (10 s) and the lease of the coordinator (4 s). */
  private static final Duration PAUSE = Duration.ofSeconds(14);

  private static final Duration RESTART = Duration.ofSeconds(20);
  private static final int ATTEMPTS = 5;

  private final ClusterHome home;
  private final FaultedRun run;
  private final SplittableRandom random;
  private final Consumer<String> say;

  /** Each kind comes once before any comes again. */
  private final List<FaultKind> deck = new ArrayList<>();

  private final Map<FaultKind, Long> brought = new EnumMap<>(FaultKind.class);
  private final Set<String> hurt = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService later =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "mend");
            thread.setDaemon(true);
            return thread;
          });

  Faults(ClusterHome home, FaultedRun run, long seed, Consumer<String> say) {
    this.home = home;
    this.run = run;
    this.random = new SplittableRandom(seed);
    this.say = say;
  }

  /** Causes a fault and returns its description. */
  String next(Set<FaultKind> kinds) {
    if (deck.isEmpty()) {
      deck.addAll(kinds.stream().sorted().toList());
    }
    restartMaster();
    FaultKind kind = deck.remove(random.nextInt(deck.size()));
    String done;
    try {
      done = bring(kind);
      if (!done.startsWith("nothing")) {
        brought.merge(kind, 1L, Long::sum);
      }
    } catch (StoreException e) {
      done = kind + " was refused: " + e.getMessage();
    }
    say.accept(done);
    return done;
  }

  /** How often each kind was brought about. */
  Map<FaultKind, Long> brought() {
    return brought;
  }

  /**
   * Starts the master again. A master whose session ended while ZooKeeper was away stops itself,
   * and no other process starts it.
   */
  private void restartMaster() {
    ClusterProcess master = home.master();
    if (!hurt.contains(master.name()) && master.find().isEmpty()) {
      say.accept("the master has ended: starting it again");
      master.start();
    }
  }

  private String bring(FaultKind kind) {
    return switch (kind) {
      case kill_server -> server("kill", "KILL", RESTART);
      case pause_server -> server("pause", "STOP", PAUSE);
      case kill_master -> killMaster();
      case move -> move();
      case split -> split();
      case merge -> merge();
      case restart_zookeeper -> restartZooKeeper();
      case kill_client -> "kill client " + run.signal(random.nextInt(1 << 20), "KILL");
      case pause_client -> pauseClient(run.signal(random.nextInt(1 << 20), "STOP"));
      case pause_coordinator -> pauseCoordinator();
      case collect_garbage -> run.collectGarbage();
    };
  }

  private String server(String what, String signal, Duration until) {
    List<ClusterProcess> sound = sound();
    if (sound.size() < 2) {
      return "nothing to " + what;
    }
    ClusterProcess hit = sound.get(random.nextInt(sound.size()));
    hurt.add(hit.name());
    hit.signal(signal);
    later.schedule(() -> mend(hit), until.toMillis(), TimeUnit.MILLISECONDS);
    return what + " " + hit.name();
  }

  private String killMaster() {
    ClusterProcess master = home.master();
    if (master.find().isEmpty()) {
      return "nothing to kill: the master is down";
    }
    hurt.add(master.name());
    master.signal("KILL");
    later.schedule(() -> mend(master), RESTART.toMillis(), TimeUnit.MILLISECONDS);
    return "kill " + master.name();
  }

  /** Returns the processes that no fault has hurt, or that have recovered. */
  private List<ClusterProcess> sound() {
    List<ClusterProcess> sound = new ArrayList<>();
    for (ClusterProcess each : home.regionServers()) {
      if (each.find().isPresent() && !hurt.contains(each.name())) {
        sound.add(each);
      }
    }
    return sound;
  }

  /**
   * Starts a server again. A server that was paused for too long ends by itself, and is started
   * like one that died.
   */
  private void mend(ClusterProcess process) {
    try {
      if (process.find().isPresent()) {
        process.signal("CONT");
        ClusterProcess.awaitEnd(process.find().orElseThrow(), Duration.ofSeconds(10));
      }
      process.start();
      hurt.remove(process.name());
    } catch (StoreException | NoSuchElementException e) {
      later.schedule(() -> mend(process), 1, TimeUnit.SECONDS);
    }
  }

  private String move() {
    List<ClusterProcess> sound = sound();
    if (sound.isEmpty()) {
      return "nothing to move to";
    }
    ClusterProcess to = sound.get(random.nextInt(sound.size()));
    try (ClusterAdmin admin = ClusterAdmin.connect(home)) {
      admin.moveSome(run.table(), random.nextInt(1 << 20), to);
    }
    return "move a region to " + to.name();
  }

  private String split() {
    Bytes key = Bytes.of(String.valueOf(random.nextInt(100)));
    HBaseOptions hasty = new HBaseOptions("braid", Duration.ofSeconds(5), Duration.ofSeconds(10));
    try (HBaseStore store = HBaseStore.connect(home.configuration(), hasty)) {
      store.splitTablet(run.table(), key);
    }
    return "split at " + key.toUtf8();
  }

  private String merge() {
    try (ClusterAdmin admin = ClusterAdmin.connect(home)) {
      return admin.mergeSome(run.table(), random.nextInt(1 << 20))
          ? "merge two regions"
          : "nothing to merge";
    }
  }

  private String restartZooKeeper() {
    ClusterProcess zooKeeper = home.zooKeeper();
    Optional<ProcessHandle> handle = zooKeeper.find();
    zooKeeper.signal("KILL");
    handle.ifPresent(each -> ClusterProcess.awaitEnd(each, Duration.ofSeconds(5)));
    zooKeeper.start();
    return "restart zookeeper";
  }

  private String pauseClient(long number) {
    later.schedule(() -> run.goOn(number), PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    return "pause client " + number;
  }

  private String pauseCoordinator() {
    OptionalLong paused = run.signalCoordinator("STOP");
    return paused.isEmpty()
        ? "nothing to pause: no process of clients is the coordinator"
        : pauseClient(paused.getAsLong()) + ", the coordinator";
  }

  /** Mends all that is still to be mended, and waits until the cluster is whole. */
  void mend() {
    later.shutdownNow();
    run.goOnAll();
    home.processes().forEach(each -> each.find().ifPresent(handle -> each.signal("CONT")));
    for (int attempt = 1; ; attempt++) {
      home.processes().forEach(ClusterProcess::start);
      try {
        ClusterAdmin.awaitServers(home, home.regionServers().size());
        return;
      } catch (StoreException e) {
        // A server that was paused for too long ends as soon as it continues.
        if (attempt == ATTEMPTS) {
          throw e;
        }
        say.accept(e.getMessage());
      }
    }
  }

  @Override
  public void close() {
    later.shutdownNow();
    home.processes().forEach(each -> each.find().ifPresent(handle -> each.signal("CONT")));
  }
}
