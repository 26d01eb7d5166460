package io.braid.batch.export;

import io.braid.batch.input.ContainerFormat;
import io.braid.batch.input.RecordFormat;
import io.braid.batch.mapping.FieldType;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.apiguardian.api.API;

/**
 * Writes files with records that are not text, which a {@link ContainerFormat} reads. Found by
 * {@link ServiceLoader}.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public interface ContainerOutput {
  /**
   * A field of all records.
   *
   * @param required whether every record has it
   */
  record Field(String name, FieldType type, boolean required) {}

  /** A file that is being written; complete once it is closed. */
  interface Writer extends Closeable {
    /**
     * Adds a record.
     *
     * @param record by the names of fields: String, Long, Double, Boolean or Bytes, as the type
     *     says
     */
    void write(Map<String, Object> record) throws IOException;
  }

  RecordFormat format();

  /**
   * Begins a file.
   *
   * @throws IllegalArgumentException when the format takes no such field
   */
  Writer create(Path file, List<Field> fields) throws IOException;

  /** Makes one file of parts that were written with these fields, without unpacking them. */
  void join(Path file, List<Field> fields, List<Path> parts) throws IOException;

  /**
   * Returns the writer of files of a format.
   *
   * @throws IllegalArgumentException when the writer is not on the class path
   */
  static ContainerOutput of(RecordFormat format) {
    return ServiceLoader.load(ContainerOutput.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(each -> each.format() == format)
        .findFirst()
        .orElseThrow(() -> ContainerFormat.missing(format));
  }
}
