package io.braid.serving.fetch;

import io.braid.core.failure.ErrorCode;
import io.braid.serving.ServingException;
import io.braid.serving.chunk.FileDigest;
import io.braid.serving.files.Throttle;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * Fetches one file. Bytes that are already here are not fetched again, but read again for the
 * checksum. The checksum is computed from the bytes as they come in.
 */
public final class FileFetch {
  private final Source source;
  private final String name;
  private final FileDigest wanted;
  private final Path target;

  /**
   * @param target may have another name than the file has at its source
   */
  public FileFetch(Source source, String name, FileDigest wanted, Path target) {
    this.source = source;
    this.name = name;
    this.wanted = wanted;
    this.target = target;
  }

  /**
   * @param progress gets the number of bytes that came in
   * @throws ServingException {@code FETCH_FAILED} when the bytes are not those that were built;
   *     they are deleted
   */
  public void run(Throttle throttle, LongConsumer progress, BooleanSupplier stopped)
      throws IOException {
    MessageDigest digest = FileDigest.begin();
    try (FileChannel channel =
        FileChannel.open(
            target, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      if (channel.size() > wanted.bytes()) {
        channel.truncate(0);
      }
      long have = digestOf(channel, digest, throttle);
      boolean resumed = have > 0;
      progress.accept(have);
      try (InputStream in = source.open(name, have)) {
        byte[] buffer = new byte[throttle.piece()];
        long synced = have;
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          if (stopped.getAsBoolean()) {
            throw new ServingException(ErrorCode.FETCH_FAILED, "The fetch was stopped.");
          }
          have += n;
          if (have > wanted.bytes()) {
            break;
          }
          throttle.pass(n);
          digest.update(buffer, 0, n);
          write(channel, ByteBuffer.wrap(buffer, 0, n));
          progress.accept(n);
          if (have - synced >= SyncedFile.BETWEEN_SYNCS) {
            channel.force(false);
            synced = have;
          }
        }
      }
      channel.force(true);
      check(have, digest, resumed);
    }
  }

  private static long digestOf(FileChannel channel, MessageDigest digest, Throttle throttle)
      throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(throttle.piece());
    long have = 0;
    channel.position(0);
    for (int n = channel.read(buffer); n >= 0; n = channel.read(buffer)) {
      throttle.pass(n);
      digest.update(buffer.flip());
      buffer.clear();
      have += n;
    }
    return have;
  }

  private static void write(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  private void check(long have, MessageDigest digest, boolean resumed) throws IOException {
    if (have < wanted.bytes()) {
      throw new IOException(
          "File " + name + " ended after " + have + " of " + wanted.bytes() + " bytes.");
    }
    if (have > wanted.bytes() || !FileDigest.text(digest).equals(wanted.sha256())) {
      Files.delete(target);
      if (resumed) {
        throw new IOException("What was there of file " + name + " was no part of it.");
      }
      throw new ServingException(
          ErrorCode.FETCH_FAILED,
          "File "
              + name
              + " of "
              + source
              + " does not have the checksum it was built with. Build the version again, or look at"
              + " what lies between.");
    }
  }
}
