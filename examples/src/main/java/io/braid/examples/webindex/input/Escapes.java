package io.braid.examples.webindex.input;

import java.nio.charset.StandardCharsets;

/** Percent-encoding in its normal form: upper-case digits, and only where it is needed. */
final class Escapes {
  private static final String HEX = "0123456789ABCDEF";
  private static final String UNRESERVED = "-._~";
  private static final String IN_PATH = UNRESERVED + "!$&'()*+,;=:@/";
  private static final String IN_QUERY = IN_PATH + "?";

  private Escapes() {}

  /** The path of a URL; an encoded slash stays encoded. */
  static String path(String path) {
    return encode(path, IN_PATH, IN_PATH.replace("/", ""));
  }

  /** The query of a URL: encoded separators stay encoded. */
  static String query(String query) {
    return encode(query, IN_QUERY, UNRESERVED);
  }

  /** The path of a file: a percent sign is only a character. */
  static String file(String path) {
    return encode(path.replace("%", "%25"), IN_PATH, "");
  }

  private static String encode(String text, String plain, String decoded) {
    if (text.chars().allMatch(c -> isPlain(c, plain))) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length() + 16);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bytes.length; i++) {
      int c = bytes[i] & 0xFF;
      int escaped = c == '%' ? escapedAt(bytes, i) : -1;
      if (escaped >= 0) {
        i += 2;
      }
      if (escaped >= 0 && isPlain(escaped, decoded)) {
        out.append((char) escaped);
      } else if (escaped < 0 && isPlain(c, plain)) {
        out.append((char) c);
      } else {
        int octet = escaped >= 0 ? escaped : c;
        out.append('%').append(HEX.charAt(octet >> 4)).append(HEX.charAt(octet & 15));
      }
    }
    return out.toString();
  }

  /** Returns the octet that "%XX" encodes at this place; -1 when there is no such escape. */
  private static int escapedAt(byte[] bytes, int at) {
    if (at + 2 >= bytes.length) {
      return -1;
    }
    int high = Character.digit((char) bytes[at + 1], 16);
    int low = Character.digit((char) bytes[at + 2], 16);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
  }

  private static boolean isPlain(int c, String others) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || (c < 0x80 && others.indexOf(c) >= 0);
  }
}
