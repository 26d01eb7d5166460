package io.braid.serving.files;

import io.braid.core.runtime.DurableFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Function;

/** A line of text, and a line with the SHA-256 of the first: a file that shows any change. */
public final class SealedLine {
  private SealedLine() {}

  public static byte[] encode(String line) {
    return (line + "\n" + sha256(line) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** The line; none when it is not as it was written. */
  public static Optional<String> decode(byte[] content) {
    String[] lines = new String(content, StandardCharsets.UTF_8).split("\n", -1);
    boolean whole = lines.length == 3 && lines[2].isEmpty() && sha256(lines[0]).equals(lines[1]);
    return whole ? Optional.of(lines[0]) : Optional.empty();
  }

  /**
   * The line of a file; none when there is no such file.
   *
   * @param limit how long the file may be
   * @param damaged what to throw when it is not as it was written; hears which file
   */
  public static Optional<String> read(
      Path file, int limit, Function<String, RuntimeException> damaged) throws IOException {
    byte[] content;
    try {
      content = DurableFiles.read(file, limit);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    return Optional.of(
        decode(content).orElseThrow(() -> damaged.apply("File " + file + " is damaged")));
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
