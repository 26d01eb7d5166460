package io.braid.batch.mapping;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.braid.batch.FailureCode;
import io.braid.batch.LoadContext;
import io.braid.batch.input.CsvText;
import io.braid.batch.input.InputFile;
import io.braid.batch.input.RawRecord;
import io.braid.batch.input.RecordFormat;
import io.braid.batch.input.StrictText;
import io.braid.batch.sink.SinkRecord;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Makes rows of the records of one file. Safe for many threads.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class RecordMapper {
  private final Mapping mapping;
  private final KeyFields key;
  private final RecordFormat format;
  private final List<String> header;

  /** The key of a row and the values of its columns. */
  public record MappedRow(Bytes key, Map<ColumnName, Bytes> values) {}

  /**
   * @throws IllegalArgumentException when a file with known fields lacks a field that the mapping
   *     names, or has a field twice that the mapping uses
   */
  public RecordMapper(Mapping mapping, InputFile file) {
    this.mapping = mapping;
    this.key = mapping.keyFields();
    this.format = file.format();
    this.header = file.header();
    if (format != RecordFormat.JSON_LINES) {
      for (String field : mapping.key()) {
        require(file, field);
      }
      mapping.columns().keySet().forEach(field -> require(file, field));
      header.forEach(field -> requireOnce(file, field));
    }
  }

  /** Makes rows of objects of JSON. */
  public RecordMapper(Mapping mapping) {
    this.mapping = mapping;
    this.key = mapping.keyFields();
    this.format = RecordFormat.JSON_LINES;
    this.header = List.of();
  }

  private static void require(InputFile file, String field) {
    if (!file.header().contains(field)) {
      throw new IllegalArgumentException(
          file.path() + " has no field '" + field + "'. It has: " + file.header() + ".");
    }
  }

  /** A mapping cannot tell which of two fields with one name it means. */
  private void requireOnce(InputFile file, String field) {
    boolean used =
        mapping.family() != null
            || mapping.key().contains(field)
            || mapping.columns().containsKey(field);
    if (used && Collections.frequency(header, field) > 1) {
      throw new IllegalArgumentException(
          file.path() + " has two fields '" + field + "'. It has: " + header + ".");
    }
  }

  /** The key alone. */
  public Bytes key(RawRecord record) throws RejectedException {
    if (format != RecordFormat.CSV) {
      return key(fields(record)::get);
    }
    List<String> values = values(record.bytes());
    return key(field -> values.get(header.lastIndexOf(field)));
  }

  /**
   * Makes a record for the sink; rejects a record that the table would refuse, too.
   *
   * @param observe whether writes of observed columns notify observers
   */
  public SinkRecord map(RawRecord record, LoadContext context, String table, boolean observe)
      throws RejectedException {
    MappedRow mapped = map(record);
    Row row = Row.of(table, mapped.key());
    try {
      return new SinkRecord(record, row, context.cells(row, mapped.values(), observe));
    } catch (IllegalArgumentException e) {
      throw new RejectedException(FailureCode.TOO_LARGE, String.valueOf(e.getMessage()));
    }
  }

  public MappedRow map(RawRecord record) throws RejectedException {
    Map<String, String> fields = fields(record);
    Map<ColumnName, Bytes> values = new LinkedHashMap<>();
    for (Map.Entry<String, String> field : fields.entrySet()) {
      Mapping.@Nullable Target target = mapping.columns().get(field.getKey());
      if (target != null) {
        values.put(target.name(), encode(field.getKey(), field.getValue(), target.type()));
      } else if (mapping.family() != null && !mapping.key().contains(field.getKey())) {
        values.put(
            new ColumnName(mapping.family(), encode("name", field.getKey(), FieldType.TEXT)),
            encode(field.getKey(), field.getValue(), FieldType.TEXT));
      }
    }
    if (values.isEmpty()) {
      throw new RejectedException(
          FailureCode.NOTHING_TO_WRITE, "None of its fields goes to a column.");
    }
    return new MappedRow(key(fields::get), values);
  }

  /** CSV has no other way to say that there is no number. */
  private boolean isLeftOut(String field, String text) {
    Mapping.@Nullable Target target = mapping.columns().get(field);
    return text.isEmpty()
        && target != null
        && target.type() != FieldType.TEXT
        && !mapping.key().contains(field);
  }

  private static Bytes encode(String field, String text, FieldType type) throws RejectedException {
    try {
      return type.encode(text);
    } catch (IllegalArgumentException e) {
      throw new RejectedException(
          FailureCode.WRONG_TYPE, "Field '" + field + "' is no " + type.word() + ": " + text);
    }
  }

  private Bytes key(Function<String, @Nullable String> fields) throws RejectedException {
    List<@Nullable String> values = new ArrayList<>();
    for (String field : mapping.key()) {
      values.add(fields.apply(field));
    }
    try {
      return key.join(values);
    } catch (IllegalArgumentException e) {
      throw new RejectedException(FailureCode.NO_KEY, String.valueOf(e.getMessage()));
    }
  }

  /** Returns whether the fields make this key. */
  public boolean hasKey(Map<String, String> fields, Bytes key) {
    try {
      return key(fields::get).equals(key);
    } catch (RejectedException e) {
      return false;
    }
  }

  /** The values of the fields as text, by their names; those that write nothing are missing. */
  public Map<String, String> fields(RawRecord record) throws RejectedException {
    return format == RecordFormat.CSV ? csv(record.bytes()) : json(record.bytes());
  }

  /** Returns as many values as the header has. */
  private List<String> values(Bytes record) throws RejectedException {
    List<String> values;
    try {
      values = CsvText.fields(record);
    } catch (IllegalArgumentException e) {
      throw unparsable(e.getMessage());
    }
    if (values.size() != header.size()) {
      throw unparsable("It has " + values.size() + " fields, the header " + header.size() + ".");
    }
    return values;
  }

  private Map<String, String> csv(Bytes record) throws RejectedException {
    List<String> values = values(record);
    Map<String, String> fields = new LinkedHashMap<>();
    for (int i = 0; i < values.size(); i++) {
      if (!isLeftOut(header.get(i), values.get(i))) {
        fields.put(header.get(i), values.get(i));
      }
    }
    return fields;
  }

  private static Map<String, String> json(Bytes record) throws RejectedException {
    try {
      return JsonFields.of(StrictText.of(record));
    } catch (JsonProcessingException e) {
      throw unparsable(e.getOriginalMessage());
    } catch (IOException | IllegalArgumentException e) {
      throw unparsable(e.getMessage());
    }
  }

  private static RejectedException unparsable(@Nullable String detail) {
    return new RejectedException(FailureCode.UNPARSABLE, String.valueOf(detail));
  }
}
