package io.braid.simulation.serving;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.Task;
import io.braid.serving.client.StoreUnavailableException;
import io.braid.serving.writable.ObsoleteVersionException;
import io.braid.serving.writable.PutOutcomeUnknownException;
import io.braid.serving.writable.WritableStore;
import io.braid.serving.writable.WritesRefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/**
 * Users who put and delete keys of their own, one step after another, on two devices whose clocks
 * are wrong by hours and jump. What is read is what was acknowledged last, or what a device tried
 * since its own last acknowledged write without learning the outcome: nothing else, however long
 * ago it was deleted.
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

  /** A key as its user knows it. */
  private static final class Known {
    Optional<String> acknowledged = Optional.empty();

    /** What devices tried without learning the outcome. */
    final List<Attempt> open = new ArrayList<>();

    boolean allows(Optional<String> read) {
      return read.equals(acknowledged)
          || open.stream().anyMatch(attempt -> attempt.value.equals(read));
    }
  }

  private record Attempt(int device, Optional<String> value) {}

  /** One user. */
  private final class User {
    private final String name;
    private final List<WritableStore> devices = new ArrayList<>();
    private final Map<String, Known> keys = new TreeMap<>();

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
        switch (drawn(4)) {
          case 0 -> write(key, device, Optional.empty());
          case 1 -> write(key, device, Optional.of(name + "." + i));
          case 2 -> read(key, device);
          default -> read(name + "-" + drawn(i / STEPS + 1), device);
        }
        world.seams().sleep(Duration.ofNanos(1 + world.seams().random().nextLong(20_000_000)));
      }
    }

    /** Whether it was acknowledged. */
    boolean write(String key, int device, Optional<String> value) {
      Known known = known(key);
      String what = value.isPresent() ? "puts" : "deletions";
      try {
        devices.get(device).write(Bytes.of(key), value.map(Bytes::of));
        known.acknowledged = value;
        known.open.removeIf(attempt -> attempt.device == device);
        count(what + "-ok");
        return true;
      } catch (PutOutcomeUnknownException e) {
        known.open.add(new Attempt(device, value));
        count(what + "-unknown");
      } catch (StoreUnavailableException | ObsoleteVersionException | WritesRefusedException e) {
        count(what + "-fail");
      }
      return false;
    }

    void read(String key, int device) {
      Known known = known(key);
      try {
        Optional<String> read = devices.get(device).get(Bytes.of(key)).map(Bytes::toUtf8);
        count("reads-ok");
        if (!known.allows(read)) {
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

    private Known known(String key) {
      return keys.computeIfAbsent(key, k -> new Known());
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

  /** Looks at all keys, deletes them and looks again. Nothing goes wrong any more. */
  public void finish() {
    users.forEach(User::finish);
    while (world.hasHints()) {
      world.pushHints();
    }
    users.forEach(user -> user.keys.keySet().forEach(key -> user.read(key, 1)));
  }

  /** What should not be, one sentence each. */
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
