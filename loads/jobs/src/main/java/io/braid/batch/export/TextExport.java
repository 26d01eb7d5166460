package io.braid.batch.export;

import io.braid.batch.input.Compression;
import io.braid.batch.mapping.RowText;
import io.braid.core.transaction.RowValues;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** An export to lines of text. */
final class TextExport implements ExportFile {
  private final Compression compression;
  private final RowText text;

  TextExport(Path file, RowText text) {
    this.compression = Compression.of(file.toString());
    this.text = text;
  }

  @Override
  public Part part(Path path) throws IOException {
    OutputStream out =
        compression.open(new BufferedOutputStream(Files.newOutputStream(path), 1 << 16));
    return new Part() {
      @Override
      public void write(RowValues row) throws IOException {
        out.write(text.line(row).getBytes(StandardCharsets.UTF_8));
      }

      @Override
      public void close() throws IOException {
        out.close();
      }
    };
  }

  /** Compressed streams may follow one another: readers take them for one. */
  @Override
  public void join(Path file, List<Path> parts) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      if (!text.header().isEmpty()) {
        OutputStream first = compression.open(new UnclosedStream(out));
        first.write(text.header().getBytes(StandardCharsets.UTF_8));
        first.close();
      }
      for (Path part : parts) {
        Files.copy(part, out);
      }
    }
  }

  /** A stream that leaves the file open when it is closed. */
  private static final class UnclosedStream extends BufferedOutputStream {
    UnclosedStream(OutputStream out) {
      super(out);
    }

    @Override
    public void close() throws IOException {
      flush();
    }
  }
}
