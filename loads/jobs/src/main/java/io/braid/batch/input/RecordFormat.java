package io.braid.batch.input;

import java.util.Locale;
import org.apiguardian.api.API;

/**
 * The format of the records in a file, according to its name.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public enum RecordFormat {
  /** RFC 4180; the first line names the fields. */
  CSV("csv"),
  /** An object a line. */
  JSON_LINES("jsonl"),
  /** Apache Avro's container files. */
  AVRO("avro"),
  /** Apache Parquet. */
  PARQUET("parquet");

  private final String suffix;

  RecordFormat(String suffix) {
    this.suffix = suffix;
  }

  /** The ending of names of such files, without a dot. */
  public String suffix() {
    return suffix;
  }

  /** Returns whether its records are text; a {@link ContainerFormat} reads other records. */
  public boolean isText() {
    return this == CSV || this == JSON_LINES;
  }

  /** The format of text in which records of such a file are logged. */
  public RecordFormat text() {
    return this == CSV ? CSV : JSON_LINES;
  }

  /**
   * @throws IllegalArgumentException when the name does not show a format
   */
  public static RecordFormat of(String fileName) {
    Compression compression = Compression.of(fileName);
    String name = compression.strip(fileName).toLowerCase(Locale.ROOT);
    RecordFormat format = named(name);
    if (format == null) {
      throw new IllegalArgumentException(
          "'"
              + fileName
              + "' is neither .csv nor .jsonl (or .ndjson), with or without .gz or .zst, nor .avro"
              + " nor .parquet: rename it.");
    }
    if (!format.isText() && compression != Compression.NONE) {
      throw new IllegalArgumentException(
          "'" + fileName + "': files of this format are compressed inside. Unpack it first.");
    }
    return format;
  }

  private static @org.jspecify.annotations.Nullable RecordFormat named(String name) {
    if (name.endsWith(".ndjson")) {
      return JSON_LINES;
    }
    for (RecordFormat each : values()) {
      if (name.endsWith("." + each.suffix)) {
        return each;
      }
    }
    return null;
  }
}
