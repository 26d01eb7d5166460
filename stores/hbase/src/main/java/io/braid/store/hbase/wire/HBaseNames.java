package io.braid.store.hbase.wire;

import io.braid.core.data.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * How names and keys of Braid look in HBase.
 *
 * <ul>
 *   <li>HBase has no empty row keys and fails on deletes of empty qualifiers: stored keys and
 *       qualifiers have one 0x00 more at their end. The order stays the same.
 *   <li>Table names have letters, digits, dot and minus; any other byte is an underscore and two
 *       hexadecimal digits: {@code ~braid} is {@code _7ebraid}.
 * </ul>
 */
public final class HBaseNames {
  /**
   * HBase takes its highest timestamp for "now": the highest version that can be stored is one
   * less.
   */
  public static final long MAX_VERSION = Long.MAX_VALUE - 1;

  private HBaseNames() {}

  /** A row key or qualifier as it is stored. */
  public static byte[] key(Bytes key) {
    byte[] stored = new byte[key.length() + 1];
    key.copyTo(stored, 0);
    return stored;
  }

  /** A stored row key or qualifier as it was given; takes the array over. */
  public static Bytes key(byte[] stored) {
    return Bytes.wrap(stored, 0, stored.length - 1);
  }

  /** The bound of a range as HBase takes it; nothing where a range begins with the table. */
  public static byte[] bound(Bytes bound) {
    return bound.isEmpty() ? new byte[0] : key(bound);
  }

  /**
   * The lowest key of a region that begins at {@code stored}. Regions that HBase split may begin at
   * what is no stored key.
   */
  public static Bytes bound(byte[] stored) {
    boolean key = stored.length > 0 && stored[stored.length - 1] == 0;
    return key ? key(stored) : Bytes.copyOf(stored);
  }

  public static String table(String name) {
    StringBuilder stored = new StringBuilder();
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xFF);
      if (c < 0x80
          && (Character.isLetterOrDigit(c) || ((c == '.' || c == '-') && stored.length() > 0))) {
        stored.append(c);
      } else {
        stored.append('_').append(HexFormat.of().toHexDigits(b));
      }
    }
    return stored.toString();
  }

  public static String tableFrom(String stored) {
    byte[] name = new byte[stored.length()];
    int length = 0;
    for (int i = 0; i < stored.length(); i++) {
      char c = stored.charAt(i);
      if (c == '_') {
        name[length++] = (byte) HexFormat.fromHexDigits(stored, i + 1, i + 3);
        i += 2;
      } else {
        name[length++] = (byte) c;
      }
    }
    return new String(name, 0, length, StandardCharsets.UTF_8);
  }
}
