package io.braid.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.core.data.Bytes;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The lines of a JSON Lines file, an object each; blank ones are passed over. */
final class JsonLinesInput implements TupleInput {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;
  private final BufferedReader reader;
  private final String keyField;
  private final @Nullable String valueField;
  private long line;
  private Bytes key = Bytes.EMPTY;
  private Bytes value = Bytes.EMPTY;

  private JsonLinesInput(
      Path file, BufferedReader reader, String keyField, @Nullable String valueField) {
    this.file = file;
    this.reader = reader;
    this.keyField = keyField;
    this.valueField = valueField;
  }

  static JsonLinesInput open(Path file, String key, @Nullable String value) throws IOException {
    try {
      return new JsonLinesInput(
          file, Files.newBufferedReader(file, StandardCharsets.UTF_8), key, value);
    } catch (NoSuchFileException e) {
      throw new UsageException("There is no file " + file + ".");
    }
  }

  @Override
  public boolean next() throws IOException {
    for (String text = reader.readLine(); text != null; text = reader.readLine()) {
      line++;
      if (!text.isBlank()) {
        take(object(text));
        return true;
      }
    }
    return false;
  }

  private ObjectNode object(String text) throws IOException {
    try {
      if (JSON.readTree(text) instanceof ObjectNode object) {
        return object;
      }
      throw wrong("this is no object.");
    } catch (JsonProcessingException e) {
      throw wrong(e.getOriginalMessage());
    }
  }

  private void take(ObjectNode object) throws IOException {
    key = text(object, keyField);
    if (key.isEmpty()) {
      throw wrong("the key is empty.");
    }
    if (valueField == null) {
      object.remove(keyField);
      value = Bytes.of(object.toString());
    } else {
      value = text(object, valueField);
    }
  }

  private Bytes text(ObjectNode object, String field) throws IOException {
    JsonNode node = object.get(field);
    if (node == null || node.isNull()) {
      throw wrong("there is no field '" + field + "'.");
    }
    return Bytes.of(node.isTextual() ? node.textValue() : node.toString());
  }

  private IOException wrong(String what) {
    return new IOException(file + ", line " + line + ": " + what);
  }

  @Override
  public Bytes key() {
    return key;
  }

  @Override
  public Bytes value() {
    return value;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
