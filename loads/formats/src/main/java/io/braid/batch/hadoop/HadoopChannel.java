package io.braid.batch.hadoop;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import org.apache.hadoop.fs.FSDataInputStream;

/** Reads a file. For one thread at a time. */
final class HadoopChannel implements SeekableByteChannel {
  private static final int MOST = 1 << 20;

  private final FSDataInputStream in;
  private final long size;
  private boolean closed;

  HadoopChannel(FSDataInputStream in, long size) {
    this.in = in;
    this.size = size;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    int wanted = Math.min(into.remaining(), MOST);
    if (wanted == 0) {
      return 0;
    }
    if (in.getPos() >= size) {
      return -1;
    }
    if (into.hasArray()) {
      int read = in.read(into.array(), into.arrayOffset() + into.position(), wanted);
      into.position(into.position() + Math.max(0, read));
      return read;
    }
    byte[] bytes = new byte[wanted];
    int read = in.read(bytes, 0, wanted);
    into.put(bytes, 0, Math.max(0, read));
    return read;
  }

  @Override
  public long position() throws IOException {
    return in.getPos();
  }

  @Override
  public SeekableByteChannel position(long to) throws IOException {
    in.seek(Math.min(to, size));
    return this;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public boolean isOpen() {
    return !closed;
  }

  @Override
  public void close() throws IOException {
    closed = true;
    in.close();
  }

  @Override
  public int write(ByteBuffer from) {
    throw new NonWritableChannelException();
  }

  @Override
  public SeekableByteChannel truncate(long to) {
    throw new NonWritableChannelException();
  }
}
