package io.braid.batch.export;

import io.braid.batch.input.RecordFormat;
import io.braid.batch.mapping.Mapping;
import io.braid.batch.mapping.RowText;
import io.braid.core.transaction.RowValues;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The file of an export: parts that are written side by side, then joined. */
interface ExportFile {
  /** A part that is being written. */
  interface Part extends Closeable {
    void write(RowValues row) throws IOException;
  }

  Part part(Path path) throws IOException;

  void join(Path file, List<Path> parts) throws IOException;

  /**
   * Returns a file in the format that its name says.
   *
   * @throws IllegalArgumentException when it cannot hold the fields of the mapping
   */
  static ExportFile of(Path file, Mapping mapping) {
    RecordFormat format = RecordFormat.of(String.valueOf(file.getFileName()));
    RowText text = new RowText(mapping, format);
    return format.isText()
        ? new TextExport(file, text)
        : new ContainerExport(format, text, mapping);
  }
}
