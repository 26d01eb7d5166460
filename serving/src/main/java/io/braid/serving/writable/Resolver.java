package io.braid.serving.writable;

import java.util.Comparator;
import java.util.List;
import org.apiguardian.api.API;

/** Makes one value of siblings (section 3.1.3: the application resolves conflicts). */
@API(status = API.Status.EXPERIMENTAL)
public interface Resolver {
  /** The one that was written last, by the clocks of the writers. */
  Resolver NEWEST =
      siblings ->
          siblings.stream()
              .max(
                  Comparator.comparingLong(VersionedValue::millis)
                      .thenComparing(sibling -> sibling.clock().toString()))
              .orElseThrow();

  /**
   * Resolves.
   *
   * @param siblings at least one
   * @return what readers get; its clock does not matter
   */
  VersionedValue resolve(List<VersionedValue> siblings);
}
