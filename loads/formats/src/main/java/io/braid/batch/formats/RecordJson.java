package io.braid.batch.formats;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.braid.core.data.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * Shows a record as an object of JSON. Bytes are in base64. Decimals, dates, times and timestamps
 * are text, the last three as in ISO 8601. Nulls are left out.
 */
final class RecordJson {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int INT96_BYTES = 12;
  private static final long JULIAN_EPOCH_DAY = 2_440_588;
  private static final long DAY_SECONDS = 86_400;

  private RecordJson() {}

  static Bytes of(IndexedRecord record) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try (JsonGenerator out = JSON.createGenerator(bytes)) {
      write(out, record.getSchema(), record);
    }
    return Bytes.wrap(bytes.toByteArray());
  }

  private static void write(JsonGenerator out, Schema schema, @Nullable Object value)
      throws IOException {
    if (value == null) {
      out.writeNull();
      return;
    }
    switch (schema.getType()) {
      case UNION -> {
        int branch = GenericData.get().resolveUnion(schema, value);
        write(out, schema.getTypes().get(branch), value);
      }
      case RECORD -> record(out, schema, (IndexedRecord) value);
      case ARRAY -> {
        out.writeStartArray();
        for (Object each : (Collection<?>) value) {
          write(out, schema.getElementType(), each);
        }
        out.writeEndArray();
      }
      case MAP -> {
        out.writeStartObject();
        for (Map.Entry<?, ?> each : ((Map<?, ?>) value).entrySet()) {
          out.writeFieldName(String.valueOf(each.getKey()));
          write(out, schema.getValueType(), each.getValue());
        }
        out.writeEndObject();
      }
      case BYTES -> bytes(out, schema, ((ByteBuffer) value).duplicate());
      case FIXED -> bytes(out, schema, ByteBuffer.wrap(((GenericFixed) value).bytes()));
      case INT, LONG -> integer(out, schema, ((Number) value).longValue());
      case FLOAT -> out.writeNumber((Float) value);
      case DOUBLE -> out.writeNumber((Double) value);
      case BOOLEAN -> out.writeBoolean((Boolean) value);
      case STRING, ENUM -> out.writeString(value.toString());
      case NULL -> out.writeNull();
    }
  }

  private static void record(JsonGenerator out, Schema schema, IndexedRecord record)
      throws IOException {
    out.writeStartObject();
    for (Schema.Field field : schema.getFields()) {
      Object value = record.get(field.pos());
      if (value != null) {
        out.writeFieldName(field.name());
        write(out, field.schema(), value);
      }
    }
    out.writeEndObject();
  }

  private static void bytes(JsonGenerator out, Schema schema, ByteBuffer buffer)
      throws IOException {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    if (schema.getLogicalType() instanceof LogicalTypes.Decimal decimal) {
      out.writeString(new BigDecimal(new BigInteger(bytes), decimal.getScale()).toPlainString());
    } else if (bytes.length == INT96_BYTES && schema.getName().equals("INT96")) {
      out.writeString(int96(ByteBuffer.wrap(bytes)).toString());
    } else {
      out.writeString(Base64.getEncoder().encodeToString(bytes));
    }
  }

  /** The timestamps of older writers of Parquet: nanoseconds of the day, then the Julian day. */
  private static Instant int96(ByteBuffer bytes) {
    bytes.order(java.nio.ByteOrder.LITTLE_ENDIAN);
    long nanos = bytes.getLong();
    long day = bytes.getInt() - JULIAN_EPOCH_DAY;
    return Instant.ofEpochSecond(day * DAY_SECONDS, nanos);
  }

  private static void integer(JsonGenerator out, Schema schema, long value) throws IOException {
    LogicalType type = schema.getLogicalType();
    if (type == null) {
      out.writeNumber(value);
      return;
    }
    switch (type.getName()) {
      case "date" -> out.writeString(LocalDate.ofEpochDay(value).toString());
      case "time-millis" -> out.writeString(LocalTime.ofNanoOfDay(value * 1_000_000).toString());
      case "time-micros" -> out.writeString(LocalTime.ofNanoOfDay(value * 1_000).toString());
      case "timestamp-millis" -> out.writeString(instant(value, 1_000).toString());
      case "timestamp-micros" -> out.writeString(instant(value, 1_000_000).toString());
      case "timestamp-nanos" -> out.writeString(instant(value, 1_000_000_000).toString());
      case "local-timestamp-millis" -> out.writeString(local(value, 1_000).toString());
      case "local-timestamp-micros" -> out.writeString(local(value, 1_000_000).toString());
      case "local-timestamp-nanos" -> out.writeString(local(value, 1_000_000_000).toString());
      default -> out.writeNumber(value);
    }
  }

  private static Instant instant(long value, long parts) {
    return Instant.ofEpochSecond(
        Math.floorDiv(value, parts), Math.floorMod(value, parts) * (1_000_000_000 / parts));
  }

  private static LocalDateTime local(long value, long parts) {
    return LocalDateTime.ofInstant(instant(value, parts), ZoneOffset.UTC);
  }
}
