package io.braid.simulation.serving;

import io.braid.core.data.Bytes;
import io.braid.serving.NotFinishedException;
import io.braid.serving.writable.ImportedTuple;
import io.braid.serving.writable.imports.ImportState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Imports sets of one element now and then, over the additions of clients. An importer may die at
 * any step. Then another one goes on with the import, or gives it up.
 */
final class SetImports {
  /** How far an importer that is to die comes at most. */
  private static final int CALLS = 60;

  private static final int SETS = 5;

  private final ReplicaWorld world;
  private final Supplier<Collection<String>> keys;
  private final Map<String, Long> finished = new TreeMap<>();
  private final Map<String, Long> tried = new TreeMap<>();
  private final Map<String, String> imported = new TreeMap<>();
  private final Map<String, Long> operations = new LinkedHashMap<>();
  private String id = "";
  private Set<String> sets = Set.of();
  private int imports;

  /**
   * @param keys of the sets that there are
   */
  SetImports(ReplicaWorld world, Supplier<Collection<String>> keys) {
    this.world = world;
    this.keys = keys;
  }

  /** Whether an import is about to begin, or has not ended. */
  boolean isPending() {
    return !id.isEmpty();
  }

  /** The number of the last import of a set that came to its end; 0: there was none. */
  long finished(String key) {
    return finished.getOrDefault(key, 0L);
  }

  /** Whether an import may have been written over an addition that knew only of an earlier one. */
  boolean mayReplace(String key, long known) {
    return tried.getOrDefault(key, 0L) > known;
  }

  /**
   * Returns the required content of a set: the imported element, unless a later import was given
   * up.
   */
  Set<String> expected(String key) {
    String element = imported.get(key);
    boolean last = finished(key) == tried.getOrDefault(key, 0L);
    return element == null || !last ? Set.of() : Set.of(element);
  }

  Map<String, Long> operations() {
    return operations;
  }

  private RandomGenerator random() {
    return world.seams().random();
  }

  private void choose() {
    id = "import-" + imports++;
    sets = new TreeSet<>();
    List<String> there = List.copyOf(keys.get());
    for (int i = 0; i < SETS && !there.isEmpty(); i++) {
      sets.add(there.get(random().nextInt(there.size())));
    }
  }

  /** Begins the one that is pending, or goes on with it. */
  private void attempt() {
    long calls = random().nextInt(3) == 0 ? random().nextInt(CALLS) : Long.MAX_VALUE;
    attempt(random().nextInt(5) == 0, calls);
  }

  private void attempt(boolean abort, long calls) {
    try {
      if (abort) {
        world.imports().importer(id, calls).abort(false);
        ended("imports-given-up");
        return;
      }
      world.imports().importer(id, calls).run(ReplicaImports.input(tuples()));
      note();
      for (String key : sets) {
        finished.put(key, world.imports().last());
        imported.put(key, id);
      }
      ended("imports");
    } catch (NotFinishedException e) {
      note();
      operations.merge("import-attempts-fail", 1L, Long::sum);
      if (!world.imports().isAnyRunning()) {
        ended("imports-without-effect");
      }
    }
  }

  private List<ImportedTuple> tuples() {
    List<ImportedTuple> tuples = new ArrayList<>();
    sets.forEach(key -> tuples.add(new ImportedTuple(Bytes.of(key), Bytes.of(id))));
    return tuples;
  }

  /** An import that was given up may have begun to write. */
  private void note() {
    for (ImportState state : world.imports().states()) {
      if (state.id().equals(id)) {
        sets.forEach(key -> tried.merge(key, state.number(), Math::max));
      }
    }
  }

  private void ended(String how) {
    note();
    operations.merge(how, 1L, Long::sum);
    id = "";
  }

  /** Attempts one after another, with pauses. */
  void run(BooleanSupplier over, BooleanSupplier mayBegin) {
    while (!over.getAsBoolean()) {
      world.seams().sleep(Duration.ofNanos(1 + random().nextLong(400_000_000)));
      if (!isPending()) {
        choose();
      }
      while (!mayBegin.getAsBoolean()) {
        world.seams().sleep(Duration.ofMillis(20));
      }
      attempt();
    }
  }

  /** Ends what is pending, when nothing is lost any more. */
  void settle() {
    if (isPending()) {
      attempt(random().nextBoolean(), Long.MAX_VALUE);
    }
  }
}
