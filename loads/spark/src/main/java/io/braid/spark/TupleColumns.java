package io.braid.spark;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The columns of keys and values, as their bytes. */
record TupleColumns(boolean textKey, boolean textValue) implements Serializable {
  /**
   * @throws IllegalArgumentException when these are not two columns of text or bytes
   */
  static TupleColumns of(StructType schema) {
    if (schema.length() != 2) {
      throw new IllegalArgumentException(
          "A store takes a column of keys and one of values, not "
              + schema.length()
              + " columns: select two, or put several into one, as by to_json(struct(...)).");
    }
    return new TupleColumns(isText(schema, 0), isText(schema, 1));
  }

  private static boolean isText(StructType schema, int column) {
    DataType type = schema.apply(column).dataType();
    if (type.equals(DataTypes.StringType)) {
      return true;
    }
    if (type.equals(DataTypes.BinaryType)) {
      return false;
    }
    throw new IllegalArgumentException(
        "Column "
            + schema.apply(column).name()
            + " is of type "
            + type.sql()
            + ": a store takes STRING or BINARY, so cast it.");
  }

  byte[] key(Row row) {
    return bytes(row, 0, textKey);
  }

  byte[] value(Row row) {
    return bytes(row, 1, textValue);
  }

  private static byte[] bytes(Row row, int column, boolean text) {
    if (row.isNullAt(column)) {
      throw new IllegalArgumentException(
          "A " + (column == 0 ? "key" : "value") + " is null: leave such rows out.");
    }
    return text ? row.getString(column).getBytes(StandardCharsets.UTF_8) : row.getAs(column);
  }
}
