package io.braid.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.batch.input.CsvText;
import io.braid.batch.input.InputFile;
import io.braid.batch.input.RawRecord;
import io.braid.batch.input.RecordFormat;
import io.braid.batch.input.RecordReader;
import io.braid.batch.input.UnreadableInputException;
import io.braid.core.data.Bytes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The records of a file that loads take: Avro, Parquet, compressed text. */
final class RecordsInput implements TupleInput {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final InputFile file;
  private final RecordReader reader;
  private final String keyField;
  private final @Nullable String valueField;
  private Bytes key = Bytes.EMPTY;
  private Bytes value = Bytes.EMPTY;

  private RecordsInput(
      InputFile file, RecordReader reader, String keyField, @Nullable String valueField) {
    this.file = file;
    this.reader = reader;
    this.keyField = keyField;
    this.valueField = valueField;
  }

  static RecordsInput open(Path path, String key, @Nullable String value) throws IOException {
    InputFile file;
    try {
      file = InputFile.of(path);
    } catch (UnreadableInputException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
    for (String field : value == null ? List.of(key) : List.of(key, value)) {
      if (file.format() != RecordFormat.JSON_LINES && !file.header().contains(field)) {
        throw new UsageException(
            "File " + path + " has no field '" + field + "'. It has: " + file.header() + ".");
      }
    }
    return new RecordsInput(file, file.read(), key, value);
  }

  @Override
  public boolean next() throws IOException {
    RawRecord record = reader.next();
    if (record == null) {
      return false;
    }
    ObjectNode object = file.format() == RecordFormat.CSV ? csv(record) : json(record);
    key = text(record, object, keyField);
    if (key.isEmpty()) {
      throw wrong(record, "the key is empty.");
    }
    if (valueField == null) {
      object.remove(keyField);
      value = Bytes.of(object.toString());
    } else {
      value = text(record, object, valueField);
    }
    return true;
  }

  private ObjectNode csv(RawRecord record) throws IOException {
    try {
      List<String> values = CsvText.fields(record.bytes());
      if (values.size() != file.header().size()) {
        throw wrong(record, "another number of fields.");
      }
      ObjectNode object = JSON.createObjectNode();
      for (int i = 0; i < values.size(); i++) {
        object.put(file.header().get(i), values.get(i));
      }
      return object;
    } catch (IllegalArgumentException e) {
      throw wrong(record, String.valueOf(e.getMessage()));
    }
  }

  private ObjectNode json(RawRecord record) throws IOException {
    try {
      if (JSON.readTree(record.bytes().toUtf8()) instanceof ObjectNode object) {
        return object;
      }
      throw wrong(record, "this is no object.");
    } catch (JsonProcessingException e) {
      throw wrong(record, e.getOriginalMessage());
    }
  }

  private Bytes text(RawRecord record, ObjectNode object, String field) throws IOException {
    JsonNode node = object.get(field);
    if (node == null || node.isNull()) {
      throw wrong(record, "there is no field '" + field + "'.");
    }
    return Bytes.of(node.isTextual() ? node.textValue() : node.toString());
  }

  private IOException wrong(RawRecord record, String what) {
    return new IOException(
        file.path()
            + (file.format().isText() ? ", the record at " : ", record ")
            + record.offset()
            + ": "
            + what);
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
