package io.braid.simulation.serving;

import io.braid.core.data.Bytes;
import io.braid.serving.client.Values;
import io.braid.simulation.serving.BuiltVersions.Built;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Looks at what clients read, and counts what happened. */
public final class PushWatch {
  private final Map<String, Long> operations = new LinkedHashMap<>();
  private final List<String> wrong = new ArrayList<>();

  /**
   * The values that may be read one day. A small version, or one pushed under an old number, never
   * is.
   */
  private final Set<Bytes> pushed = new TreeSet<>();

  /** Returns what was found wrong. */
  public List<String> wrong() {
    return wrong;
  }

  /** Returns how often each kind of event happened. */
  public Map<String, Long> operations() {
    return operations;
  }

  void wrong(String what) {
    if (wrong.size() < 10) {
      wrong.add(what);
    }
  }

  void count(String what) {
    operations.merge(what, 1L, Long::sum);
  }

  void pushes(Built built) {
    pushed.add(Built.value(built.number()));
  }

  /** Values that were read together are all there, of one build, and of one that was pushed. */
  Optional<Bytes> read(String store, List<Bytes> keys, Values values) {
    Set<Bytes> seen = new TreeSet<>();
    for (int i = 0; i < keys.size(); i++) {
      Optional<Bytes> value = values.values().get(i);
      if (value.isEmpty()) {
        wrong(
            "Version "
                + values.version()
                + " of "
                + store
                + " lacks '"
                + keys.get(i).toUtf8()
                + "', which every version has.");
      }
      value.ifPresent(seen::add);
    }
    if (seen.size() > 1) {
      wrong("A read of " + store + " has values of several builds: " + texts(seen));
    }
    if (!pushed.containsAll(seen)) {
      wrong("A read of " + store + " has values that must never go live: " + texts(seen));
    }
    return seen.stream().findFirst();
  }

  private static List<String> texts(Set<Bytes> values) {
    return values.stream().map(Bytes::toUtf8).toList();
  }
}
