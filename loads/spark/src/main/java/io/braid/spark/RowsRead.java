package io.braid.spark;

import org.apache.spark.sql.connector.metric.CustomSumMetric;
import org.apiguardian.api.API;

/**
 * How many rows a scan has read of the store.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class RowsRead extends CustomSumMetric {
  static final String NAME = "braidRowsRead";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "rows read of Braid";
  }
}
