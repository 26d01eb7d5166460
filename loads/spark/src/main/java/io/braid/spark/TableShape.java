package io.braid.spark;

import io.braid.batch.input.StrictText;
import io.braid.batch.mapping.FieldType;
import io.braid.batch.mapping.KeyFields;
import io.braid.batch.mapping.Mapping;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** The fields of a mapping as columns of Spark: those of the key, which are strings, first. */
final class TableShape {
  private final Mapping mapping;
  private final KeyFields key;
  private final Map<String, Field> fields = new LinkedHashMap<>();

  /**
   * A field.
   *
   * @param column its column; null when the field is part of the key
   * @param part which part of the key, from 0 on
   */
  record Field(String name, FieldType type, @Nullable ColumnName column, int part) {
    boolean isKey() {
      return column == null;
    }

    DataType spark() {
      return switch (type) {
        case TEXT -> DataTypes.StringType;
        case INT64 -> DataTypes.LongType;
        case FLOAT64 -> DataTypes.DoubleType;
        case BOOL -> DataTypes.BooleanType;
        case BASE64 -> DataTypes.BinaryType;
      };
    }

    /** A value as Spark has it within. */
    Object decode(Bytes value) {
      return switch (type) {
        case TEXT -> UTF8String.fromBytes(value.toArray());
        case INT64 -> Codecs.int64().decode(value);
        case FLOAT64 -> Codecs.float64().decode(value);
        case BOOL -> Codecs.bool().decode(value);
        case BASE64 -> value.toArray();
      };
    }
  }

  /**
   * @throws IllegalArgumentException when the mapping does not name all fields
   */
  TableShape(Mapping mapping) {
    this.mapping = mapping;
    this.key = mapping.keyFields();
    if (mapping.family() != null) {
      throw new IllegalArgumentException(
          "Spark needs all fields known: name them in the mapping, as \"columns\", instead of a"
              + " \"family\".");
    }
    for (int i = 0; i < mapping.key().size(); i++) {
      String name = mapping.key().get(i);
      fields.put(name, new Field(name, FieldType.TEXT, null, i));
    }
    mapping
        .columns()
        .forEach(
            (name, target) -> {
              if (mapping.key().contains(name)) {
                throw new IllegalArgumentException(
                    "Field '" + name + "' is part of the key and cannot be a column too.");
              }
              fields.put(name, new Field(name, target.type(), target.name(), -1));
            });
  }

  StructType schema() {
    List<StructField> all = new ArrayList<>();
    fields
        .values()
        .forEach(f -> all.add(DataTypes.createStructField(f.name, f.spark(), !f.isKey())));
    return DataTypes.createStructType(all);
  }

  List<Field> fields() {
    return List.copyOf(fields.values());
  }

  /**
   * @throws IllegalArgumentException when there is no field of this name
   */
  Field field(String name) {
    Field field = fields.get(name);
    if (field == null) {
      throw new IllegalArgumentException(
          "The mapping has no field '" + name + "'. It has: " + fields.keySet() + ".");
    }
    return field;
  }

  void requirePresent(@Nullable String name) {
    if (name != null && field(name).isKey()) {
      throw new IllegalArgumentException(
          "The option 'present' names a column that every row has, not a field of the key.");
    }
  }

  int keyParts() {
    return mapping.key().size();
  }

  String separator() {
    return mapping.separator();
  }

  List<String> families() {
    return List.copyOf(mapping.families());
  }

  /**
   * The parts of a key.
   *
   * @throws IllegalArgumentException when it does not have as many
   */
  List<String> split(Row row) {
    try {
      return key.split(row.key());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "The key of row " + row + " does not fit " + key.names() + ": " + e.getMessage(), e);
    }
  }

  /**
   * The key of some parts.
   *
   * @throws IllegalArgumentException when one is missing, or the key could not be taken apart into
   *     these parts
   */
  Bytes key(@Nullable UTF8String[] parts) {
    List<@Nullable String> values = new ArrayList<>();
    for (UTF8String part : parts) {
      values.add(part == null ? null : StrictText.of(Bytes.wrap(part.getBytes())));
    }
    try {
      return key.join(values);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("A row is refused. " + e.getMessage(), e);
    }
  }
}
