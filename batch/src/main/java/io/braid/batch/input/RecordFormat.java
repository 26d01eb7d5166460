package io.braid.batch.input;

import java.util.Locale;

/** How records stand in a file, told by its name. */
public enum RecordFormat {
  /** RFC 4180; the first line names the fields. */
  CSV("csv"),
  /** An object a line. */
  JSON_LINES("jsonl");

  private final String suffix;

  RecordFormat(String suffix) {
    this.suffix = suffix;
  }

  /** The ending of names of such files, without a dot. */
  public String suffix() {
    return suffix;
  }

  /**
   * @throws IllegalArgumentException when the name tells no format
   */
  public static RecordFormat of(String fileName) {
    String name = Compression.of(fileName).strip(fileName).toLowerCase(Locale.ROOT);
    if (name.endsWith(".csv")) {
      return CSV;
    }
    if (name.endsWith(".jsonl") || name.endsWith(".ndjson")) {
      return JSON_LINES;
    }
    throw new IllegalArgumentException(
        "'"
            + fileName
            + "' is neither .csv nor .jsonl (or .ndjson), with or without .gz or .zst: rename it.");
  }
}
