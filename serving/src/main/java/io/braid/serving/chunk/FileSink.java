package io.braid.serving.chunk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.zip.CRC32C;

/** A new file of a chunk: header, body, footer, with the checksums that follow it. */
final class FileSink implements AutoCloseable {
  private final FileChannel channel;
  private final MessageDigest digest = FileDigest.begin();
  private final CRC32C body = new CRC32C();
  private final byte[] buffer = new byte[1 << 16];
  private int filled;
  private long position;

  FileSink(Path file, long magic) throws IOException {
    channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    write(Footer.header(magic), 0, Footer.HEADER);
  }

  long position() {
    return position;
  }

  void add(byte[] bytes, int offset, int length) throws IOException {
    body.update(bytes, offset, length);
    write(bytes, offset, length);
  }

  int bodyChecksum() {
    return (int) body.getValue();
  }

  /** Writes the footer, makes the file durable, and answers the digest of all its bytes. */
  FileDigest finish(Footer footer) throws IOException {
    write(footer.withBody(position - Footer.HEADER).encoded(), 0, Footer.BYTES);
    flush();
    channel.force(true);
    return new FileDigest(position, FileDigest.text(digest));
  }

  private void write(byte[] bytes, int offset, int length) throws IOException {
    position += length;
    int from = offset;
    int left = length;
    while (left > 0) {
      int part = Math.min(left, buffer.length - filled);
      System.arraycopy(bytes, from, buffer, filled, part);
      filled += part;
      from += part;
      left -= part;
      if (filled == buffer.length) {
        flush();
      }
    }
  }

  private void flush() throws IOException {
    digest.update(buffer, 0, filled);
    ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, filled);
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
    filled = 0;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
