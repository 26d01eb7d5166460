package io.braid.cli.stores;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.batch.input.CsvText;
import io.braid.batch.input.InputFile;
import io.braid.batch.input.RawRecord;
import io.braid.batch.input.RecordFormat;
import io.braid.batch.input.RecordReader;
import io.braid.batch.input.StrictText;
import io.braid.batch.input.UnreadableInputException;
import io.braid.cli.command.UsageException;
import io.braid.core.data.Bytes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The records of a file that loads take. Lines of JSON with blanks alone are passed over. */
final class RecordsInput extends ObjectInput {
  private final InputFile file;
  private final RecordReader reader;
  private long number;
  private long offset;

  private RecordsInput(
      InputFile file, RecordReader reader, String keyField, @Nullable String valueField) {
    super(keyField, valueField);
    this.file = file;
    this.reader = reader;
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
            "File "
                + path
                + " has no field '"
                + field
                + "'. It has: "
                + String.join(", ", file.header())
                + ". --key says which one is the key, --value which one the value.");
      }
    }
    if (new HashSet<>(file.header()).size() < file.header().size()) {
      throw new UsageException(
          "File " + path + " has a field twice. It has: " + file.header() + ".");
    }
    return new RecordsInput(file, file.read(), key, value);
  }

  @Override
  public boolean next() throws IOException {
    for (RawRecord record = reader.next(); record != null; record = reader.next()) {
      number++;
      offset = record.offset();
      if (file.format() == RecordFormat.CSV) {
        take(csv(record.bytes()));
        return true;
      }
      String text = text(record.bytes());
      if (!text.isBlank()) {
        take(object(text));
        return true;
      }
    }
    return false;
  }

  private String text(Bytes record) throws IOException {
    try {
      return StrictText.of(record);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private ObjectNode csv(Bytes record) throws IOException {
    try {
      List<String> values = CsvText.fields(record);
      if (values.size() != file.header().size()) {
        throw wrong("another number of fields.");
      }
      ObjectNode object = JSON.createObjectNode();
      for (int i = 0; i < values.size(); i++) {
        object.put(file.header().get(i), values.get(i));
      }
      return object;
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  @Override
  IOException wrong(String what) {
    return new IOException(
        file.path()
            + ", record "
            + number
            + (file.format().isText() ? ", at byte " + offset : "")
            + ": "
            + what);
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
