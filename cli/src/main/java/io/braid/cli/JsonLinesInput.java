package io.braid.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The lines of a JSON Lines file, an object each; blank ones are passed over. */
final class JsonLinesInput extends ObjectInput {
  private final Path file;
  private final BufferedReader reader;
  private long line;

  private JsonLinesInput(
      Path file, BufferedReader reader, String keyField, @Nullable String valueField) {
    super(keyField, valueField);
    this.file = file;
    this.reader = reader;
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

  @Override
  IOException wrong(String what) {
    return new IOException(file + ", line " + line + ": " + what);
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
