package io.braid.spark;

import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/** What a task has counted. */
record Count(String name, long value) implements CustomTaskMetric {}
