package io.braid.serving.fetch;

import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.nio.file.Path;

/** A file that is written from its beginning, and on the disk after {@link #sync}. */
final class SyncedFile extends FilterOutputStream {
  private final FileOutputStream file;

  SyncedFile(Path path) throws IOException {
    this(new FileOutputStream(path.toFile()));
  }

  private SyncedFile(FileOutputStream file) {
    super(new BufferedOutputStream(file, 1 << 16));
    this.file = file;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    out.write(bytes, offset, length);
  }

  void sync() throws IOException {
    flush();
    file.getFD().sync();
  }
}
