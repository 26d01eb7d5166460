package io.braid.serving.build;

import io.braid.core.data.Bytes;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A sorted run on disk; goes when it has been read. */
record RunFile(Path path, long entries) {
  private static final int BUFFER = 1 << 16;

  static RunFile write(Path path, Entries sorted) throws IOException {
    long entries = 0;
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(path), BUFFER))) {
      while (sorted.next()) {
        out.writeLong(sorted.hash());
        out.writeInt(sorted.key().length());
        out.writeInt(sorted.value().length());
        out.write(sorted.key().toArray());
        out.write(sorted.value().toArray());
        entries++;
      }
    }
    return new RunFile(path, entries);
  }

  void delete() throws IOException {
    Files.delete(path);
  }

  Entries read() throws IOException {
    return new Reader(
        path,
        entries,
        new DataInputStream(new BufferedInputStream(Files.newInputStream(path), BUFFER)));
  }

  private static final class Reader implements Entries {
    private final Path path;
    private final DataInputStream in;
    private long left;
    private long hash;
    private Bytes key = Bytes.EMPTY;
    private Bytes value = Bytes.EMPTY;

    Reader(Path path, long entries, DataInputStream in) {
      this.path = path;
      this.left = entries;
      this.in = in;
    }

    @Override
    public boolean next() throws IOException {
      if (left == 0) {
        return false;
      }
      left--;
      hash = in.readLong();
      int keyLength = in.readInt();
      int valueLength = in.readInt();
      key = bytes(keyLength);
      value = bytes(valueLength);
      return true;
    }

    private Bytes bytes(int length) throws IOException {
      byte[] bytes = in.readNBytes(length);
      if (bytes.length < length) {
        throw new UncheckedIOException(
            new EOFException("Scratch file " + path + " was cut short."));
      }
      return Bytes.wrap(bytes);
    }

    @Override
    public long hash() {
      return hash;
    }

    @Override
    public Bytes key() {
      return key;
    }

    @Override
    public Bytes value() {
      return value;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
