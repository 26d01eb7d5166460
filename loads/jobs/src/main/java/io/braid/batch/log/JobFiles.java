package io.braid.batch.log;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.braid.batch.JobException;
import io.braid.core.runtime.DurableFiles;
import io.braid.core.runtime.UninterruptedWork;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads and writes the files of a job: as JSON, each completely or not at all. */
public final class JobFiles {
  public static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** The number of characters of a wrong line that a message shows. */
  private static final int SHOWN = 100;

  private JobFiles() {}

  /** Replaces a file by one rename; it is on the disk when this returns. */
  public static void replace(Path file, Object content) throws IOException {
    DurableFiles.write(file, JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(content));
  }

  public static <T> Optional<T> read(Path file, Class<T> type) throws IOException {
    try {
      return Optional.of(JSON.readValue(Files.readString(file), type));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (JsonProcessingException e) {
      throw new JobException(
          "File " + file + " of the job is damaged: " + e.getOriginalMessage(), e);
    } catch (CharacterCodingException e) {
      throw new JobException("File " + file + " of the job is damaged: it is no text.", e);
    }
  }

  /**
   * Reads the lines of a log. Text after the last line end was not written completely and does not
   * count.
   *
   * @throws JobException when a complete line is not an entry of the log
   */
  public static <T> List<T> readLog(Path file, Class<T> type) throws IOException {
    List<T> entries = new ArrayList<>();
    if (!Files.exists(file)) {
      return entries;
    }
    String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    String whole = text.substring(0, text.lastIndexOf('\n') + 1);
    for (String line : (Iterable<String>) whole.lines()::iterator) {
      try {
        entries.add(JSON.readValue(line, type));
      } catch (JsonProcessingException e) {
        String begin = line.substring(0, Math.min(line.length(), SHOWN));
        throw new JobException("Log " + file + " is damaged: " + begin, e);
      }
    }
    return entries;
  }

  /** The first lines of a log, however long it is. */
  public static <T> List<T> readLog(Path file, Class<T> type, int most) throws IOException {
    List<T> entries = new ArrayList<>();
    try (LogLines lines = new LogLines(file, 0)) {
      while (entries.size() < most) {
        String line = lines.next();
        if (line == null) {
          break;
        }
        entries.add(JSON.readValue(line, type));
      }
    } catch (JsonProcessingException e) {
      throw new JobException("Log " + file + " is damaged: " + e.getOriginalMessage(), e);
    }
    return entries;
  }

  /**
   * Adds a line to a log; the line is on the disk when the method returns. An incomplete line that
   * a crash has left is cut off first: joined to it, the new line would be lost as well.
   */
  public static void append(Path file, Object entry) throws IOException {
    byte[] line = (JSON.writeValueAsString(entry) + "\n").getBytes(StandardCharsets.UTF_8);
    boolean fresh = !Files.exists(file);
    if (!fresh) {
      UninterruptedWork.againStep(() -> cutTorn(file));
    }
    Files.write(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    DurableFiles.sync(file);
    Path parent = file.getParent();
    if (fresh && parent != null) {
      DurableFiles.syncDirectory(parent);
    }
  }

  /** Cuts a log after its last complete line. */
  private static void cutTorn(Path file) throws IOException {
    try (FileChannel log =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer last = ByteBuffer.allocate(1);
      long end = log.size();
      while (end > 0 && (log.read(last.clear(), end - 1) < 1 || last.get(0) != '\n')) {
        end--;
      }
      if (end < log.size()) {
        log.truncate(end);
      }
    }
  }
}
