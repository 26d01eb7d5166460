package io.braid.batch.formats;

import io.braid.batch.export.ContainerOutput.Field;
import io.braid.batch.mapping.FieldType;
import io.braid.core.data.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;

/** The schema of files that are written, and records of it. */
final class AvroSchemas {
  private AvroSchemas() {}

  /**
   * @throws IllegalArgumentException when a name is not valid in Avro
   */
  static Schema of(List<Field> fields) {
    List<Schema.Field> all = new ArrayList<>();
    for (Field field : fields) {
      Schema type = Schema.create(type(field.type()));
      Schema schema =
          field.required() ? type : Schema.createUnion(Schema.create(Schema.Type.NULL), type);
      try {
        all.add(
            field.required()
                ? new Schema.Field(field.name(), schema)
                : new Schema.Field(field.name(), schema, null, JsonProperties.NULL_VALUE));
      } catch (AvroRuntimeException e) {
        throw new IllegalArgumentException(
            "Field '"
                + field.name()
                + "' cannot be in an Avro or Parquet file: "
                + e.getMessage()
                + ". Give the field another name in the mapping.",
            e);
      }
    }
    return Schema.createRecord("row", null, null, false, all);
  }

  private static Schema.Type type(FieldType type) {
    return switch (type) {
      case TEXT -> Schema.Type.STRING;
      case INT64 -> Schema.Type.LONG;
      case FLOAT64 -> Schema.Type.DOUBLE;
      case BOOL -> Schema.Type.BOOLEAN;
      case BASE64 -> Schema.Type.BYTES;
    };
  }

  static GenericRecord record(Schema schema, Map<String, Object> values) {
    GenericRecord record = new GenericData.Record(schema);
    values.forEach(
        (name, value) -> record.put(name, value instanceof Bytes b ? b.toBuffer() : value));
    return record;
  }
}
