package io.braid.groups;

import org.jspecify.annotations.Nullable;

/**
 * What a group's transaction does; may be run several times, so it should change nothing outside.
 */
@FunctionalInterface
public interface GroupBody<R extends @Nullable Object, E extends Exception> {
  /** Reads and writes members; it is committed afterwards, unless this has done so. */
  R run(GroupTransaction tx) throws E;
}
