package io.braid.batch.input;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.SortedSet;

/**
 * A format of files whose records are no pieces of text. Found by {@link ServiceLoader}; the
 * artifact {@code braid-batch-formats} brings Avro and Parquet.
 *
 * <p>Its records are shown as objects of JSON, so all that is done with records of text is done
 * with these too. Bytes are shown in base64, decimals, dates and times as text (ISO 8601). They are
 * counted from the beginning of the file; reading may begin where the file itself is cut: at Avro's
 * sync markers, at Parquet's row groups.
 */
public interface ContainerFormat {
  RecordFormat format();

  /**
   * The names of the fields, in their order.
   *
   * @throws UnreadableInputException when it is no such file
   */
  List<String> fields(Path file) throws IOException;

  /**
   * Reads records, counted from 0 on.
   *
   * @param from the first
   * @param to where to end; may lie behind the last
   * @param at where the first stands, as {@link RecordReader#cut} told; 0 for the begin of the file
   * @throws UnreadableInputException when it cannot be read
   */
  RecordReader read(Path file, long from, long to, long at) throws IOException;

  /**
   * Records of a part of a file.
   *
   * @param from where the part begins, and {@code at}: as in {@link #read read}
   * @param records which of them, counted from the begin of the file
   */
  record Picked(long from, long at, SortedSet<Long> records) {}

  /**
   * Makes a file of records of another one, as they are there: of the same schema, compressed in
   * the same way. No more is read than up to the last one of each part.
   *
   * @throws UnreadableInputException when the file cannot be read any more
   */
  void copy(Path file, List<Picked> parts, Path to) throws IOException;

  /**
   * What reads files of a format.
   *
   * @throws IllegalArgumentException when it is not on the class path
   */
  static ContainerFormat of(RecordFormat format) {
    return ServiceLoader.load(ContainerFormat.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(each -> each.format() == format)
        .findFirst()
        .orElseThrow(() -> missing(format));
  }

  /** There is nothing on the class path that knows a format. */
  static IllegalArgumentException missing(RecordFormat format) {
    return new IllegalArgumentException(
        "Files of the format ."
            + format.suffix()
            + " need the artifact braid-batch-formats on the class path.");
  }
}
