package io.braid.serving.client;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import java.util.Set;
import java.util.TreeSet;
import org.apiguardian.api.API;

/**
 * Values have a form that this client does not know. Bring clients up to date before such a version
 * is pushed or such a value written, or roll the version back.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class UnknownSchemaException extends BraidException {
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

  @Override
  public ErrorCode code() {
    return ErrorCode.VERSION_REFUSED;
  }
}
