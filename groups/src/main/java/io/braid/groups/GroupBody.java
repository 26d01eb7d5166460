package io.braid.groups;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The body of a group's transaction. It may run several times, so it should change nothing outside.
 */
@FunctionalInterface
@API(status = API.Status.STABLE)
public interface GroupBody<R extends @Nullable Object, E extends Exception> {
  /** Reads and writes members; it is committed afterwards, unless this has done so. */
  R run(GroupTransaction tx) throws E;
}
