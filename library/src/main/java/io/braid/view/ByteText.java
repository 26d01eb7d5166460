package io.braid.view;

import io.braid.core.data.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bytes as users read and type them. Text is shown as text; control characters, and bytes that are
 * not UTF-8, as {@code \xNN}; a backslash as two. Users can type the shown text.
 */
public final class ByteText {
  private static final Pattern ESCAPE = Pattern.compile("\\\\(?:x([0-9A-Fa-f]{2})|\\\\)");

  private ByteText() {}

  /**
   * Returns the bytes of a typed text: {@code \xNN} is a byte, two backslashes are one, all other
   * text is literal.
   */
  public static Bytes parse(String typed) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Matcher escape = ESCAPE.matcher(typed);
    int end = 0;
    while (escape.find()) {
      bytes.writeBytes(utf8(typed.substring(end, escape.start())));
      String hex = escape.group(1);
      bytes.write(hex == null ? '\\' : Integer.parseInt(hex, 16));
      end = escape.end();
    }
    bytes.writeBytes(utf8(typed.substring(end)));
    return Bytes.wrap(bytes.toByteArray());
  }

  /** How bytes are shown. */
  public static String show(Bytes bytes) {
    return decode(bytes).map(ByteText::show).orElseGet(bytes::toString);
  }

  /** A value for JSON: text if it is UTF-8, otherwise an object with its base64. */
  public static Object toJson(Bytes value) {
    return decode(value)
        .<Object>map(text -> text)
        .orElseGet(() -> Map.of("base64", Base64.getEncoder().encodeToString(value.toArray())));
  }

  private static String show(String text) {
    StringBuilder shown = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              if (c == '\\') {
                shown.append("\\\\");
              } else if (Character.isISOControl(c)) {
                shown.append(Bytes.of(Character.toString(c)));
              } else {
                shown.appendCodePoint(c);
              }
            });
    return shown.toString();
  }

  private static Optional<String> decode(Bytes bytes) {
    try {
      ByteBuffer buffer = bytes.toBuffer();
      return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(buffer).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  private static byte[] utf8(String text) {
    return Bytes.of(text).toArray();
  }
}
