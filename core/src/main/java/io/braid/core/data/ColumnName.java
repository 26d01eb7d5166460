package io.braid.core.data;

import java.util.Objects;
import org.apiguardian.api.API;

/**
 * The name of a column: its family, which is a locality group and stored apart, and its qualifier.
 * Ordered by family, then qualifier. Names are not checked here. Names with a tilde are Braid's
 * own, and transactions refuse them.
 *
 * @param qualifier any bytes; may be empty
 */
@API(status = API.Status.STABLE)
public record ColumnName(String family, Bytes qualifier) implements Comparable<ColumnName> {
  public ColumnName {
    Objects.requireNonNull(family, "family");
    Objects.requireNonNull(qualifier, "qualifier");
  }

  /** A name whose qualifier is text, in UTF-8. */
  public static ColumnName of(String family, String qualifier) {
    return new ColumnName(family, Bytes.of(qualifier));
  }

  @Override
  public int compareTo(ColumnName other) {
    int byFamily = family.equals(other.family) ? 0 : family.compareTo(other.family);
    return byFamily != 0 ? byFamily : qualifier.compareTo(other.qualifier);
  }

  @Override
  public String toString() {
    return family + ":" + qualifier;
  }
}
