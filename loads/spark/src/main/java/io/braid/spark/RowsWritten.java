package io.braid.spark;

import org.apache.spark.sql.connector.metric.CustomSumMetric;
import org.apiguardian.api.API;

/**
 * How many rows tasks have written.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class RowsWritten extends CustomSumMetric {
  static final String NAME = "braidRowsWritten";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "rows written to Braid";
  }
}
