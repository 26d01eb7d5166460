package io.braid.batch.mapping;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.braid.batch.input.CsvText;
import io.braid.batch.input.RecordFormat;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.transaction.RowValues;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Makes records of rows: the other way round than {@link RecordMapper}, which gets the same row
 * back. A value that would not come back is refused.
 */
public final class RowText {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Mapping mapping;
  private final RecordFormat format;
  private final List<String> header = new ArrayList<>();
  private final Map<ColumnName, String> fields = new LinkedHashMap<>();

  /**
   * @throws IllegalArgumentException when a CSV file cannot hold what the mapping asks for
   */
  public RowText(Mapping mapping, RecordFormat format) {
    this.mapping = mapping;
    this.format = format;
    header.addAll(mapping.key());
    mapping.columns().forEach((field, target) -> fields.put(target.name(), field));
    header.addAll(mapping.columns().keySet());
    if (format == RecordFormat.CSV && mapping.family() != null) {
      throw new IllegalArgumentException(
          "A CSV file needs its fields known: name them in a mapping, or write .jsonl.");
    }
  }

  /** The first line of a file, with its end; empty for JSON Lines. */
  public String header() {
    return format == RecordFormat.CSV ? csv(header) + "\n" : "";
  }

  /**
   * A line, with its end.
   *
   * @throws IllegalArgumentException when a value would not come back from it
   */
  public String line(RowValues row) {
    Map<String, Object> record = new LinkedHashMap<>();
    key(row, record);
    for (Map.Entry<ColumnName, Bytes> each : row.values().entrySet()) {
      String field = fields.get(each.getKey());
      Mapping.Target target = field == null ? null : mapping.columns().get(field);
      if (field != null && target != null) {
        record.put(field, value(row, each.getKey(), each.getValue(), target.type()));
      } else if (each.getKey().family().equals(mapping.family())) {
        Object text = value(row, each.getKey(), each.getValue(), FieldType.TEXT);
        record.put(each.getKey().qualifier().toUtf8(), text);
      }
    }
    return (format == RecordFormat.CSV ? csv(record) : json(record)) + "\n";
  }

  private void key(RowValues row, Map<String, Object> record) {
    String key = row.row().key().toUtf8();
    int count = mapping.key().size();
    String[] parts =
        count == 1 ? new String[] {key} : key.split(Pattern.quote(mapping.separator()), -1);
    if (parts.length != count || !Bytes.of(key).equals(row.row().key())) {
      throw new IllegalArgumentException(
          "The key of row " + row.row() + " does not fit " + mapping.key() + ".");
    }
    for (int i = 0; i < count; i++) {
      record.put(mapping.key().get(i), parts[i]);
    }
  }

  private Object value(RowValues row, ColumnName column, Bytes bytes, FieldType type) {
    String text;
    try {
      text = type.decode(bytes);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          row.row() + "/" + column + " holds no " + type.word() + ": " + e.getMessage(), e);
    }
    if (!type.encode(text).equals(bytes)) {
      throw new IllegalArgumentException(
          row.row() + "/" + column + " is no text: give it the type base64 in a mapping.");
    }
    if (format == RecordFormat.JSON_LINES) {
      switch (type) {
        case INT64:
          return Long.valueOf(text);
        case BOOL:
          return Boolean.valueOf(text);
        default:
          return text;
      }
    }
    return text;
  }

  private String csv(Map<String, Object> record) {
    List<String> values = new ArrayList<>(header.size());
    header.forEach(field -> values.add(String.valueOf(record.getOrDefault(field, ""))));
    return csv(values);
  }

  private static String csv(List<String> values) {
    return values.stream().map(CsvText::field).collect(Collectors.joining(","));
  }

  private static String json(Map<String, Object> record) {
    try {
      return JSON.writeValueAsString(record);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A row cannot be written as JSON.", e);
    }
  }
}
