package io.braid.serving.client;

import java.util.Set;
import java.util.TreeSet;

/**
 * The values of a version have a form that this client does not know. Bring clients up to date
 * before such a version is pushed, or roll it back.
 */
public final class UnknownSchemaException extends RuntimeException {
  UnknownSchemaException(String store, long version, int schema, Set<Integer> known) {
    super(
        "Version "
            + version
            + " of store "
            + store
            + " has values of schema "
            + schema
            + "; this client knows "
            + new TreeSet<>(known)
            + ". Bring it up to date, or roll the version back.");
  }
}
