package io.braid.simulation.serving;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Task;
import io.braid.serving.NotFinishedException;
import io.braid.serving.client.StoreClient;
import io.braid.serving.client.StoreUnavailableException;
import io.braid.serving.client.Values;
import io.braid.serving.push.Push;
import io.braid.serving.push.PushPlan;
import io.braid.simulation.schedule.SimRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * Jobs that push versions of several stores at once, two of them the same store, people who roll
 * them back, and clients that read all the while. In the end every node is at the same version of a
 * store or refuses to read it, can be pushed to, and goes back to what was there before.
 */
public final class PushWorkload {
  private static final int ATTEMPTS = 20;
  private static final Duration DAY = Duration.ofDays(1);

  /**
   * The time for leases to end, for late messages to arrive, and for nodes that are behind to catch
   * up.
   */
  private static final Duration REST = Duration.ofMinutes(3);

  private final PushCluster cluster;
  private final Seams seams;
  private final SimRandom random;
  private final BuiltVersions builds;
  private final PushWatch watch = new PushWatch();
  private final List<String> stores;
  private final int clients;
  private final int pushersOfAStore;
  private final Map<String, StoreOperator> operators = new TreeMap<>();
  private final List<StorePusher> pushers = new ArrayList<>();
  private boolean over;

  /**
   * @param seams of what never dies
   */
  public PushWorkload(
      PushCluster cluster,
      Seams seams,
      SimRandom random,
      BuiltVersions builds,
      List<String> stores,
      int clients,
      int pushersOfAStore) {
    this.cluster = cluster;
    this.seams = seams;
    this.random = random;
    this.builds = builds;
    this.stores = List.copyOf(stores);
    this.clients = clients;
    this.pushersOfAStore = pushersOfAStore;
  }

  /** Returns the watch, with all that was seen. */
  public PushWatch watch() {
    return watch;
  }

  /**
   * Works for a while, comes to rest, and looks.
   *
   * @param loud lets things go wrong
   */
  public void run(Duration length, Runnable loud) {
    cluster.start();
    awaitAll();
    for (String store : stores) {
      pushQuietly(store, "first");
    }
    loud.run();
    List<Task> tasks = new ArrayList<>();
    for (String store : stores) {
      StoreOperator operator = new StoreOperator(cluster, watch, store, random.split());
      operators.put(store, operator);
      tasks.add(seams.start("operator-" + store, () -> operator.work(seams, () -> over)));
      for (int i = 0; i < pushersOfAStore; i++) {
        StorePusher pusher =
            new StorePusher(
                cluster,
                watch,
                builds,
                store,
                "pusher-" + store + "-" + i,
                random.split(),
                () -> over);
        pushers.add(pusher);
        pusher.start();
      }
    }
    for (int i = 0; i < clients; i++) {
      SimRandom own = random.split();
      tasks.add(seams.start("client-" + i, () -> read(own)));
    }
    seams.sleep(length);
    over = true;
    cluster.quiet();
    tasks.forEach(task -> task.join(DAY));
    while (!pushers.stream().allMatch(StorePusher::hasEnded)) {
      seams.sleep(Duration.ofSeconds(1));
    }
    awaitAll();
    seams.sleep(REST);
    stores.forEach(this::settled);
  }

  private void awaitAll() {
    while (!cluster.areUp()) {
      seams.sleep(Duration.ofMillis(100));
    }
  }

  private StoreClient client() {
    return new StoreClient(seams, cluster.network(), cluster.addresses(), 0);
  }

  private void read(SimRandom own) {
    StoreClient client = client();
    while (!over) {
      String store = stores.get(own.nextInt(stores.size()));
      List<Bytes> keys = new ArrayList<>(BuiltVersions.keys());
      keys.removeIf(key -> own.nextInt(3) > 0);
      try {
        watch.read(store, keys, client.read(store, keys));
        watch.count("reads-ok");
      } catch (StoreUnavailableException e) {
        watch.count("reads-fail");
      }
      seams.sleep(Duration.ofNanos(own.around(Duration.ofMillis(150).toNanos())));
    }
  }

  private Optional<Bytes> readAll(String store) {
    Values values = client().read(store, BuiltVersions.keys());
    return watch.read(store, BuiltVersions.keys(), values);
  }

  /** Pushes while nothing goes wrong; answers what must be read then. */
  private Bytes pushQuietly(String store, String id) {
    BuiltVersions.Built built = builds.build(store);
    watch.pushes(built);
    PushPlan plan = PushPlan.of(store, id, built.folder().toString());
    for (int attempt = 1; ; attempt++) {
      try {
        new Push(seams, cluster.nodes(Duration.ofSeconds(30)), plan, (step, done, total) -> {})
            .run();
        return BuiltVersions.Built.value(built.number());
      } catch (NotFinishedException e) {
        // A node may be fetching what it missed.
        if (attempt == ATTEMPTS) {
          throw e;
        }
        seams.sleep(Duration.ofSeconds(10));
      }
    }
  }

  private void settled(String store) {
    StoreOperator operator = operators.get(store);
    if (operator == null) {
      return;
    }
    if (operator.isPushNeeded()) {
      watch.count("pushes-after-rollbacks");
      pushQuietly(store, "after-rollback");
    }
    Set<Long> live = operator.live();
    if (live.size() != 1) {
      watch.wrong("Nodes that answer are at versions " + live + " of " + store + ".");
      return;
    }
    readAll(store);
    Bytes before = pushQuietly(store, "before");
    Set<Long> old = operator.live();
    pushQuietly(store, "last");
    OptionalLong target = operator.rollBack(seams);
    if (old.size() != 1
        || !operator.live().equals(old)
        || target.isEmpty()
        || !readAll(store).equals(Optional.of(before))) {
      watch.wrong(
          "A rollback of "
              + store
              + " led to "
              + operator.live()
              + ", where "
              + old
              + " was there before.");
    }
  }
}
