package io.braid.serving.node;

import io.braid.serving.build.Manifest;
import java.util.Locale;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A version of a store on a node.
 *
 * @param manifest null when the version is not whole
 * @param problem why it is not whole, or was rolled back; empty otherwise
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record VersionInfo(
    long version, State state, boolean pinned, @Nullable Manifest manifest, String problem) {
  /** The state of a version. */
  public enum State {
    /** Answers readers. */
    LIVE,
    /** Was live; a version rollback can go there. */
    BACKUP,
    /** Whole, and was never live. */
    FETCHED,
    /** Whole, but rolled back: only a request that names it makes it live. */
    ROLLED_BACK,
    /** Not whole. */
    BROKEN;

    /** Returns the name of the state for programs: {@code rolled_back}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
