package io.braid.cli.command;

import java.util.Locale;

/** How many there are of something, in words. */
public final class Amount {
  private Amount() {}

  /**
   * Returns a text such as {@code 1 row}, {@code 1,200 rows}.
   *
   * @param what the name of one of them
   */
  public static String of(long number, String what) {
    return String.format(Locale.ROOT, "%,d %s%s", number, what, number == 1 ? "" : "s");
  }
}
