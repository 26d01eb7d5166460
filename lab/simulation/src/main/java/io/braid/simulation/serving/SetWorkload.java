package io.braid.simulation.serving;

import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.Task;
import io.braid.serving.ServingException;
import io.braid.serving.client.StoreUnavailableException;
import io.braid.serving.writable.ObsoleteVersionException;
import io.braid.serving.writable.PutOutcomeUnknownException;
import io.braid.serving.writable.Resolver;
import io.braid.serving.writable.VectorClock;
import io.braid.serving.writable.VersionedValue;
import io.braid.serving.writable.WritableStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;

/**
 * Clients add elements to sets in a read-write store, while hints are delivered. If asked for,
 * partitions move there and back, or sets are imported. In the end every acknowledged addition must
 * be there, unless a later import replaced it that its writer had not seen. All replicas must have
 * the same.
 */
public final class SetWorkload {
  /** So many sets are added to at a time; others follow when they have become long. */
  private static final int KEYS = 3;

  private static final int LENGTH = 25;
  private static final Duration DAY = Duration.ofDays(1);
  private static final int ROUNDS = 4;

  private static final Resolver UNION =
      siblings -> {
        Set<String> all = new TreeSet<>();
        siblings.forEach(sibling -> all.addAll(elements(sibling.value())));
        return new VersionedValue(VectorClock.NONE, 0, Optional.of(joined(all)));
      };

  private final ReplicaWorld world;
  private final int clients;
  private final Map<String, Map<String, Long>> acknowledged = new TreeMap<>();
  private final SetImports imports;
  private boolean moving;
  private boolean losing;
  private final Map<String, Long> operations = new LinkedHashMap<>();
  private final List<String> wrong = new ArrayList<>();

  public SetWorkload(ReplicaWorld world, int clients) {
    this.world = world;
    this.clients = clients;
    this.imports = new SetImports(world, acknowledged::keySet);
  }

  /**
   * Adds, comes to rest, and looks.
   *
   * @param goesOn whether a client that has tried so many additions tries another one
   * @param moves whether partitions move meanwhile
   * @param importing whether sets are imported
   */
  public void run(IntPredicate goesOn, boolean moves, boolean importing) {
    List<Task> tasks = new ArrayList<>();
    boolean[] over = {false};
    for (int client = 0; client < clients; client++) {
      String name = "c" + client;
      tasks.add(world.seams().start(name, () -> add(name, goesOn)));
    }
    Task mover =
        world.seams().start("mover", () -> move(moves ? () -> over[0] : () -> true, importing));
    Task pusher = world.seams().start("pusher", () -> push(() -> over[0]));
    List<Task> others = new ArrayList<>();
    if (!importing) {
      others.add(world.seams().start("disks", () -> loseDisks(() -> over[0])));
    }
    if (importing) {
      others.add(world.seams().start("importer", () -> imports.run(() -> over[0], () -> !moving)));
    }
    tasks.forEach(task -> task.join(DAY));
    over[0] = true;
    mover.join(DAY);
    others.forEach(task -> task.join(DAY));
    pusher.join(DAY);
    world.seams().sleep(Duration.ofSeconds(5));
    world.quiet();
    imports.settle();
    if (world.imports().isAnyRunning()) {
      wrong.add("An import has not ended: " + world.imports().states() + ".");
    }
    settle();
  }

  private void push(BooleanSupplier over) {
    while (!over.getAsBoolean()) {
      count("hints-delivered", world.pushHints());
      if (world.seams().random().nextInt(4) == 0) {
        count("deletions-forgotten", world.purge());
      }
      world.seams().sleep(Duration.ofMillis(50));
    }
  }

  /** Every node keeps one partition of its own; some moves are given up half way. */
  private void move(BooleanSupplier over, boolean importing) {
    while (!over.getAsBoolean()) {
      if (imports.isPending() || losing) {
        world.seams().sleep(Duration.ofMillis(20));
        continue;
      }
      moving = true;
      List<Integer> primaries = new ArrayList<>();
      for (int n = 0; n < 3; n++) {
        primaries.add(5 + world.seams().random().nextInt(5));
      }
      boolean undone = world.seams().random().nextInt(3) == 0;
      world.rebalance(primaries, world.seams().random().nextInt(5), undone);
      moving = false;
      count(undone ? "moves-given-up" : "moves", 1);
      if (importing) {
        world.seams().sleep(Duration.ofNanos(1 + world.seams().random().nextLong(20_000_000)));
      }
    }
  }

  /** One node at a time loses what it had, now and then; not while partitions move. */
  private void loseDisks(BooleanSupplier over) {
    while (!over.getAsBoolean()) {
      long pause = world.seams().random().nextLong(Duration.ofSeconds(20).toNanos());
      world.seams().sleep(Duration.ofNanos(1 + pause));
      losing = true;
      while (moving) {
        world.seams().sleep(Duration.ofMillis(5));
      }
      world.loseDisk(world.seams().random().nextInt(5));
      losing = false;
      count("disks-lost", 1);
    }
  }

  private void add(String name, IntPredicate goesOn) {
    WritableStore store = world.client(name);
    for (int i = 0; goesOn.test(i); i++) {
      String key = "k" + (i / LENGTH * KEYS + world.seams().random().nextInt(KEYS));
      String element = name + "." + i;
      long imported = imports.finished(key);
      try {
        VersionedValue written =
            world.seams().random().nextInt(3) == 0
                ? store.append(Bytes.of(key), before -> added(before, element))
                : store.applyUpdate(
                    Bytes.of(key), before -> Optional.of(added(before, element)), UNION);
        long known = written.clock().imports();
        if (known < imported) {
          wrong.add("Addition " + element + " does not know of import " + imported + ".");
        }
        acknowledged.computeIfAbsent(key, k -> new TreeMap<>()).put(element, known);
        count("additions-ok", 1);
      } catch (PutOutcomeUnknownException
          | StoreUnavailableException
          | ObsoleteVersionException
          | ServingException e) {
        if (e instanceof ServingException refusal
            && refusal.code() != ErrorCode.SIBLINGS
            && refusal.code() != ErrorCode.WRITES_REFUSED) {
          throw e;
        }
        count(outcome(e), 1);
        world.seams().sleep(Duration.ofMillis(20));
      }
    }
  }

  private static Bytes added(Optional<Bytes> before, String element) {
    Set<String> all = elements(before);
    all.add(element);
    return joined(all);
  }

  private static String outcome(RuntimeException failure) {
    if (failure instanceof ServingException refusal && refusal.code() == ErrorCode.WRITES_REFUSED) {
      return "additions-refused";
    }
    return failure instanceof PutOutcomeUnknownException ? "additions-unknown" : "additions-fail";
  }

  private void settle() {
    while (world.hasHints()) {
      count("hints-delivered", world.pushHints());
    }
    WritableStore reader = world.client("c9");
    acknowledged.forEach(
        (key, elements) -> {
          Set<String> missing = new TreeSet<>(imports.expected(key));
          elements.forEach(
              (element, known) -> {
                if (!imports.mayReplace(key, known)) {
                  missing.add(element);
                }
              });
          missing.removeAll(elements(reader.get(Bytes.of(key), UNION)));
          if (!missing.isEmpty()) {
            wrong.add("Set " + key + " misses " + missing + ", which were acknowledged.");
          }
        });
    WritableStore thorough = world.thorough("c9");
    for (int round = 0; round < ROUNDS; round++) {
      acknowledged.keySet().forEach(key -> thorough.siblings(Bytes.of(key)));
      world.seams().sleep(Duration.ofSeconds(1));
    }
    acknowledged
        .keySet()
        .forEach(key -> thorough.applyUpdate(Bytes.of(key), before -> before, UNION));
    world.seams().sleep(Duration.ofSeconds(1));
    acknowledged.keySet().forEach(this::compare);
  }

  private void compare(String key) {
    Set<List<VersionedValue>> states = new HashSet<>(world.kept(Bytes.of(key)));
    states.remove(List.<VersionedValue>of());
    if (states.size() != 1 || states.iterator().next().size() != 1) {
      wrong.add("The replicas of set " + key + " are not the same: " + states + ".");
    }
  }

  /** Returns what should not be, one sentence each. */
  public List<String> wrong() {
    return List.copyOf(wrong);
  }

  /** How many operations of each kind there were. */
  public Map<String, Long> operations() {
    Map<String, Long> all = new LinkedHashMap<>(operations);
    all.putAll(imports.operations());
    return all;
  }

  private void count(String what, long more) {
    operations.merge(what, more, Long::sum);
  }

  private static Bytes joined(Set<String> elements) {
    return Bytes.of(String.join(" ", elements));
  }

  private static Set<String> elements(Optional<Bytes> value) {
    Set<String> elements = new TreeSet<>();
    value
        .map(Bytes::toUtf8)
        .filter(text -> !text.isEmpty())
        .ifPresent(text -> elements.addAll(Arrays.asList(text.split(" ", -1))));
    return elements;
  }
}
