package io.braid.serving.push;

import java.util.List;

/**
 * The result of a push.
 *
 * @param before whether the push went through at an earlier try, so that this one changed nothing
 * @param missed names of nodes that were dead
 * @param swapMillis from the first node that swapped to the last
 */
public record PushResult(long version, boolean before, List<String> missed, double swapMillis) {
  public PushResult {
    missed = List.copyOf(missed);
  }
}
