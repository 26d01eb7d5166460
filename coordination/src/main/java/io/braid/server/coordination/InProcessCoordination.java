package io.braid.server.coordination;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.Liveness;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** Several members within one process. */
public final class InProcessCoordination implements Coordination {
  /** The state that the members share. */
  public static final class Place {
    private final Map<String, String> alive = new ConcurrentSkipListMap<>();
    private final Map<String, Register> registers = new ConcurrentHashMap<>();
  }

  private static final class MemoryRegister implements Register {
    private Entry current = Entry.NONE;

    @Override
    public synchronized Entry read() {
      return current;
    }

    @Override
    public synchronized boolean replace(Entry expected, Bytes value) {
      boolean first = current.revision() == expected.revision();
      if (first) {
        current = new Entry(current.revision() + 1, value);
      }
      return first;
    }
  }

  private final Place place;
  private final String token = UUID.randomUUID().toString();

  public InProcessCoordination(Place place, String description) {
    this.place = place;
    place.alive.put(token, description);
  }

  @Override
  public Liveness liveness() {
    return new Liveness() {
      @Override
      public String token() {
        return token;
      }

      @Override
      public boolean isAlive(String other) {
        return place.alive.containsKey(other);
      }
    };
  }

  @Override
  public Register register(String name) {
    return place.registers.computeIfAbsent(name, each -> new MemoryRegister());
  }

  @Override
  public List<Member> members() {
    return place.alive.entrySet().stream()
        .map(each -> new Member(each.getKey(), each.getValue()))
        .toList();
  }

  @Override
  public void close() {
    place.alive.remove(token);
  }
}
