package io.braid.batch.input;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.SortedSet;
import org.apiguardian.api.API;

/**
 * A format of files with records that are not text. Found by {@link ServiceLoader}; the artifact
 * {@code braid-batch-formats} brings Avro and Parquet.
 *
 * <p>Records are shown as objects of JSON, so they can be handled like records of text. Bytes are
 * shown in base64, decimals, dates and times as text (ISO 8601). Records are counted from the
 * beginning of the file. Reading may begin where the file itself is cut: at Avro's sync markers, at
 * Parquet's row groups.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
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
   * @param from the first record
   * @param to where to end; may be behind the last record
   * @param at the place of the first record, as {@link RecordReader#cut} returned it; 0 for the
   *     beginning of the file
   * @throws UnreadableInputException when the file cannot be read
   */
  RecordReader read(Path file, long from, long to, long at) throws IOException;

  /**
   * Records of a part of a file.
   *
   * @param from where the part begins, and {@code at}: as in {@link #read read}
   * @param records their numbers, counted from the beginning of the file
   */
  record PickedRecords(long from, long at, SortedSet<Long> records) {}

  /**
   * Makes a file of records of another one, without changing them: of the same schema, compressed
   * in the same way. Each part is read only up to its last record.
   *
   * @throws UnreadableInputException when the file cannot be read any more
   */
  void copy(Path file, List<PickedRecords> parts, Path to) throws IOException;

  /**
   * Returns the reader of files of a format.
   *
   * @throws IllegalArgumentException when the reader is not on the class path
   */
  static ContainerFormat of(RecordFormat format) {
    return ServiceLoader.load(ContainerFormat.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(each -> each.format() == format)
        .findFirst()
        .orElseThrow(() -> missing(format));
  }

  /** Returns the exception for a format that no class on the class path knows. */
  static IllegalArgumentException missing(RecordFormat format) {
    return new IllegalArgumentException(
        "Files of the format ."
            + format.suffix()
            + " need the artifact braid-batch-formats on the class path.");
  }
}
