package io.braid.serving.redis;

import io.braid.core.data.Bytes;
import io.braid.serving.net.RoutedReads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Several keys, those of one store read in one version. A store that cannot be read fails alone.
 */
final class RedisRead {
  private final Map<String, Map<Bytes, Optional<Bytes>>> found = new TreeMap<>();
  private final Map<String, RuntimeException> failed = new TreeMap<>();

  /** A key, and the store it is of. */
  record Target(String store, Bytes key) {}

  RedisRead(RoutedReads reads, List<Target> targets) {
    targets.forEach(
        target ->
            found
                .computeIfAbsent(target.store, store -> new HashMap<>())
                .put(target.key, Optional.empty()));
    found.forEach((store, values) -> read(reads, store, values));
  }

  private void read(RoutedReads reads, String store, Map<Bytes, Optional<Bytes>> values) {
    try {
      List<Bytes> keys = List.copyOf(values.keySet());
      List<Optional<Bytes>> read = reads.read(store, keys).values();
      for (int i = 0; i < keys.size(); i++) {
        values.put(keys.get(i), read.get(i));
      }
    } catch (IOException e) {
      failed.put(store, new UncheckedIOException(e));
    } catch (RuntimeException e) {
      failed.put(store, e);
    }
  }

  /**
   * A value.
   *
   * @throws RuntimeException why its store could not be read
   */
  Optional<Bytes> value(Target target) {
    RuntimeException why = failed.get(target.store);
    if (why != null) {
      throw why;
    }
    return found.getOrDefault(target.store, Map.of()).getOrDefault(target.key, Optional.empty());
  }
}
