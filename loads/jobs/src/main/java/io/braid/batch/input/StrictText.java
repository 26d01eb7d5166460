package io.braid.batch.input;

import io.braid.core.data.Bytes;
import org.apiguardian.api.API;

/**
 * Text that survives the conversion to bytes and back unchanged; other text is refused. Java
 * replaces invalid bytes and halves of characters, and the replacement looks as if it had been in
 * the input.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class StrictText {
  private static final char REPLACEMENT = '\uFFFD';
  private static final Bytes MARK = Bytes.ofInts(0xEF, 0xBB, 0xBF);

  private StrictText() {}

  /**
   * @throws IllegalArgumentException when the bytes are not UTF-8
   */
  public static String of(Bytes bytes) {
    String text = bytes.toUtf8();
    if (text.indexOf(REPLACEMENT) >= 0 && !Bytes.of(text).equals(bytes)) {
      throw new IllegalArgumentException("It is not UTF-8.");
    }
    return text;
  }

  /**
   * @throws IllegalArgumentException when the text has half of a character
   */
  public static Bytes bytes(String text) {
    Bytes bytes = Bytes.of(text);
    if (bytes.indexOf((byte) '?', 0) >= 0 && !bytes.toUtf8().equals(text)) {
      throw new IllegalArgumentException("It has half of a character.");
    }
    return bytes;
  }

  /** Removes the byte order mark that some programs put first in a file. */
  static Bytes withoutMark(Bytes line) {
    return line.startsWith(MARK) ? line.slice(MARK.length()) : line;
  }
}
