package io.braid.core.data;

import java.util.Comparator;
import java.util.Objects;

/**
 * The name of a column: its family, which is a locality group and stored apart, and its qualifier.
 * Ordered by family, then qualifier.
 */
public record ColumnName(String family, Bytes qualifier) implements Comparable<ColumnName> {
  private static final Comparator<ColumnName> ORDER =
      Comparator.comparing(ColumnName::family).thenComparing(ColumnName::qualifier);

  public ColumnName {
    Objects.requireNonNull(family, "family");
    Objects.requireNonNull(qualifier, "qualifier");
  }

  public static ColumnName of(String family, String qualifier) {
    return new ColumnName(family, Bytes.of(qualifier));
  }

  @Override
  public int compareTo(ColumnName other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return family + ":" + qualifier;
  }
}
