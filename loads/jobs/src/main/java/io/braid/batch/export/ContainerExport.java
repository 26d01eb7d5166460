package io.braid.batch.export;

import io.braid.batch.export.ContainerOutput.Field;
import io.braid.batch.input.RecordFormat;
import io.braid.batch.mapping.Mapping;
import io.braid.batch.mapping.RowText;
import io.braid.core.transaction.RowValues;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** An export to a file that is no text. */
final class ContainerExport implements ExportFile {
  private final ContainerOutput output;
  private final RowText rows;
  private final List<Field> fields;

  ContainerExport(RecordFormat format, RowText rows, Mapping mapping) {
    this.output = ContainerOutput.of(format);
    this.rows = rows;
    this.fields =
        rows.fields().stream()
            .map(name -> new Field(name, rows.type(name), mapping.key().contains(name)))
            .toList();
  }

  @Override
  public Part part(Path path) throws IOException {
    ContainerOutput.Writer writer = output.create(path, fields);
    return new Part() {
      @Override
      public void write(RowValues row) throws IOException {
        writer.write(rows.record(row));
      }

      @Override
      public void close() throws IOException {
        writer.close();
      }
    };
  }

  @Override
  public void join(Path file, List<Path> parts) throws IOException {
    output.join(file, fields, parts);
  }
}
