package io.braid.cli;

import io.braid.core.data.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/** The lines of a CSV file (RFC 4180), whose first line names the fields. */
final class CsvInput implements TupleInput {
  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).get();

  private final Path file;
  private final CSVParser parser;
  private final Iterator<CSVRecord> records;
  private final String keyField;
  private final @Nullable String valueField;
  private Bytes key = Bytes.EMPTY;
  private Bytes value = Bytes.EMPTY;

  private CsvInput(Path file, CSVParser parser, String keyField, @Nullable String valueField) {
    this.file = file;
    this.parser = parser;
    this.records = parser.iterator();
    this.keyField = keyField;
    this.valueField = valueField;
  }

  static CsvInput open(Path file, String key, @Nullable String value) throws IOException {
    CSVParser parser;
    try {
      parser = CSVParser.parse(Files.newBufferedReader(file, StandardCharsets.UTF_8), FORMAT);
    } catch (NoSuchFileException e) {
      throw new UsageException("There is no file " + file + ".");
    } catch (IllegalArgumentException e) {
      throw new UsageException("The first line of " + file + " is wrong: " + e.getMessage());
    }
    List<String> names = parser.getHeaderNames();
    for (String field : value == null ? List.of(key) : List.of(key, value)) {
      if (!names.contains(field)) {
        parser.close();
        throw new UsageException(
            "File " + file + " has no field '" + field + "'. It has: " + names + ".");
      }
    }
    return new CsvInput(file, parser, key, value);
  }

  @Override
  public boolean next() throws IOException {
    try {
      if (!records.hasNext()) {
        return false;
      }
      CSVRecord line = records.next();
      if (!line.isConsistent() || line.get(keyField).isEmpty()) {
        throw new IOException(
            file
                + ", line "
                + parser.getCurrentLineNumber()
                + ": "
                + (line.isConsistent() ? "the key is empty." : "another number of fields."));
      }
      key = Bytes.of(line.get(keyField));
      value = Bytes.of(valueField == null ? others(line) : line.get(valueField));
      return true;
    } catch (UncheckedIOException e) {
      throw new IOException(
          file + ", line " + parser.getCurrentLineNumber() + ": " + e.getMessage(), e);
    }
  }

  private String others(CSVRecord line) {
    Map<String, String> object = new LinkedHashMap<>(line.toMap());
    object.remove(keyField);
    return OutputOptions.toJson(object);
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
    parser.close();
  }
}
