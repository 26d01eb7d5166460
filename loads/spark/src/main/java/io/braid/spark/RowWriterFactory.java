package io.braid.spark;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.types.StructType;

/** Goes to the tasks, and writes their output. */
record RowWriterFactory(
    TableSettings settings, StructType schema, String load, String directory, boolean stages)
    implements DataWriterFactory {
  @Override
  public DataWriter<InternalRow> createWriter(int partition, long task) {
    return new RowWriter(this, partition, task);
  }
}
