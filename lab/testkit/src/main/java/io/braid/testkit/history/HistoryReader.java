package io.braid.testkit.history;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a history entry by entry. A last line without an end that is no entry is what a killed
 * recorder leaves: it is passed over with a notice. Any other such line is refused.
 */
public final class HistoryReader implements AutoCloseable {
  private final LineSource lines;
  private final List<String> notices = new ArrayList<>();
  private long line;

  private HistoryReader(InputStream in) {
    this.lines = new LineSource(in);
  }

  /**
   * @throws HistoryFormatException when there is no such file or it cannot be read
   */
  public static HistoryReader open(Path file) {
    try {
      return new HistoryReader(Files.newInputStream(file));
    } catch (IOException e) {
      throw new HistoryFormatException("History " + file + " cannot be read.", e);
    }
  }

  /** Reads from a stream, which it closes. */
  public static HistoryReader from(InputStream in) {
    return new HistoryReader(in);
  }

  /**
   * The next entry; null at the end.
   *
   * @throws HistoryFormatException when a line is no entry
   */
  public @Nullable HistoryEntry next() {
    LineSource.Line text = nextLine();
    while (text != null && text.isBlank()) {
      text = nextLine();
    }
    return text == null ? null : entry(text);
  }

  private @Nullable HistoryEntry entry(LineSource.Line text) {
    try {
      return HistoryLine.read(text.bytes());
    } catch (HistoryFormatException e) {
      if (text.ended()) {
        throw new HistoryFormatException("Line " + line + " is no entry: " + e.getMessage(), e);
      }
      int bytes = text.bytes().length;
      notices.add("Line " + line + ", the last, is torn (" + bytes + " bytes): left out.");
      return null;
    }
  }

  private LineSource.@Nullable Line nextLine() {
    try {
      LineSource.Line next = lines.next();
      line++;
      return next;
    } catch (IOException e) {
      throw new HistoryFormatException("The history cannot be read after line " + line + ".", e);
    }
  }

  /** The number of the line that was read last; the first is 1. */
  public long line() {
    return line;
  }

  /** Returns remarks on the file for the user. */
  public List<String> notices() {
    return List.copyOf(notices);
  }

  /** All entries of a file. */
  public static List<HistoryEntry> readAll(Path file) {
    try (HistoryReader reader = open(file)) {
      List<HistoryEntry> entries = new ArrayList<>();
      for (HistoryEntry entry = reader.next(); entry != null; entry = reader.next()) {
        entries.add(entry);
      }
      return entries;
    }
  }

  @Override
  public void close() {
    try {
      lines.close();
    } catch (IOException e) {
      throw new HistoryFormatException("The history cannot be closed.", e);
    }
  }
}
