package io.braid.examples.webindex.input;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Small archives for tests. */
public final class Zips {
  private Zips() {}

  public static Path write(Path file, Map<String, String> entries) throws IOException {
    return write(file, entries, StandardCharsets.UTF_8);
  }

  static Path write(Path file, Map<String, String> entries, Charset names) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file), names)) {
      for (Map.Entry<String, String> entry : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        zip.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
      }
    }
    return file;
  }
}
