package io.braid.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Text as addresses have it: in UTF-8, with {@code %NN} for bytes. */
public final class Escapes {
  private Escapes() {}

  /**
   * Decodes an escaped text; a plus stays a plus.
   *
   * @throws IllegalArgumentException when the result is not text in UTF-8: a repaired text might be
   *     the name of something else
   */
  public static String decode(String escaped) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(escaped.length());
    int end = 0;
    for (int at = escaped.indexOf('%'); at >= 0; at = escaped.indexOf('%', end)) {
      bytes.writeBytes(escaped.substring(end, at).getBytes(StandardCharsets.UTF_8));
      bytes.write(octet(escaped, at));
      end = at + 3;
    }
    bytes.writeBytes(escaped.substring(end).getBytes(StandardCharsets.UTF_8));
    try {
      ByteBuffer buffer = ByteBuffer.wrap(bytes.toByteArray());
      return StandardCharsets.UTF_8.newDecoder().decode(buffer).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("The address is not escaped UTF-8.", e);
    }
  }

  private static int octet(String escaped, int at) {
    if (at + 3 > escaped.length()
        || !HexFormat.isHexDigit(escaped.charAt(at + 1))
        || !HexFormat.isHexDigit(escaped.charAt(at + 2))) {
      throw new IllegalArgumentException("The address is not escaped as URLs are.");
    }
    return HexFormat.fromHexDigits(escaped, at + 1, at + 3);
  }
}
