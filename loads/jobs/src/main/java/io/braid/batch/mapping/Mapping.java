package io.braid.batch.mapping;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Names;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * How the fields of records become rows. A small file of JSON:
 *
 * <pre>
 * {
 *   "key": ["country", "id"],
 *   "separator": "/",
 *   "columns": {
 *     "name": {"column": "info:name"},
 *     "born": {"column": "info:born", "type": "int64"}
 *   }
 * }
 * </pre>
 *
 * <p>An invalid mapping leads to an {@link IllegalArgumentException} that says why.
 *
 * @param key the fields that make the key of the row, in this order; at least one
 * @param separator the text between the fields of the key; only the last field may contain it;
 *     {@code /} if a file names none
 * @param columns the target of a field, by the name of the field; other fields are left out. No
 *     column occurs twice
 * @param family every field that {@code columns} does not name and that is not part of the key goes
 *     to this family as text, under its own name; null when there is none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@API(status = API.Status.EXPERIMENTAL)
public record Mapping(
    List<String> key, String separator, Map<String, Target> columns, @Nullable String family) {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .enable(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
          .build();

  /**
   * The target of a field.
   *
   * @param column FAMILY:QUALIFIER
   * @param type how its text becomes bytes; text if a file names none
   */
  public record Target(String column, FieldType type) {
    @SuppressWarnings("NullAway") // Jackson passes null for what a file leaves out
    public Target {
      type = type == null ? FieldType.TEXT : type;
      int colon = column == null ? -1 : column.indexOf(':');
      if (colon < 1) {
        throw new IllegalArgumentException(
            "'" + column + "' is no column: write FAMILY:QUALIFIER.");
      }
      Names.family(column.substring(0, colon));
    }

    public ColumnName name() {
      int colon = column.indexOf(':');
      return new ColumnName(column.substring(0, colon), Bytes.of(column.substring(colon + 1)));
    }
  }

  @SuppressWarnings("NullAway") // Jackson passes null for what a file leaves out
  public Mapping {
    if (key != null && key.stream().anyMatch(Objects::isNull)) {
      throw new IllegalArgumentException("\"key\" names fields; null is none.");
    }
    key = key == null ? List.of() : List.copyOf(key);
    separator = separator == null ? "/" : separator;
    columns = columns == null ? Map.of() : new LinkedHashMap<>(columns);
    KeyFields unused = new KeyFields(key, separator);
    if (family != null) {
      Names.family(family);
    }
    if (family == null && columns.isEmpty()) {
      throw new IllegalArgumentException(
          "A mapping names \"columns\", or a \"family\" for all fields.");
    }
    columns.forEach(
        (field, target) -> {
          if (target == null) {
            throw new IllegalArgumentException("Field '" + field + "' goes to no column.");
          }
        });
    Set<String> targets = new TreeSet<>();
    for (Target target : columns.values()) {
      if (!targets.add(target.column)) {
        throw new IllegalArgumentException("Two fields go to column " + target.column + ".");
      }
    }
  }

  /** Returns a mapping of all fields but the key to one family, as text, under their names. */
  public static Mapping ofFamily(List<String> key, String family) {
    return new Mapping(key, "/", Map.of(), family);
  }

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException when the file is missing or not a mapping
   */
  public static Mapping read(Path file) throws IOException {
    try {
      return parse(Files.readString(file), file.toString());
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("There is no mapping " + file + ".", e);
    }
  }

  /**
   * Reads the text of a mapping file.
   *
   * @param name of the mapping in error messages
   * @throws IllegalArgumentException when it is not a valid mapping
   */
  public static Mapping parse(String json, String name) {
    try {
      return JSON.readValue(json, Mapping.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("Mapping " + name + ": " + JsonWords.of(e), e);
    }
  }

  /** Returns the mapping as the text of a file. */
  public String toJson() {
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A mapping cannot be written as JSON.", e);
    }
  }

  /** Returns the fields of the key, as an object that joins them and takes them apart. */
  public KeyFields keyFields() {
    return new KeyFields(key, separator);
  }

  /** The families that it writes. */
  public Set<String> families() {
    Set<String> families = new TreeSet<>();
    columns.values().forEach(target -> families.add(target.name().family()));
    if (family != null) {
      families.add(family);
    }
    return families;
  }
}
