package io.braid.serving.node;

import io.braid.serving.build.Manifest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A version of a store on a node.
 *
 * @param manifest null when the version is not whole
 * @param problem why it is not whole, or was gone back from; empty otherwise
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
    /** Whole, and was gone back from: only who names it makes it live. */
    ROLLED_BACK,
    /** Not whole. */
    BROKEN;

    /** As programs are told: {@code rolled_back}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
