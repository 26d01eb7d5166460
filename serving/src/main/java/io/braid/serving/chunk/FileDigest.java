package io.braid.serving.chunk;

import io.braid.serving.files.Throttle;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.IntConsumer;
import org.apiguardian.api.API;

/**
 * The expected length and checksum of a file.
 *
 * @param bytes the length of the file
 * @param sha256 of all bytes, as hexadecimal digits
 */
@API(status = API.Status.EXPERIMENTAL)
public record FileDigest(long bytes, String sha256) {
  /** A digest to feed while a file is written or fetched. */
  public static MessageDigest begin() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("This Java has no SHA-256.", e);
    }
  }

  /** Ends a digest. */
  public static String text(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Reads a whole file. */
  public static FileDigest of(Path file) throws IOException {
    return of(file, 1 << 16, n -> {});
  }

  /**
   * Reads a whole file, as fast as others let it.
   *
   * @hidden
   */
  @API(status = API.Status.INTERNAL)
  public static FileDigest of(Path file, Throttle throttle) throws IOException {
    return of(file, throttle.piece(), throttle::pass);
  }

  private static FileDigest of(Path file, int piece, IntConsumer pass) throws IOException {
    MessageDigest digest = begin();
    long bytes = 0;
    byte[] buffer = new byte[piece];
    try (InputStream in = Files.newInputStream(file)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        pass.accept(n);
        digest.update(buffer, 0, n);
        bytes += n;
      }
    }
    return new FileDigest(bytes, text(digest));
  }
}
