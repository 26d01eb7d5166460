package io.braid.spark;

import org.apache.spark.sql.connector.metric.CustomSumMetric;

/** How many rows tasks have written. */
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
