package io.braid.batch.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How the files of a job are written and read: as JSON, each whole or not at all. */
final class JobFiles {
  static final JsonMapper JSON =
      JsonMapper.builder().enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY).build();

  private JobFiles() {}

  /** Replaces a file by one rename; it is on the disk when this returns. */
  static void replace(Path file, Object content) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(fresh, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(content));
    sync(fresh);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    Path parent = file.getParent();
    if (parent != null) {
      syncDirectory(parent);
    }
  }

  static <T> Optional<T> read(Path file, Class<T> type) throws IOException {
    try {
      return Optional.of(JSON.readValue(Files.readString(file), type));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (JsonProcessingException e) {
      throw new JobException(
          "File " + file + " of the job is damaged: " + e.getOriginalMessage(), e);
    }
  }

  /** The lines of a log; a last one that was not written to its end does not count. */
  static <T> List<T> readLog(Path file, Class<T> type) throws IOException {
    List<T> entries = new ArrayList<>();
    if (!Files.exists(file)) {
      return entries;
    }
    String torn = null;
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (torn != null) {
          throw new JobException("Log " + file + " is damaged: " + torn);
        }
        try {
          entries.add(JSON.readValue(line, type));
        } catch (JsonProcessingException e) {
          torn = line;
        }
      }
    }
    return entries;
  }

  /** Adds a line to a log; it is on the disk when this returns. */
  static void append(Path file, Object entry) throws IOException {
    byte[] line = (JSON.writeValueAsString(entry) + "\n").getBytes(StandardCharsets.UTF_8);
    boolean fresh = !Files.exists(file);
    Files.write(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    sync(file);
    Path parent = file.getParent();
    if (fresh && parent != null) {
      syncDirectory(parent);
    }
  }

  static void sync(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  static void syncDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
