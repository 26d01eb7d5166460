package io.braid.backup;

import io.braid.backup.BackupManifest.FileEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.LongConsumer;

/** Reads files with their checksums, copying them or not. */
final class CheckedCopy {
  private static final int BUFFER = 1 << 20;

  private final LongConsumer progress;

  /**
   * @param progress receives the number of bytes of each read
   */
  CheckedCopy(LongConsumer progress) {
    this.progress = progress;
  }

  /** Copies a file to a new file, makes the new file durable, and returns its entry. */
  FileEntry copy(Path from, String name, Path to) throws IOException {
    try (FileChannel out =
        FileChannel.open(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      FileEntry entry =
          read(
              from,
              name,
              bytes -> {
                while (bytes.hasRemaining()) {
                  out.write(bytes);
                }
              });
      out.force(true);
      return entry;
    }
  }

  /** Reads a file and returns its entry. */
  FileEntry read(Path from, String name) throws IOException {
    return read(from, name, bytes -> {});
  }

  /** The SHA-256 of a small file, in hex. */
  static String sha256(Path file) throws IOException {
    return HexFormat.of().formatHex(sha256().digest(Files.readAllBytes(file)));
  }

  private interface Sink {
    void write(ByteBuffer bytes) throws IOException;
  }

  private FileEntry read(Path from, String name, Sink sink) throws IOException {
    MessageDigest digest = sha256();
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
    long length = 0;
    try (FileChannel in =
        FileChannel.open(from, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      while (in.read(buffer.clear()) >= 0) {
        buffer.flip();
        length += buffer.remaining();
        progress.accept(buffer.remaining());
        digest.update(buffer.duplicate());
        sink.write(buffer);
      }
    }
    return new FileEntry(name, length, HexFormat.of().formatHex(digest.digest()));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("This JVM has no SHA-256.", e);
    }
  }
}
