package io.braid.spark;

import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/** A count by a task. */
record Count(String name, long value) implements CustomTaskMetric {}
