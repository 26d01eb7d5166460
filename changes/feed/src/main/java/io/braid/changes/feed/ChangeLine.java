package io.braid.changes.feed;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Changes as lines of JSON:
 *
 * <pre>{@code
 * {"table":"people","row":"ann","timestamp":"123","position":"123/616e6e@0f1e2d3c4b5a6978",
 *  "columns":{"info:name":"Ann","info:born":null}}
 * {"table":"people","resolved":"456","position":"456@0f1e2d3c4b5a6978"}
 * }</pre>
 *
 * A null deletes the column. Keys and values that are not UTF-8 are written as {@code
 * {"base64":"..."}}. Qualifiers that are not UTF-8, or that begin with {@code base64:}, are written
 * as {@code family:base64:...}.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class ChangeLine {
  /** A value may be as long as the database allows; a field that comes twice is refused. */
  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .build();

  private static final String BASE64 = "base64";
  private static final String MARK = BASE64 + ":";

  private ChangeLine() {}

  /**
   * The content of a line: a change, or the statement that all changes up to a timestamp have come.
   *
   * @param table empty if the line does not say
   */
  public record Read(String table, @Nullable Change change, Position position) {}

  /**
   * A change as a line.
   *
   * @param lineage of which database the feed is, as positions name it
   */
  public static ObjectNode of(Change change, @Nullable String lineage) {
    ObjectNode line = JSON.createObjectNode();
    line.put("table", change.row().table());
    line.set("row", text(change.row().key()));
    line.put("timestamp", Long.toString(change.commit()));
    line.put("position", change.position().of(lineage).toString());
    ObjectNode columns = line.putObject("columns");
    change.columns().forEach((column, value) -> columns.set(name(column), text(value)));
    return line;
  }

  /** Says that nothing comes at or below the timestamp of a position any more. */
  public static ObjectNode resolved(String table, Position at) {
    ObjectNode line = JSON.createObjectNode();
    line.put("table", table);
    line.put("resolved", Long.toString(at.timestamp()));
    line.put("position", at.toString());
    return line;
  }

  public static String toText(ObjectNode line) {
    try {
      return JSON.writeValueAsString(line);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A change cannot be written as JSON.", e);
    }
  }

  /** Writes a line, its end not included, without having all of it in memory once more. */
  public static void write(ObjectNode line, Writer to) throws IOException {
    JSON.writer().without(JsonGenerator.Feature.AUTO_CLOSE_TARGET).writeValue(to, line);
  }

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException when the line is not valid; the text says why
   */
  public static Read parse(String text) {
    JsonNode line;
    try {
      line = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON: " + e.getOriginalMessage(), e);
    }
    Position position = Position.parse(line.path("position").asText());
    if (line.has("resolved")) {
      return new Read(line.path("table").asText(), null, position);
    }
    if (!line.path("columns").isObject() || !line.path("table").isTextual()) {
      throw new IllegalArgumentException("neither a change nor a resolved timestamp");
    }
    SortedMap<ColumnName, @Nullable Bytes> columns = new TreeMap<>();
    line.get("columns")
        .properties()
        .forEach(each -> columns.put(name(each.getKey()), bytes(each.getValue())));
    Bytes key = bytes(line.path("row"));
    if (key == null || columns.isEmpty()) {
      throw new IllegalArgumentException("a change needs a row and a column");
    }
    Row row = new Row(line.path("table").textValue(), key);
    return new Read(row.table(), new Change(row, position.timestamp(), columns), position);
  }

  private static String name(ColumnName column) {
    String qualifier = decode(column.qualifier());
    return column.family()
        + ":"
        + (qualifier == null || qualifier.startsWith(MARK)
            ? MARK + base64(column.qualifier())
            : qualifier);
  }

  private static ColumnName name(String text) {
    int colon = text.indexOf(':');
    if (colon < 1) {
      throw new IllegalArgumentException("'" + text + "' is no column: write FAMILY:QUALIFIER");
    }
    String qualifier = text.substring(colon + 1);
    return new ColumnName(
        text.substring(0, colon),
        qualifier.startsWith(MARK)
            ? Bytes.wrap(Base64.getDecoder().decode(qualifier.substring(MARK.length())))
            : Bytes.of(qualifier));
  }

  private static JsonNode text(@Nullable Bytes bytes) {
    if (bytes == null) {
      return JSON.nullNode();
    }
    String text = decode(bytes);
    return text == null
        ? JSON.createObjectNode().put(BASE64, base64(bytes))
        : JSON.getNodeFactory().textNode(text);
  }

  private static @Nullable Bytes bytes(JsonNode node) {
    if (node.isNull()) {
      return null;
    }
    if (node.path(BASE64).isTextual()) {
      return Bytes.wrap(Base64.getDecoder().decode(node.path(BASE64).textValue()));
    }
    if (!node.isTextual()) {
      throw new IllegalArgumentException("'" + node + "' is neither text nor base64");
    }
    return Bytes.of(node.textValue());
  }

  private static String base64(Bytes bytes) {
    return Base64.getEncoder().encodeToString(bytes.toArray());
  }

  private static @Nullable String decode(Bytes bytes) {
    try {
      ByteBuffer buffer = bytes.toBuffer();
      return StandardCharsets.UTF_8.newDecoder().decode(buffer).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }
}
