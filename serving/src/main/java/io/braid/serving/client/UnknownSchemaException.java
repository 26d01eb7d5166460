package io.braid.serving.client;

import java.util.Set;
import java.util.TreeSet;

/**
 * Values have a form that this client does not know. Bring clients up to date before such a version
 * is pushed or such a value written, or roll the version back.
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

  UnknownSchemaException(long schema, Set<Integer> known) {
    super(
        "A value has schema "
            + schema
            + "; this client knows "
            + new TreeSet<>(known)
            + ". Bring it up to date.");
  }
}
