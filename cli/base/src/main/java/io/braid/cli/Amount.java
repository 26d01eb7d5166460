package io.braid.cli;

import java.util.Locale;

/** How many there are of something, in words. */
final class Amount {
  private Amount() {}

  /**
   * As {@code 1 row}, {@code 1,200 rows}.
   *
   * @param what one of them
   */
  static String of(long number, String what) {
    return String.format(Locale.ROOT, "%,d %s%s", number, what, number == 1 ? "" : "s");
  }
}
