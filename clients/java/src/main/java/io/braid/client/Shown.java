package io.braid.client;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Keys and columns as the server shows them: {@code \xNN} is a byte, two backslashes are one. */
final class Shown {
  private static final Pattern ESCAPE = Pattern.compile("\\\\(?:x([0-9A-Fa-f]{2})|\\\\)");

  private Shown() {}

  static Bytes parse(String shown) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Matcher escape = ESCAPE.matcher(shown);
    int end = 0;
    while (escape.find()) {
      bytes.writeBytes(shown.substring(end, escape.start()).getBytes(StandardCharsets.UTF_8));
      String hex = escape.group(1);
      bytes.write(hex == null ? '\\' : Integer.parseInt(hex, 16));
      end = escape.end();
    }
    bytes.writeBytes(shown.substring(end).getBytes(StandardCharsets.UTF_8));
    return Bytes.wrap(bytes.toByteArray());
  }

  static Row row(String table, String key) {
    return Row.of(table, parse(key));
  }

  static ColumnName column(String shown) {
    int colon = shown.indexOf(':');
    return new ColumnName(
        colon < 0 ? "" : shown.substring(0, colon), parse(shown.substring(colon + 1)));
  }
}
