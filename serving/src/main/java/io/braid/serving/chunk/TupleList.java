package io.braid.serving.chunk;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A scratch file with two numbers for each entry of the future index: the hash, and the length or
 * the place of the data that the entry describes.
 */
final class TupleList implements AutoCloseable {
  private static final int BUFFER = 1 << 16;

  private final Path file;
  private final DataOutputStream out;
  private long size;

  TupleList(Path file) throws IOException {
    this.file = file;
    this.out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER));
  }

  void add(long rest, int number) throws IOException {
    out.writeLong(rest);
    out.writeInt(number);
    size++;
  }

  /** From the beginning; nothing is added any more. */
  Reader read() throws IOException {
    out.flush();
    return new Reader(
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER)), size);
  }

  /** One entry after another. */
  static final class Reader implements AutoCloseable {
    private final DataInputStream in;
    private final long size;
    private long read;
    private long rest;
    private int number;

    Reader(DataInputStream in, long size) {
      this.in = in;
      this.size = size;
    }

    boolean next() throws IOException {
      if (read == size) {
        return false;
      }
      rest = in.readLong();
      number = in.readInt();
      read++;
      return true;
    }

    long rest() {
      return rest;
    }

    int number() {
      return number;
    }

    long size() {
      return size;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
