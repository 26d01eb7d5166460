package io.braid.serving.node;

import io.braid.serving.build.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * A version of a store on a node.
 *
 * @param manifest null when the version is not whole
 */
public record VersionInfo(
    long version, State state, boolean pinned, @Nullable Manifest manifest, String problem) {
  /** What a version is. */
  public enum State {
    /** Answers readers. */
    LIVE,
    /** Was live; a version rollback can go there. */
    BACKUP,
    /** Whole, and was never live. */
    FETCHED,
    /** Not whole. */
    BROKEN
  }
}
