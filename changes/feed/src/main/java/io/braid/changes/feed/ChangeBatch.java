package io.braid.changes.feed;

import java.util.List;
import org.apiguardian.api.API;

/**
 * A part of a feed.
 *
 * @param changes in the order of their timestamps, then of their rows
 * @param position the place after them: where the next batch begins
 * @param resolved every change at or below this is in the feed up to here, or comes next; none
 *     comes later
 */
@API(status = API.Status.EXPERIMENTAL)
public record ChangeBatch(List<Change> changes, Position position, long resolved) {
  public ChangeBatch {
    changes = List.copyOf(changes);
  }

  /** Returns whether nothing that is resolved is left beyond it. */
  public boolean isEnd() {
    return position.row() == null && position.timestamp() >= resolved;
  }
}
