package io.braid.cli.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.braid.batch.mapping.JsonLines;
import io.braid.cli.command.UsageException;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.view.Columns;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows as {@code scan --json} prints them, one a line; a null in the place of a value deletes. */
final class RowLines {
  private static final ObjectMapper JSON = new ObjectMapper(JsonLines.READER);

  private final String name;
  private final String table;
  private final BufferedReader reader;
  private long line;

  /**
   * @param changes the new values by column; null where the column is to be deleted
   */
  record Change(Row row, Map<Column<Bytes>, @Nullable Bytes> changes) {}

  /**
   * @param name of the input, for errors
   */
  RowLines(String name, String table, BufferedReader reader) {
    this.name = name;
    this.table = table;
    this.reader = reader;
  }

  /** The next row; null at the end. Blank lines are passed over. */
  @Nullable Change next() throws IOException {
    for (String text = line(); text != null; text = line()) {
      if (!text.isBlank()) {
        return change(parsed(text));
      }
    }
    return null;
  }

  private @Nullable String line() throws IOException {
    line++;
    try {
      return reader.readLine();
    } catch (CharacterCodingException e) {
      throw new UsageException(
          name
              + ", line "
              + line
              + " or one of the next: not UTF-8. Values that are no text are written as"
              + " {\"base64\":\"...\"}.");
    }
  }

  private JsonNode parsed(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw wrong(e.getOriginalMessage());
    }
  }

  private Change change(JsonNode object) {
    JsonNode key = object.path("row");
    JsonNode columns = object.path("columns");
    if (!key.isTextual() || !columns.isObject() || columns.isEmpty()) {
      throw wrong("write {\"row\":\"KEY\",\"columns\":{\"FAMILY:QUALIFIER\":\"VALUE\"}}.");
    }
    Map<Column<Bytes>, @Nullable Bytes> changes = new LinkedHashMap<>();
    columns
        .fields()
        .forEachRemaining(
            field -> changes.put(column(field.getKey()), value(field.getKey(), field.getValue())));
    return new Change(Columns.row(table, key.textValue()), changes);
  }

  private static Column<Bytes> column(String text) {
    ColumnName column = Columns.parse(text).name();
    return new Column<>(column, Codecs.bytes());
  }

  private @Nullable Bytes value(String column, JsonNode value) {
    if (value.isNull()) {
      return null;
    }
    if (value.path("base64").isTextual()) {
      try {
        return Bytes.wrap(Base64.getDecoder().decode(value.path("base64").textValue()));
      } catch (IllegalArgumentException e) {
        throw wrong("the value of " + column + " is no Base64: " + e.getMessage() + ".");
      }
    }
    if (!value.isTextual()) {
      throw wrong("the value of " + column + " is no text.");
    }
    return Bytes.of(value.textValue());
  }

  private UsageException wrong(String what) {
    return new UsageException(name + ", line " + line + ": " + what);
  }
}
