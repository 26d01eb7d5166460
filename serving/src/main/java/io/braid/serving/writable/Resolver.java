package io.braid.serving.writable;

import java.util.Comparator;
import java.util.List;

/** Makes one value of siblings (section 3.1.3: the application resolves conflicts). */
public interface Resolver {
  /** The one that was written last, by the clocks of the writers. */
  Resolver NEWEST =
      siblings ->
          siblings.stream()
              .max(
                  Comparator.comparingLong(Versioned::millis)
                      .thenComparing(sibling -> sibling.clock().toString()))
              .orElseThrow();

  /**
   * Resolves.
   *
   * @param siblings at least one
   * @return what readers get; its clock does not matter
   */
  Versioned resolve(List<Versioned> siblings);
}
