package io.braid.serving.build;

import io.braid.core.data.Bytes;
import java.util.Locale;
import java.util.function.BinaryOperator;
import org.apiguardian.api.API;

/** How a build treats a key that comes more than once. */
@API(status = API.Status.EXPERIMENTAL)
public enum Duplicates {
  /** The build fails and names the key. */
  FAIL,

  /** The value that came last stays. */
  LAST,

  /** A function joins the values, in the order in which they came. */
  REDUCE;

  /** Joins by putting one value behind the other, with a line feed between. */
  public static final BinaryOperator<Bytes> LINES = (a, b) -> a.concat(Bytes.of("\n")).concat(b);

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
