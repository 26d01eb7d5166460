package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import io.braid.serving.writable.VectorClock.Order;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The versions of a tuple of which none includes another. Two with one clock are possible where a
 * replica forgot what it was the master of: a reader sees both.
 */
public final class Siblings {
  private static final Comparator<Versioned> ORDER =
      Comparator.comparing((Versioned sibling) -> sibling.clock().toString())
          .thenComparing(sibling -> sibling.value().orElse(Bytes.EMPTY));

  private Siblings() {}

  /** Whether a replica that has {@code there} takes {@code fresh}, or has it already. */
  public static boolean accepts(List<Versioned> there, Versioned fresh) {
    for (Versioned sibling : there) {
      Order order = fresh.clock().compare(sibling.clock());
      if (order == Order.BEFORE
          || (order == Order.SAME && !fresh.value().equals(sibling.value()))) {
        return false;
      }
    }
    return true;
  }

  /** As {@link #accepts accepts}, at the replica that is the first to take it. */
  static boolean acceptsFirst(List<Versioned> there, Versioned fresh, int master) {
    for (Versioned sibling : there) {
      boolean same = sibling.clock().equals(fresh.clock()) && sibling.value().equals(fresh.value());
      if (!same && sibling.clock().at(master) >= fresh.clock().at(master)) {
        return false;
      }
    }
    return accepts(there, fresh);
  }

  /** What is there after {@code fresh} was written; the same if it is old. */
  public static List<Versioned> with(List<Versioned> there, Versioned fresh) {
    List<Versioned> left = new ArrayList<>();
    for (Versioned sibling : there) {
      if (sibling.includes(fresh)) {
        return there;
      }
      if (!fresh.includes(sibling)) {
        left.add(sibling);
      }
    }
    left.add(fresh);
    left.sort(ORDER);
    return List.copyOf(left);
  }

  /** All of both but what the others include. */
  public static List<Versioned> merged(List<Versioned> one, List<Versioned> other) {
    List<Versioned> all = one;
    for (Versioned sibling : other) {
      all = with(all, sibling);
    }
    return all;
  }

  /** A clock that includes all of them: the basis of a write by somebody who has seen them. */
  public static VectorClock basis(List<Versioned> siblings) {
    VectorClock basis = VectorClock.NONE;
    for (Versioned sibling : siblings) {
      basis = basis.merged(sibling.clock());
    }
    return basis;
  }
}
