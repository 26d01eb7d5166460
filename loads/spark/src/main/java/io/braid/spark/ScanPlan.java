package io.braid.spark;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownFilters;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.sources.EqualNullSafe;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.GreaterThan;
import org.apache.spark.sql.sources.GreaterThanOrEqual;
import org.apache.spark.sql.sources.IsNotNull;
import org.apache.spark.sql.sources.LessThan;
import org.apache.spark.sql.sources.LessThanOrEqual;
import org.apache.spark.sql.sources.StringStartsWith;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Turns the needs of a query into a scan: the columns, a range of keys, a limit. Conditions on a
 * key of one field become a range completely. For a key of several fields, the condition on the
 * first field bounds the range, and Spark checks the condition again.
 */
final class ScanPlan
    implements SupportsPushDownFilters, SupportsPushDownRequiredColumns, SupportsPushDownLimit {
  private final TableSettings settings;
  private final TableShape shape;
  private final List<Filter> pushed = new ArrayList<>();
  private final Set<String> present = new TreeSet<>();
  private StructType schema;
  private KeyRange range = KeyRange.ALL;
  private long limit = Long.MAX_VALUE;

  ScanPlan(TableSettings settings) {
    this.settings = settings;
    this.shape = settings.shape();
    this.schema = shape.schema();
    String named = settings.option(TableSettings.PRESENT);
    if (named != null) {
      present.add(named);
    }
  }

  @Override
  public Filter[] pushFilters(Filter[] filters) {
    List<Filter> left = new ArrayList<>();
    for (Filter filter : filters) {
      if (filter instanceof IsNotNull some && isColumn(some.attribute())) {
        present.add(some.attribute());
        left.add(filter);
        continue;
      }
      KeyRange bounds = bounds(filter);
      if (bounds == null) {
        left.add(filter);
        continue;
      }
      range = range.intersect(bounds);
      pushed.add(filter);
      if (shape.keyParts() > 1) {
        left.add(filter);
      }
    }
    return left.toArray(Filter[]::new);
  }

  private boolean isColumn(String name) {
    return shape.fields().stream().anyMatch(field -> field.name().equals(name) && !field.isKey());
  }

  /**
   * Returns the range of the rows that fulfil a condition; null when the condition does not bound
   * them.
   */
  private @Nullable KeyRange bounds(Filter filter) {
    if (filter instanceof IsNotNull some) {
      return isFirst(some.attribute()) ? KeyRange.ALL : null;
    }
    if (filter instanceof EqualTo equal) {
      return equal(equal.attribute(), equal.value());
    }
    if (filter instanceof EqualNullSafe equal) {
      return equal(equal.attribute(), equal.value());
    }
    if (filter instanceof StringStartsWith prefix && isFirst(prefix.attribute())) {
      return KeyRange.prefix(Bytes.of(prefix.value()));
    }
    return shape.keyParts() > 1 ? null : compared(filter);
  }

  private @Nullable KeyRange equal(String attribute, @Nullable Object value) {
    if (!isFirst(attribute) || !(value instanceof String text)) {
      return null;
    }
    return shape.keyParts() == 1
        ? KeyRange.single(Bytes.of(text))
        : KeyRange.prefix(Bytes.of(text + shape.separator()));
  }

  private @Nullable KeyRange compared(Filter filter) {
    if (filter instanceof GreaterThan more && isFirst(more.attribute())) {
      return new KeyRange(Bytes.of(more.value().toString()).successor(), null);
    }
    if (filter instanceof GreaterThanOrEqual more && isFirst(more.attribute())) {
      return new KeyRange(Bytes.of(more.value().toString()), null);
    }
    if (filter instanceof LessThan less && isFirst(less.attribute())) {
      return new KeyRange(Bytes.EMPTY, Bytes.of(less.value().toString()));
    }
    if (filter instanceof LessThanOrEqual less && isFirst(less.attribute())) {
      return new KeyRange(Bytes.EMPTY, Bytes.of(less.value().toString()).successor());
    }
    return null;
  }

  private boolean isFirst(String attribute) {
    return shape.fields().get(0).name().equals(attribute);
  }

  @Override
  public Filter[] pushedFilters() {
    return pushed.toArray(Filter[]::new);
  }

  @Override
  public void pruneColumns(StructType required) {
    schema = required;
  }

  /**
   * Takes a limit. Spark asks only when it has no conditions left to check; Spark cuts the rows of
   * all parts once more.
   */
  @Override
  public boolean pushLimit(int rows) {
    limit = rows;
    return true;
  }

  @Override
  public Scan build() {
    return new TableScan(settings, schema, range, limit, List.copyOf(present));
  }
}
