package io.braid.batch.mapping;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.braid.batch.input.CsvText;
import io.braid.batch.input.RecordFormat;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.transaction.RowValues;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * Makes records of rows: the other way round than {@link RecordMapper}, which gets the same row
 * back. A value that would not come back is refused. Safe for many threads.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class RowText {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Mapping mapping;
  private final KeyFields key;
  private final RecordFormat format;
  private final Set<String> header = new LinkedHashSet<>();
  private final Map<ColumnName, String> fields = new LinkedHashMap<>();

  /**
   * @throws IllegalArgumentException when a CSV file cannot hold the fields of the mapping
   */
  public RowText(Mapping mapping, RecordFormat format) {
    this.mapping = mapping;
    this.key = mapping.keyFields();
    this.format = format;
    Set<String> names = new LinkedHashSet<>(mapping.key());
    mapping.columns().forEach((field, target) -> fields.put(target.name(), field));
    names.addAll(mapping.columns().keySet());
    header.addAll(names);
    String family = mapping.family();
    if (format != RecordFormat.JSON_LINES && family != null) {
      throw new IllegalArgumentException(
          "A ."
              + format.suffix()
              + " file needs its fields named. Write each into a file, as"
              + " {\"key\":[\""
              + String.join("\",\"", mapping.key())
              + "\"],\"columns\":{\"FIELD\":{\"column\":\""
              + family
              + ":FIELD\"}}}, and name that file with --mapping; or export to .jsonl, which takes any"
              + " fields.");
    }
  }

  /** The names of the fields, in their order; of JSON Lines those that are known. */
  public List<String> fields() {
    return List.copyOf(header);
  }

  /** The type of a field. */
  public FieldType type(String field) {
    Mapping.Target target = mapping.columns().get(field);
    return target == null ? FieldType.TEXT : target.type();
  }

  /** The first line of a file, with its end; empty for JSON Lines. */
  public String header() {
    return format == RecordFormat.CSV ? csv(header) + "\n" : "";
  }

  /**
   * A line, with its end.
   *
   * @throws UnwritableRowException when a value would not come back from it
   */
  public String line(RowValues row) {
    Map<String, Object> record = record(row);
    String line = format == RecordFormat.CSV ? csv(record) : json(record);
    if (line.indexOf('\n') >= 0 && Bytes.of(line).length() > CsvText.MOST_BYTES) {
      throw refused(row, "has line ends and is too long for CSV: write .jsonl.");
    }
    return line + "\n";
  }

  /**
   * The values of the fields; those without one are missing. In files that are no text they are
   * String, Long, Double, Boolean and, of base64, Bytes.
   *
   * @throws UnwritableRowException when a value would not come back from it
   */
  public Map<String, Object> record(RowValues row) {
    Map<String, Object> record = new LinkedHashMap<>();
    key(row, record);
    mapping.columns().forEach((field, target) -> requireThere(row, field, target));
    for (Map.Entry<ColumnName, Bytes> each : row.values().entrySet()) {
      String field = fields.get(each.getKey());
      Mapping.Target target = field == null ? null : mapping.columns().get(field);
      if (field != null && target != null) {
        put(record, row, field, value(row, each.getKey(), each.getValue(), target.type()));
      } else if (each.getKey().family().equals(mapping.family())) {
        Object text = value(row, each.getKey(), each.getValue(), FieldType.TEXT);
        put(record, row, familyField(row, each.getKey()), text);
      }
    }
    return record;
  }

  /**
   * Refuses a row without a value if a loader would fill it in: from the key, or as an empty text.
   */
  private void requireThere(RowValues row, String field, Mapping.Target target) {
    boolean there = row.values().containsKey(target.name());
    if (!there && mapping.key().contains(field)) {
      throw refused(row, "has no " + target.column() + ", which the key would bring back.");
    }
    if (!there && format == RecordFormat.CSV && target.type() == FieldType.TEXT) {
      throw refused(
          row,
          "has no "
              + target.column()
              + ", and CSV cannot tell that from an empty text: write .jsonl.");
    }
  }

  /** The field of a column that only its family brings into the file. */
  private String familyField(RowValues row, ColumnName column) {
    String field = column.qualifier().toUtf8();
    if (!Bytes.of(field).equals(column.qualifier())) {
      throw refused(row, "has column " + column + ", whose name is no text.");
    }
    if (mapping.columns().containsKey(field) || mapping.key().contains(field)) {
      throw refused(row, "has column " + column + ", whose name is that of another field.");
    }
    return field;
  }

  private static void put(Map<String, Object> record, RowValues row, String field, Object value) {
    Object other = record.put(field, value);
    if (other != null && !other.toString().equals(value.toString())) {
      throw refused(row, "has two values for field '" + field + "'.");
    }
  }

  private static UnwritableRowException refused(RowValues row, String why) {
    return new UnwritableRowException("Row " + row.row() + " " + why);
  }

  private void key(RowValues row, Map<String, Object> record) {
    List<String> parts;
    try {
      parts = key.split(row.row().key());
    } catch (IllegalArgumentException e) {
      throw new UnwritableRowException(
          "The key of row " + row.row() + " does not fit " + mapping.key() + ": " + e.getMessage(),
          e);
    }
    for (int i = 0; i < parts.size(); i++) {
      String field = mapping.key().get(i);
      FieldType type = format.isText() ? FieldType.TEXT : type(field);
      if (!type.decode(type.encode(parts.get(i))).equals(parts.get(i))) {
        throw new UnwritableRowException(
            "The key of row "
                + row.row()
                + " would come back as another: field '"
                + field
                + "' is a "
                + type.word()
                + ".");
      }
      record.put(field, shown(type, parts.get(i)));
    }
  }

  private Object value(RowValues row, ColumnName column, Bytes bytes, FieldType type) {
    String text;
    try {
      text = type.decode(bytes);
    } catch (IllegalArgumentException e) {
      throw new UnwritableRowException(
          row.row() + "/" + column + " holds no " + type.word() + ": " + e.getMessage(), e);
    }
    if (!type.encode(text).equals(bytes)) {
      throw new UnwritableRowException(
          row.row() + "/" + column + " is no text: give it the type base64 in a mapping.");
    }
    if (format == RecordFormat.CSV && type != FieldType.TEXT && text.isEmpty()) {
      throw refused(row, "has an empty " + column + ", which CSV cannot tell: write .jsonl.");
    }
    return format == RecordFormat.CSV ? text : shown(type, text);
  }

  /** Returns a value as records of a format with types hold it. */
  private Object shown(FieldType type, String text) {
    boolean json = format == RecordFormat.JSON_LINES;
    return switch (type) {
      case INT64 -> Long.valueOf(text);
      case BOOL -> Boolean.valueOf(text);
      case FLOAT64 -> json ? text : (Object) Double.valueOf(text);
      case BASE64 -> json ? text : (Object) type.encode(text);
      case TEXT -> text;
    };
  }

  private String csv(Map<String, Object> record) {
    List<String> values = new ArrayList<>(header.size());
    header.forEach(field -> values.add(String.valueOf(record.getOrDefault(field, ""))));
    return csv(values);
  }

  private static String csv(Collection<String> values) {
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
