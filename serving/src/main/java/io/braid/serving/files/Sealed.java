package io.braid.serving.files;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/** A line of text, and a line with the SHA-256 of the first: a file that shows any change. */
public final class Sealed {
  private Sealed() {}

  public static byte[] encode(String line) {
    return (line + "\n" + sha256(line) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** The line; none when it is not as it was written. */
  public static Optional<String> decode(byte[] content) {
    String[] lines = new String(content, StandardCharsets.UTF_8).split("\n", -1);
    boolean whole = lines.length == 3 && lines[2].isEmpty() && sha256(lines[0]).equals(lines[1]);
    return whole ? Optional.of(lines[0]) : Optional.empty();
  }

  private static String sha256(String line) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(line.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("This Java has no SHA-256.", e);
    }
  }
}
