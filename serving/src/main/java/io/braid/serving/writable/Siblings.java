package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import io.braid.serving.writable.VectorClock.Order;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The versions of a tuple of which none includes another. Two with one clock are possible where a
 * replica forgot what it was the master of: a reader sees both.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class Siblings {
  private static final Comparator<VersionedValue> ORDER =
      Comparator.comparing((VersionedValue sibling) -> sibling.clock().countsText())
          .thenComparing(sibling -> sibling.value().orElse(Bytes.EMPTY))
          .thenComparing(VersionedValue::write);

  private Siblings() {}

  /** Whether a replica that has {@code there} takes {@code fresh}, or has it already. */
  public static boolean accepts(List<VersionedValue> there, VersionedValue fresh) {
    for (VersionedValue sibling : there) {
      if (!sibling.isSame(fresh)
          && (sibling.includes(fresh) || fresh.clock().compare(sibling.clock()) == Order.SAME)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Decides as {@link #accepts accepts} does, at the replica that is the first to take the write.
   * The clock must count all writes that this replica was the first to take, since a count is given
   * out once. The clock must also know the last import, which is at all replicas. Siblings of an
   * earlier life of the store do not count.
   */
  static boolean acceptsFirst(List<VersionedValue> before, VersionedValue fresh, int master) {
    long life = fresh.clock().life();
    List<VersionedValue> there = before.stream().filter(s -> s.clock().life() >= life).toList();
    if (there.stream().anyMatch(s -> s.clock().imports() > fresh.clock().imports())) {
      return false;
    }
    List<VersionedValue> counted =
        there.stream().filter(s -> s.clock().at(master) >= fresh.clock().at(master)).toList();
    return counted.isEmpty()
        ? accepts(there, fresh)
        : counted.stream().anyMatch(sibling -> sibling.isSame(fresh));
  }

  /**
   * Returns the siblings after {@code fresh} was written; the same list if {@code fresh} is old.
   */
  public static List<VersionedValue> with(List<VersionedValue> there, VersionedValue fresh) {
    for (VersionedValue sibling : there) {
      boolean old = sibling.includes(fresh);
      if (old || fresh.includes(sibling)) {
        VersionedValue winner = old ? sibling.over(fresh) : fresh.over(sibling);
        if (winner.equals(sibling)) {
          return there;
        }
        // It may include others now.
        return with(there.stream().filter(other -> other != sibling).toList(), winner);
      }
    }
    List<VersionedValue> all = new ArrayList<>(there);
    all.add(fresh);
    all.sort(ORDER);
    return List.copyOf(all);
  }

  /** All of both but what the others include. */
  public static List<VersionedValue> merged(List<VersionedValue> one, List<VersionedValue> other) {
    List<VersionedValue> all = one;
    for (VersionedValue sibling : other) {
      all = with(all, sibling);
    }
    return all;
  }

  /**
   * Returns a clock that includes all siblings: the basis of a write by a client that has seen
   * them.
   */
  public static VectorClock basis(List<VersionedValue> siblings) {
    VectorClock basis = VectorClock.NONE;
    for (VersionedValue sibling : siblings) {
      basis = basis.merged(sibling.clock());
    }
    return basis;
  }
}
