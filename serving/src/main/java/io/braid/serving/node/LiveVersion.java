package io.braid.serving.node;

import org.apiguardian.api.API;

/**
 * The state of a store on a node when a change was requested. A change that comes late, or a second
 * time, is refused when the live version has changed since. The change is refused even when the
 * same version is live again by then.
 *
 * @param live the live version; 0: any version
 * @param flips how often the live version had changed; -1: any number of times
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record LiveVersion(long live, long flips) {
  /** Any state. */
  public static final LiveVersion ANYTHING = new LiveVersion(0, -1);

  /** Whether the live version has not changed since, where it was counted. */
  boolean isStill(LiveVersion now) {
    return flips < 0 || flips == now.flips;
  }
}
