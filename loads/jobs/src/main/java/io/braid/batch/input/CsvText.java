package io.braid.batch.input;

import io.braid.core.data.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A record of a CSV file (RFC 4180) and its fields. Braid cuts records itself because a load must
 * know where each record begins and keep its original text, which parsers do not provide.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class CsvText {
  /** So long a record of several lines may be. */
  public static final int MOST_BYTES = 1 << 16;

  /** The state of quotes at the end of some text. */
  enum Quotes {
    /** All quotes are closed. */
    CLOSED,
    /** A field continues in the next line. */
    OPEN,
    /** Something other than a comma follows a closing quote. */
    WRONG
  }

  private CsvText() {}

  /**
   * @param open whether the text begins inside a quoted field
   */
  static Quotes quotes(Bytes text, boolean open) {
    if (!open && text.indexOf((byte) '"', 0) < 0) {
      return Quotes.CLOSED;
    }
    boolean begin = !open;
    boolean inside = open;
    int n = text.length();
    for (int i = 0; i < n; i++) {
      byte c = text.at(i);
      if (inside) {
        if (c == '"') {
          if (i + 1 < n && text.at(i + 1) == '"') {
            i++;
          } else {
            inside = false;
            if (i + 1 < n && text.at(i + 1) != ',') {
              return Quotes.WRONG;
            }
          }
        }
      } else if (c == '"' && begin) {
        inside = true;
      }
      begin = c == ',';
    }
    return inside ? Quotes.OPEN : Quotes.CLOSED;
  }

  /**
   * The fields of a record.
   *
   * @throws IllegalArgumentException when its quotes are wrong, or it is not UTF-8
   */
  public static List<String> fields(Bytes record) {
    if (quotes(record, false) != Quotes.CLOSED) {
      throw new IllegalArgumentException(
          "A quoted field is not closed within 64 KiB, or something follows its closing quote.");
    }
    String text = StrictText.of(record);
    List<String> fields = new ArrayList<>();
    int at = 0;
    while (true) {
      int end = at < text.length() && text.charAt(at) == '"' ? closing(text, at) + 1 : at;
      int comma = text.indexOf(',', end);
      int stop = comma < 0 ? text.length() : comma;
      fields.add(
          end > at
              ? text.substring(at + 1, end - 1).replace("\"\"", "\"")
              : text.substring(at, stop));
      if (comma < 0) {
        return fields;
      }
      at = comma + 1;
    }
  }

  private static int closing(String text, int open) {
    int at = open + 1;
    while (true) {
      at = text.indexOf('"', at);
      if (at + 1 < text.length() && text.charAt(at + 1) == '"') {
        at += 2;
      } else {
        return at;
      }
    }
  }

  /** Returns a field in its written form. */
  public static String field(String value) {
    boolean plain =
        value.indexOf(',') < 0
            && value.indexOf('"') < 0
            && value.indexOf('\n') < 0
            && value.indexOf('\r') < 0;
    return plain ? value : '"' + value.replace("\"", "\"\"") + '"';
  }
}
