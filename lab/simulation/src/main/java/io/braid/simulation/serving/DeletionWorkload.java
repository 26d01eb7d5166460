package io.braid.simulation.serving;

import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.Task;
import io.braid.serving.ServingException;
import io.braid.serving.client.StoreUnavailableException;
import io.braid.serving.writable.ObsoleteVersionException;
import io.braid.serving.writable.PutOutcomeUnknownException;
import io.braid.serving.writable.Resolver;
import io.braid.serving.writable.VersionedValue;
import io.braid.serving.writable.WritableStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Users who put, delete and add to keys of their own, one step after another. Each uses two devices
 * whose clocks are wrong by hours and jump. A read returns the value that was acknowledged last, or
 * a value that a device tried since its own last acknowledged write without learning the outcome.
 * It returns nothing else, however long ago a value was deleted. A value that is made of read
 * values has no part that was emptied since.
 */
public final class DeletionWorkload {
  /** So many steps are taken with a key before the next one follows. */
  private static final int STEPS = 8;

  private static final int DEVICES = 2;
  private static final Duration DAY = Duration.ofDays(1);

  private final ReplicaWorld world;
  private final List<User> users = new ArrayList<>();
  private final List<Task> tasks = new ArrayList<>();
  private final Map<String, Long> operations = new LinkedHashMap<>();
  private final List<String> wrong = new ArrayList<>();

  public DeletionWorkload(ReplicaWorld world, int users) {
    this.world = world;
    for (int user = 0; user < users; user++) {
      this.users.add(new User("d" + user));
    }
  }

  /**
   * A key as its user knows it. Values written before the store was emptied are gone. Values
   * written while it was emptied may be gone.
   */
  private static final class Known {
    Optional<String> acknowledged = Optional.empty();
    int emptied;

    /** The attempts of devices without a known outcome. */
    final List<Attempt> open = new ArrayList<>();

    void emptied(int times) {
      if (emptied < times) {
        emptied = times;
        acknowledged = Optional.empty();
        open.removeIf(attempt -> attempt.begun < times);
      }
    }

    boolean allows(Optional<String> read) {
      return read.equals(acknowledged)
          || open.stream().anyMatch(attempt -> attempt.value.equals(read));
    }
  }

  /**
   * @param begun how often it had been begun to empty the store when it ended
   */
  private record Attempt(int device, Optional<String> value, int begun) {}

  /** One user. */
  private final class User {
    private final String name;
    private final List<WritableStore> devices = new ArrayList<>();
    private final Map<String, Known> keys = new TreeMap<>();

    /** In which life of the store a part of a value was written. */
    private final Map<String, Long> parts = new TreeMap<>();

    User(String name) {
      this.name = name;
      for (int device = 0; device < DEVICES; device++) {
        devices.add(world.client(name + "." + device));
      }
    }

    private int drawn(int bound) {
      return world.seams().random().nextInt(bound);
    }

    void work(IntPredicate goesOn) {
      for (int i = 0; goesOn.test(i); i++) {
        String key = name + "-" + i / STEPS;
        keys.computeIfAbsent(key, k -> new Known());
        int device = drawn(DEVICES);
        switch (drawn(5)) {
          case 0 -> write(key, device, Optional.empty());
          case 1 -> write(key, device, Optional.of(name + "." + i));
          case 2 -> add(key, device, name + "." + i);
          case 3 -> read(key, device);
          default -> read(name + "-" + drawn(i / STEPS + 1), device);
        }
        world.seams().sleep(Duration.ofNanos(1 + world.seams().random().nextLong(20_000_000)));
      }
    }

    /** Adds a part, by one of both ways to make a value of what there is. */
    void add(String key, int device, String part) {
      WritableStore store = devices.get(device);
      boolean first = drawn(2) == 0;
      AtomicReference<Optional<String>> made = new AtomicReference<>(Optional.empty());
      Function<Optional<Bytes>, Bytes> more =
          before -> {
            String value = before.map(bytes -> bytes.toUtf8() + "+").orElse("") + part;
            made.set(Optional.of(value));
            return Bytes.of(value);
          };
      write(
          key,
          device,
          "additions",
          made::get,
          () -> {
            return first
                ? store.append(Bytes.of(key), more)
                : store.applyUpdate(
                    Bytes.of(key), before -> Optional.of(more.apply(before)), Resolver.NEWEST);
          });
    }

    /** Whether it was acknowledged. */
    boolean write(String key, int device, Optional<String> value) {
      return write(
          key,
          device,
          value.isPresent() ? "puts" : "deletions",
          () -> value,
          () -> devices.get(device).write(Bytes.of(key), value.map(Bytes::of)));
    }

    private boolean write(
        String key,
        int device,
        String what,
        Supplier<Optional<String>> made,
        Supplier<VersionedValue> writing) {
      int emptied = world.emptied();
      try {
        VersionedValue written = writing.get();
        Optional<String> value = made.get();
        value.ifPresent(parts -> compare(parts, life(written)));
        Known known = known(key);
        if (world.begun() > emptied) {
          known.open.add(new Attempt(device, value, world.begun()));
        } else {
          known.acknowledged = value;
          known.open.removeIf(attempt -> attempt.device == device);
        }
        count(what + "-ok");
        return true;
      } catch (PutOutcomeUnknownException e) {
        known(key).open.add(new Attempt(device, made.get(), world.begun()));
        count(what + "-unknown");
      } catch (StoreUnavailableException | ObsoleteVersionException | ServingException e) {
        if (e instanceof ServingException refusal
            && refusal.code() != ErrorCode.SIBLINGS
            && refusal.code() != ErrorCode.WRITES_REFUSED) {
          throw e;
        }
        count(what + "-fail");
      }
      return false;
    }

    void read(String key, int device) {
      int emptied = world.emptied();
      try {
        Optional<String> read = devices.get(device).get(Bytes.of(key)).map(Bytes::toUtf8);
        count("reads-ok");
        Known known = known(key);
        if (world.begun() == emptied && !known.allows(read)) {
          wrong.add(
              "Key "
                  + key
                  + " has "
                  + read
                  + ", where "
                  + known.acknowledged
                  + " was acknowledged last, and "
                  + known.open
                  + " tried: "
                  + world.kept(Bytes.of(key))
                  + ".");
        }
      } catch (StoreUnavailableException e) {
        count("reads-fail");
      }
    }

    /** Checks that a value has no part from another life of the store. */
    private void compare(String value, long life) {
      for (String part : value.split("\\+", -1)) {
        long before = parts.computeIfAbsent(part, p -> life);
        if (before != life) {
          wrong.add("'" + value + "' was written with what had been emptied: " + part + ".");
        }
      }
    }

    private static long life(VersionedValue written) {
      return written.clock().counts().values().stream()
          .mapToLong(count -> count >>> 32)
          .max()
          .orElse(0);
    }

    private Known known(String key) {
      Known known = keys.computeIfAbsent(key, k -> new Known());
      known.emptied(world.emptied());
      return known;
    }

    /** All keys are deleted at last, by devices that have no open attempts then. */
    void finish() {
      List.copyOf(keys.keySet())
          .forEach(
              key -> {
                read(key, 0);
                boolean put = write(key, 0, Optional.of("last"));
                boolean deleted = write(key, 1, Optional.empty());
                if (!put || !deleted) {
                  wrong.add("Key " + key + " cannot be written when nothing goes wrong.");
                }
                read(key, 0);
              });
    }
  }

  /** Begins; the network may do what it likes. */
  public void start(IntPredicate goesOn) {
    users.forEach(user -> tasks.add(world.seams().start(user.name, () -> user.work(goesOn))));
  }

  public void join() {
    tasks.forEach(task -> task.join(DAY));
  }

  /**
   * Empties the store now and then, while partitions move, disks are lost and hints are delivered
   * in between; comes to rest.
   */
  public void empty(IntPredicate goesOn) {
    RandomGenerator random = world.seams().random();
    for (int i = 0; goesOn.test(i); i++) {
      world.seams().sleep(Duration.ofNanos(1 + random.nextLong(300_000_000)));
      switch (random.nextInt(16)) {
        case 0 -> world.rebalance(List.of(5, 5 + random.nextInt(5)), random.nextInt(5), i % 3 == 0);
        case 1 -> world.loseDisk(random.nextInt(5));
        case 2 -> world.purge();
        case 3 -> world.pushHints();
        default -> {
          world.empty();
          count("emptied");
        }
      }
    }
    join();
    world.seams().sleep(Duration.ofSeconds(5));
    world.quiet();
  }

  /** Looks at all keys, deletes them and looks again. Nothing goes wrong any more. */
  public void finish() {
    users.forEach(User::finish);
    while (world.hasHints()) {
      world.pushHints();
    }
    users.forEach(user -> user.keys.keySet().forEach(key -> user.read(key, 1)));
  }

  /** Returns what should not be, one sentence each. */
  public List<String> wrong() {
    return List.copyOf(wrong);
  }

  /** How many operations of each kind there were. */
  public Map<String, Long> operations() {
    return operations;
  }

  private void count(String what) {
    operations.merge(what, 1L, Long::sum);
  }
}
