package io.braid.serving.node;

/**
 * What stood on a node when a change was asked for. A change that comes late, or a second time, and
 * finds that the live version has changed since, is refused, also where the same version is live
 * again by then.
 *
 * @param live the live version; 0: whichever
 * @param flips how often the live version had changed; -1: however often
 */
public record Seen(long live, long flips) {
  /** Whatever stands there. */
  public static final Seen ANYTHING = new Seen(0, -1);

  /** Whether the live version has not changed since, where it was counted. */
  boolean isStill(Seen now) {
    return flips < 0 || flips == now.flips;
  }
}
