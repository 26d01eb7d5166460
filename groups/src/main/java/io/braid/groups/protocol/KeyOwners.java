package io.braid.groups.protocol;

import io.braid.core.data.Row;
import org.apiguardian.api.API;

/**
 * Which node owns a key. Followers are known by their keys, never by where they run (section 4.2),
 * so that the protocol does not care for nodes that fail or keys that move.
 *
 * @hidden
 */
@FunctionalInterface
@API(status = API.Status.INTERNAL)
public interface KeyOwners {
  String owner(Row key);

  /** Whether a node may yield a key; by default only its owner may. */
  default boolean mayYield(Row key, String node) {
    return owner(key).equals(node);
  }
}
